// SPDX-License-Identifier: MIT
#include "srgw/solve.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <optional>

#include "base/message.hpp"
#include "base/parallel.hpp"

namespace srgw {

namespace {

using Clock = std::chrono::steady_clock;

// One clock and one observer for all problems.
class SharedRun {
 public:
  explicit SharedRun(const Run& run) : run_(run) {}

  [[nodiscard]] Run single() {
    Run result = run_;
    result.threads = 1;
    if (run_.time_limit) {
      const std::chrono::duration<double> elapsed = Clock::now() - begin_;
      result.time_limit = std::max(0.0, *run_.time_limit - elapsed.count());
    }
    if (run_.observer) {
      result.observer = [this](const Progress& progress) { return tell(progress); };
    }
    return result;
  }

 private:
  bool tell(const Progress& progress) {
    const std::scoped_lock lock(mutex_);
    stopped_ = stopped_ || !run_.observer(progress);
    return !stopped_;
  }

  const Run& run_;
  Clock::time_point begin_ = Clock::now();
  std::mutex mutex_;
  bool stopped_ = false;
};

// `solve_one(solver, problem number)`; a thread keeps its workspace unless the clock changes it.
template <class SolveOne>
std::vector<Solution> solve_each(std::size_t count, const Method& method, const Run& run,
                                 const SolveOne& solve_one) {
  const int threads = detail::resolve_threads(run.threads);
  SharedRun shared(run);
  std::vector<std::optional<Solver>> solvers(threads);
  std::vector<Solution> solutions(count);
  detail::parallel_for(static_cast<Index>(count), threads, [&](Index item, int worker) {
    std::optional<Solver>& solver = solvers[worker];
    if (!solver || run.time_limit) solver.emplace(method, shared.single());
    const std::size_t number = item;
    solutions[number] = solve_one(*solver, number);
  });
  return solutions;
}

}  // namespace

std::vector<Solution> solve_all(std::span<const Problem> problems, const Method& method,
                                Start start, int count, const Run& run) {
  if (count < 1) detail::fail_argument("starts is {}, expected at least 1", count);
  return solve_each(problems.size(), method, run, [&](Solver& solver, std::size_t number) {
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
  return solve_each(problems.size(), method, run, [&](Solver& solver, std::size_t number) {
    return solver.solve(problems[number], starts[number]);
  });
}

}  // namespace srgw
