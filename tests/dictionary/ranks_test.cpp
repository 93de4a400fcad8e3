// SPDX-License-Identifier: MIT
//
// Learning on ranks gives the bits of one process.
#include <gtest/gtest.h>

#include <filesystem>

#include "dictionary/fixed_sums.hpp"
#include "srgw/dictionary.hpp"
#include "support/expect_error.hpp"
#include "support/samples.hpp"
#include "support/thread_ranks.hpp"

namespace srgw {
namespace {

using test::on_ranks;
using test::random_samples;

/// Graphs of a rank; uneven, and the second of more than two ranks has none.
std::span<const Sample> share_of(const std::vector<Sample>& samples, const Ranks& ranks) {
  const int count = ranks.count(), rank = ranks.rank();
  const auto start = [&](int r) -> std::size_t {
    if (r == 0) return 0;
    if (r == count) return samples.size();
    return samples.size() * static_cast<std::size_t>(count > 2 && r == 2 ? 1 : r) /
           static_cast<std::size_t>(count + 1);
  };
  return std::span(samples).subspan(start(rank), start(rank + 1) - start(rank));
}

struct Case {
  const char* name;
  Learner learner;
  Projection projection = {};
  Index columns = 2;
  bool directed = false;
};
const Case cases[] = {
    {"closed form", ClosedForm{.epochs = 4, .batch = 7, .jumps = 2}},
    {"no features", ClosedForm{.epochs = 4, .batch = 7, .jumps = 1}, {}, 0},
    {"directed", ClosedForm{.epochs = 2, .batch = 7, .jumps = 1}, {}, 2, true},
    {"sparse", ClosedForm{.epochs = 2, .batch = 7, .jumps = 1}, {.sparsity = 0.05}},
    {"cold", ClosedForm{.epochs = 3, .batch = 50, .warm_plans = false, .forgetting = 1}},
    {"adam", AdamScheme{.epochs = 6, .batch = 7, .evaluate_every = 2}},
    {"adam, both starts", AdamScheme{.start = AtomStart::both, .epochs = 3, .batch = 7}, {}, 0},
    {"adam, patience",
     AdamScheme{.epochs = 40, .batch = 7, .evaluate_every = 1, .patience = 2},
     {.method = MirrorDescent{.epsilon = 0.1, .max_iterations = 50, .value_tolerance = 1e-5}}},
};

/// The samples twice, so that there are twins on different ranks.
std::vector<Sample> samples_of(const Case& given) {
  auto samples = random_samples(17, given.columns, 5, given.directed);
  for (std::size_t s = 0; s < 17; s += 2) samples.push_back(samples[s]);
  return samples;
}

void expect_share_of(const Learned& whole, const Learned& part, std::size_t first) {
  EXPECT_EQ(part.atom.structure, whole.atom.structure);
  EXPECT_EQ(part.atom.features, whole.atom.features);
  EXPECT_EQ(part.loss, whole.loss);
  EXPECT_EQ(part.losses, whole.losses);
  EXPECT_EQ(part.epochs, whole.epochs);
  EXPECT_EQ(part.status, whole.status);
  EXPECT_EQ(part.embedding,
            Matrix(whole.embedding.middleRows(static_cast<Index>(first), part.embedding.rows())));
  for (std::size_t s = 0; s < part.values.size(); ++s) {
    EXPECT_EQ(part.values[s], whole.values[first + s]);
    EXPECT_EQ(part.plans[s].dense(), whole.plans[first + s].dense());
  }
}

TEST(LearningOnRanks, GivesTheBitsOfOneProcess) {
  for (const Case& given : cases) {
    SCOPED_TRACE(given.name);
    const auto samples = samples_of(given);
    const Learned whole = learn(samples, 9, given.projection, given.learner, {.seed = 3});
    for (const int count : {1, 2, 3, 4}) {
      SCOPED_TRACE(count);
      on_ranks(count, [&](Ranks& ranks) {
        const auto own = share_of(samples, ranks);
        const srgw::Run run{.threads = 1 + ranks.rank() % 2, .seed = 3, .ranks = &ranks};
        expect_share_of(whole, learn(own, 9, given.projection, given.learner, run),
                        static_cast<std::size_t>(own.data() - samples.data()));
      });
    }
  }
}

TEST(LearningOnRanks, ResumesOnAnotherNumberOfRanks) {
  const auto file = std::filesystem::temp_directory_path() / "srgw_ranks_test.npz";
  for (const Case& given : {cases[0], cases[5]}) {
    SCOPED_TRACE(given.name);
    const auto samples = samples_of(given);
    const Learned whole = learn(samples, 5, given.projection, given.learner, {.seed = 3});
    Learning alone(samples, 5, given.projection, given.learner, {.seed = 3});
    for (int b = 0; b < 9; ++b) alone.advance();
    alone.checkpoint().write(file);
    for (const int count : {3, 2, 4, 1}) {
      SCOPED_TRACE(count);
      on_ranks(count, [&](Ranks& ranks) {
        const auto own = share_of(samples, ranks);
        const srgw::Run run{.threads = 1, .seed = 3, .ranks = &ranks};
        Learning learning(own, 5, given.projection, given.learner, run);
        learning.resume(
            io::Archive::read(file, Learning::checkpoint_kind, Learning::checkpoint_version));
        for (int b = 0; b < 3; ++b) learning.advance();
        const io::Archive checkpoint = learning.checkpoint();
        std::int64_t all_read = 1;
        ranks.sum(std::span(&all_read, 1));
        if (ranks.first()) checkpoint.write(file);
        expect_share_of(whole, finish(learning, run),
                        static_cast<std::size_t>(own.data() - samples.data()));
      });
    }
  }
  std::filesystem::remove(file);
}

TEST(LearningOnRanks, StopsWhereverOneRankIsTold) {
  const auto samples = random_samples(12, 0);
  on_ranks(3, [&](Ranks& ranks) {
    Learning learning(share_of(samples, ranks), 3, {}, ClosedForm{.batch = 4}, {.ranks = &ranks});
    int batches = 0;
    const Learned learned =
        finish(learning, {.ranks = &ranks}, [&] { return !(ranks.rank() == 1 && ++batches == 2); });
    EXPECT_EQ(learned.status, Status::interrupted);
  });
}

TEST(LearningOnRanks, NamesABadGraphByItsNumberInTheDataset) {
  auto samples = random_samples(12, 0);
  samples[10].source.weights[0] += 1;
  test::expect_error(
      [&] {
        on_ranks(2, [&](Ranks& ranks) {
          try {
            const Learning learning(share_of(samples, ranks), 3, {}, ClosedForm{},
                                    {.ranks = &ranks});
          } catch (const Error&) {
            throw;
          } catch (const std::runtime_error&) {  // what the other rank hears of it
          }
        });
        return 0;
      },
      "weights of graph 10 sum to 2, expected numbers >= 0 with sum 1");
}

TEST(FixedSums, AreTheSumsOfAllPlans) {
  for (const bool directed : {false, true}) {
    const auto samples = random_samples(30, 2, 4, directed);
    detail::AtomSums expected(6, 2);
    detail::SumBounds bounds{.graphs = 30};
    std::vector<Plan> plans;
    for (std::size_t s = 0; s < samples.size(); ++s) {
      const auto& [structure, h] = samples[s].source;
      plans.push_back(test::random_plan(h, 6, test::PlanStorage::dense, s));
      expected.add_plan(samples[s], plans[s]);
      bounds.include(structure.square_form(h), samples[s].features.rowwise().squaredNorm().dot(h));
    }
    detail::Shard shard(30);
    const detail::FixedSums zero(6, 2, bounds);
    const auto add = [&](Index item, int, detail::FixedSums& sums) {
      const auto s = static_cast<std::size_t>(item);
      sums.add_plan(samples[s], plans[s], 3);
      sums.add_plan(samples[s], plans[s], -2);
      sums.add_terms({.kappa = 0.5, .value = 2}, 1);
    };
    const detail::AtomSums sums = detail::sum_over(30, 2, zero, shard, add);
    EXPECT_LT((sums.cross - expected.cross).cwiseAbs().maxCoeff(), 1e-13);
    EXPECT_LT((sums.uses - expected.uses).cwiseAbs().maxCoeff(), 1e-13);
    EXPECT_LT((sums.masses - expected.masses).cwiseAbs().maxCoeff(), 1e-13);
    EXPECT_LT((sums.features - expected.features).cwiseAbs().maxCoeff(), 1e-13);
    EXPECT_EQ(sums.kappa, 15);
    EXPECT_EQ(sums.value, 60);
    EXPECT_EQ(sums.count, 30);
    EXPECT_EQ(sums.symmetric, !directed);

    // One plan instead of another: what is left of directed graphs is not symmetric.
    const Plan other =
        test::random_plan(samples[0].source.weights, 3, test::PlanStorage::labels, 9);
    Matrix wide = Matrix::Zero(other.rows(), 6);
    wide.leftCols(3) = other.dense();
    const Plan after = Plan::from_dense(samples[0].source.weights, wide);
    detail::AtomSums one(6, 2);
    one.add_plan(samples[0], after);
    one.add_plan(samples[0], plans[0], -1);
    const detail::AtomSums change =
        detail::sum_over(1, 1, zero, shard, [&](Index, int, detail::FixedSums& part) {
          part.replace_plan(samples[0], plans[0], after);
        });
    EXPECT_LT((change.cross - one.cross).cwiseAbs().maxCoeff(), 1e-15);
    EXPECT_LT((change.uses - one.uses).cwiseAbs().maxCoeff(), 1e-15);
    EXPECT_EQ(change.symmetric, !directed);
  }
}

}  // namespace
}  // namespace srgw
