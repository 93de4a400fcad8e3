// SPDX-License-Identifier: MIT
// A Solver keeps its workspace: once it has seen graphs as large, a solve allocates nothing.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "srgw/solve.hpp"
#include "support/random_problem.hpp"

namespace {
std::atomic<long> allocations{0};
}

// NOLINTBEGIN(misc-new-delete-overloads)
// Not inlined: GCC 12 would see malloc meet delete and warn.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
// NOLINTEND(misc-new-delete-overloads)

namespace srgw {
namespace {

using namespace srgw::test;

class Workspace : public testing::TestWithParam<std::optional<double>> {};
INSTANTIATE_TEST_SUITE_P(Alpha, Workspace,
                         testing::Values(std::optional<double>{}, std::optional(0.5)));

TEST_P(Workspace, IsKeptFromGraphToGraph) {
  std::vector<OwnedProblem> problems;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    problems.push_back(random_problem({.rows = 10 + static_cast<Index>(seed % 13),
                                       .columns = 6,
                                       .source = Storage::csr,
                                       .alpha = GetParam(),
                                       .seed = seed}));
    problems.back().target = problems.front().target;
  }
  Solver solver(ConditionalGradient{}, {.threads = 1});
  std::vector<Problem> views;
  for (const OwnedProblem& owned : problems) views.push_back(owned.problem());
  const auto solve_all = [&] {
    double sum = 0;
    for (const Problem& problem : views) sum += solver.solve(problem).value;
    return sum;
  };
  const double first = solve_all();
  const long before = allocations;
  const double second = solve_all();
  EXPECT_EQ(allocations - before, 0);
  EXPECT_EQ(first, second);
}

}  // namespace
}  // namespace srgw
