// SPDX-License-Identifier: MIT
#include "srgw/solve.hpp"

#include <limits>
#include <optional>

#include "base/message.hpp"
#include "base/parallel.hpp"
#include "solve/product_solution.hpp"
#include "solve/watch.hpp"

namespace srgw {

namespace {

// `solve_one(solver, problem number)`; a thread keeps its workspace. The limits are those of all
// problems together: a solver has an endless one, so that it returns its best when all are stopped.
template <class SolveOne>
std::vector<Solution> solve_each(std::span<const Problem> problems, const Method& method,
                                 const Run& run, const SolveOne& solve_one) {
  const int threads = detail::resolve_threads(run.threads);
  std::vector<std::optional<Solver>> solvers(threads);
  std::vector<std::optional<Solution>> found(problems.size());
  const auto why = detail::run_until_stopped(run, [&](StopScope& scope) {
    detail::Watch watch(run, &scope);
    Run single{.threads = 1, .seed = run.seed, .trace = run.trace};
    if (detail::has_limit(run)) single.time_limit = std::numeric_limits<double>::infinity();
    if (run.observer) {
      single.observer = [&](const Progress& progress) { return watch.tell(progress); };
    }
    detail::parallel_for(std::ssize(problems), threads, [&](Index number, int worker) {
      std::optional<Solver>& solver = solvers[worker];
      if (!solver) solver.emplace(method, single);
      found[number] = solve_one(*solver, number);
    });
  });
  std::vector<Solution> solutions;
  solutions.reserve(found.size());
  for (std::size_t number = 0; number < found.size(); ++number) {
    if (!found[number]) {
      check(problems[number]);
      found[number] = detail::product_solution(problems[number], *why, threads);
    }
    solutions.push_back(std::move(*found[number]));
  }
  return solutions;
}

}  // namespace

std::vector<Solution> solve_all(std::span<const Problem> problems, const Method& method,
                                Start start, int count, const Run& run) {
  if (count < 1) detail::fail_argument("starts is {}, expected at least 1", count);
  return solve_each(problems, method, run, [&](Solver& solver, Index number) {
    check(problems[number]);
    return solver.race(problems[number], start, count);
  });
}

std::vector<Solution> solve_all(std::span<const Problem> problems, const Method& method,
                                std::span<const Plan> starts, const Run& run) {
  if (starts.size() != problems.size()) {
    detail::fail_argument("{} starts for {} problems, expected one for each", starts.size(),
                          problems.size());
  }
  return solve_each(problems, method, run, [&](Solver& solver, Index number) {
    return solver.solve(problems[number], starts[number]);
  });
}

}  // namespace srgw
