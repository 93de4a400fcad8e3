// SPDX-License-Identifier: MIT
// A Solver keeps its workspace: once it has seen graphs as large, a solve allocates nothing. So do
// embeddings.
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>

#include "srgw/dictionary.hpp"
#include "srgw/solve.hpp"
#include "support/random_problem.hpp"
#include "support/samples.hpp"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool counts_allocations = false;  // the sanitizers have their own malloc
#else
constexpr bool counts_allocations = true;
#endif

static std::atomic<long> allocations{0};

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// In the place of glibc's: operator new and Eigen both end here.
extern "C" {
void* __libc_malloc(std::size_t size);  // NOLINT(bugprone-reserved-identifier)
void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
}
#endif

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
  if (counts_allocations) {
    EXPECT_GT(before, 0);
    EXPECT_EQ(allocations - before, 0);
  }
  EXPECT_EQ(first, second);
}

class Embedded : public testing::TestWithParam<Index> {};
INSTANTIATE_TEST_SUITE_P(FeatureColumns, Embedded, testing::Values(Index{0}, Index{3}));

TEST_P(Embedded, GraphsTakeNoMemoryOfTheirOwn) {
  const Index columns = GetParam();
  detail::Random random(3, 4);
  const Matrix B = random_matrix(6, 6, random).cwiseAbs();
  const Dictionary dictionary{{.atoms = {{B + B.transpose(), random_matrix(6, columns, random)}}}};
  const auto once = random_samples(40, columns);
  auto twice = once;
  twice.insert(twice.end(), once.begin(), once.end());
  const auto allocations_of = [&](const std::vector<Sample>& samples) {
    const long before = allocations;
    (void)embed(dictionary, samples, {}, {.threads = 1});
    return allocations - before;
  };
  (void)allocations_of(twice);
  const long of_once = allocations_of(once);
  if (counts_allocations) {
    EXPECT_EQ(allocations_of(twice), of_once);
  }
}

}  // namespace
}  // namespace srgw
