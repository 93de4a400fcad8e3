// SPDX-License-Identifier: MIT
#include "srgw/completion.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"
#include "baselines/gdl/unmixer.hpp"
#include "completion/free_entries.hpp"
#include "completion/label_search.hpp"
#include "dictionary/adam.hpp"
#include "dictionary/projector.hpp"
#include "support/cases.hpp"
#include "support/expect_error.hpp"
#include "support/random_problem.hpp"
#include "support/samples.hpp"

namespace srgw {
namespace {

using test::expect_error;
using test::random_matrix;
using test::random_samples;
using test::reference_case;
using test::to_matrix;
using test::to_vector;

/// Case 14: three of four nodes are seen, with a plan onto three target nodes.
struct ReferenceCase {
  const nlohmann::json& data = reference_case("14_completion_gradient");
  Matrix C = to_matrix(data["C"]), F = to_matrix(data["features"]);
  Atom atom{to_matrix(data["Cbar"]), to_matrix(data["features_bar"])};
  Plan plan = Plan::from_dense(to_vector(data["h"]), to_matrix(data["T"]));
  PartialGraph graph = half_seen(C.topLeftCorner(3, 3), F.topRows(3), 4);
};

TEST(FreeEntries, GiveTheGradientsOfTheReference) {
  const ReferenceCase given;
  const detail::FreeEntries entries(given.graph, given.atom);
  const auto gradient = entries.gradient({given.C, given.F}, given.plan);
  EXPECT_LT((gradient.structure - to_matrix(given.data["gradient"])).cwiseAbs().maxCoeff(), 1e-14);
  const Matrix expected = to_matrix(given.data["feature_gradient_over_1_minus_alpha"]);
  EXPECT_LT((gradient.features - expected).cwiseAbs().maxCoeff(), 1e-14);
}

TEST(FreeEntries, FirstStepOfAdamIsThatOfTheReference) {
  const ReferenceCase given;
  const detail::FreeEntries entries(given.graph, given.atom);
  const auto gradient = entries.gradient({given.C, given.F}, given.plan);
  detail::AdamMoments moments(4, 2);
  Atom point{given.C, given.F};
  detail::adam_step({.learning_rate = 0.01}, {gradient.structure, gradient.features}, true, moments,
                    point);
  const Matrix expected = to_matrix(given.data["after_one_adam_step_lr_0_01"]);
  EXPECT_LT((point.structure - expected).cwiseAbs().maxCoeff(), 1e-12);
}

/// A directed graph with free entries here and there, an asymmetric atom, and a soft plan.
struct RandomCase {
  detail::Random random{5, 0};
  Matrix C = random_matrix(6, 6, random), F = random_matrix(6, 2, random);
  Atom atom{random_matrix(4, 4, random), random_matrix(4, 2, random)};
  PartialGraph graph = half_seen(C.topLeftCorner(4, 4), F.topRows(4), 6);
  Plan plan;
  double alpha = 0.3;

  explicit RandomCase(bool symmetric) {
    if (symmetric) {
      C = (C + C.transpose()).eval();
      graph = half_seen(C.topLeftCorner(4, 4), F.topRows(4), 6);
    }
    graph.free(0, 2) = graph.free(2, 0) = 1;
    graph.free_features(1, 0) = 1;
    Matrix T = random_matrix(6, 4, random).cwiseAbs();
    for (Index i = 0; i < 6; ++i) T.row(i) /= 6 * T.row(i).sum();
    plan = Plan::from_dense(Vector::Constant(6, 1.0 / 6), T);
  }

  [[nodiscard]] double value_at(const detail::FilledGraph& point) const {
    const Structure source = Structure::dense(point.structure);
    const Structure target = Structure::dense(atom.structure);
    Matrix cost(6, 4);
    for (Index i = 0; i < 6; ++i) {
      for (Index k = 0; k < 4; ++k) {
        cost(i, k) = (point.features.row(i) - atom.features.row(k)).squaredNorm();
      }
    }
    const Vector h = Vector::Constant(6, 1.0 / 6);
    Problem problem{.source = source, .weights = h, .target = target};
    problem.features.emplace(FusedTerm{cost, alpha});
    return value(problem, plan).total();
  }
};

TEST(FreeEntries, GradientsAreFiniteDifferencesOfTheValue) {
  const RandomCase given(false);
  const detail::FreeEntries entries(given.graph, given.atom);
  EXPECT_FALSE(entries.symmetric());
  const detail::FilledGraph point{given.C, given.F};
  const auto gradient = entries.gradient(point, given.plan);
  constexpr double step = 0.25;  // the value is quadratic
  int free = 0;
  for (Index e = 0; e < 36; ++e) {
    if (given.graph.free.data()[e] == 0) {
      EXPECT_EQ(gradient.structure.data()[e], 0);
      continue;
    }
    auto above = point, below = point;
    above.structure.data()[e] += step;
    below.structure.data()[e] -= step;
    const double slope = (given.value_at(above) - given.value_at(below)) / (2 * step);
    EXPECT_NEAR(given.alpha * gradient.structure.data()[e], slope, 1e-11);
    ++free;
  }
  EXPECT_EQ(free, 36 - 16 + 2);
  for (Index e = 0; e < 12; ++e) {
    if (given.graph.free_features.data()[e] == 0) continue;
    auto above = point, below = point;
    above.features.data()[e] += step;
    below.features.data()[e] -= step;
    const double slope = (given.value_at(above) - given.value_at(below)) / (2 * step);
    EXPECT_NEAR((1 - given.alpha) * gradient.features.data()[e], slope, 1e-11);
  }
}

class BestEntries : public testing::TestWithParam<bool> {};

TEST_P(BestEntries, AreLowerThanAllNeighbours) {
  const RandomCase given(GetParam());
  const detail::FreeEntries entries(given.graph, given.atom);
  EXPECT_EQ(entries.symmetric(), GetParam());
  detail::FilledGraph best{given.C, given.F};
  entries.set_best(given.plan, best);
  const double least = given.value_at(best);
  for (Index i = 0; i < 6; ++i) {
    for (Index j = 0; j < 6; ++j) {
      if (given.graph.free(i, j) == 0) {
        EXPECT_EQ(best.structure(i, j), given.C(i, j));
        continue;
      }
      for (const double change : {-0.1, 0.1}) {
        auto other = best;
        other.structure(i, j) += change;
        if (GetParam() && i != j) other.structure(j, i) += change;
        EXPECT_GT(given.value_at(other), least);
      }
    }
  }
  for (Index e = 0; e < 12; ++e) {
    if (given.graph.free_features.data()[e] == 0) continue;
    for (const double change : {-0.1, 0.1}) {
      auto other = best;
      other.features.data()[e] += change;
      EXPECT_GT(given.value_at(other), least);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(DirectedAndNot, BestEntries, testing::Bool());

/// Graphs with their last two nodes hidden, and an atom learned from all of them.
struct Learnable {
  std::vector<Sample> samples;
  Dictionary dictionary;

  Learnable(Index columns, const Projection& projection)
      : samples(random_samples(20, columns, 3)), dictionary{{}, projection} {
    dictionary.atoms.push_back(learn(samples, 5, projection, {}, {.threads = 1}).atom);
  }
  [[nodiscard]] PartialGraph hidden(std::size_t s) const {
    const Matrix C = samples[s].source.structure.dense();
    const Matrix& F = samples[s].features;
    const Index seen = C.rows() - 2;
    return half_seen(C.topLeftCorner(seen, seen), F.cols() > 0 ? Matrix(F.topRows(seen)) : Matrix(),
                     C.rows());
  }
};

struct Variant {
  const char* name;
  Index columns;
  Projection projection;
};
void PrintTo(const Variant& variant, std::ostream* out) { *out << variant.name; }

class AllVariants : public testing::TestWithParam<Variant> {};

void expect_only_free_entries_filled(const PartialGraph& graph, const Completion& done) {
  ASSERT_TRUE(done.structure.allFinite() && done.features.allFinite());
  EXPECT_TRUE(std::isfinite(done.value));
  EXPECT_EQ(done.structure, done.structure.transpose());
  for (Index e = 0; e < graph.structure.size(); ++e) {
    const double p = done.probabilities.data()[e];
    if (graph.free.data()[e] == 0) {
      EXPECT_EQ(done.structure.data()[e], graph.structure.data()[e]);
    } else {
      EXPECT_TRUE(p >= 0 && p <= 1);
    }
  }
  for (Index e = 0; e < graph.features.size(); ++e) {
    if (graph.free_features.data()[e] == 0) {
      EXPECT_EQ(done.features.data()[e], graph.features.data()[e]);
    }
  }
}

const CompletionMethod both_methods[] = {Alternation{}, ProjectedAdam{.max_iterations = 50}};

TEST_P(AllVariants, KeepWhatIsKnownAndGiveFiniteNumbers) {
  const Learnable given(GetParam().columns, GetParam().projection);
  for (std::size_t s = 0; s < 4; ++s) {
    const PartialGraph graph = given.hidden(s);
    for (const CompletionMethod& method : both_methods) {
      expect_only_free_entries_filled(graph, complete(given.dictionary, graph, method));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    OfTheDivergence, AllVariants,
    testing::Values(Variant{"srgw", 0, {}}, Variant{"srfgw", 2, {}},
                    Variant{"sparse", 0, {.sparsity = 0.01}},
                    Variant{"entropic", 0, {.method = MirrorDescent{.epsilon = 0.05}}},
                    Variant{"entropic_sparse_fused",
                            2,
                            {.sparsity = 0.01, .method = MirrorDescent{.epsilon = 0.05}}}));

TEST(Alternation, NeverGoesUp) {
  const Learnable given(2, {});
  for (std::size_t s = 0; s < given.samples.size(); ++s) {
    const Completion done = complete(given.dictionary, given.hidden(s));
    EXPECT_EQ(done.status, Status::converged);
    for (std::size_t t = 1; t < done.values.size(); ++t) {
      EXPECT_LE(done.values[t], done.values[t - 1] + 1e-12);
    }
    EXPECT_NEAR(done.value, done.values.back(), 1e-12);
  }
}

TEST(Alternation, EndsAtOrBelowAdamInNearlyAllCases) {
  int cases = 0, lower = 0;
  for (const Index columns : {Index{0}, Index{2}}) {
    const Learnable given(columns, {});
    for (std::size_t s = 0; s < given.samples.size(); ++s) {
      for (const CompletionStart start : {CompletionStart::noise, CompletionStart::degrees}) {
        const PartialGraph graph = given.hidden(s);
        const double closed = complete(given.dictionary, graph, Alternation{.start = start}).value;
        const double adam =
            complete(given.dictionary, graph, ProjectedAdam{.start = start, .max_iterations = 500})
                .value;
        lower += static_cast<int>(closed <= adam * (1 + 1e-9));
        ++cases;
      }
    }
  }
  EXPECT_EQ(cases, 80);
  EXPECT_GE(lower, 76);
}

/// alpha E + (1 - alpha) L of a hard plan, by the definition.
double hard_value(const Matrix& C, const Matrix& F, const Atom& atom, double alpha,
                  const Assignment& labels) {
  const auto n = static_cast<double>(C.rows());
  double structure = 0, features = 0;
  for (Index i = 0; i < C.rows(); ++i) {
    const NodeId k = labels[static_cast<std::size_t>(i)];
    for (Index j = 0; j < C.cols(); ++j) {
      structure += std::pow(C(i, j) - atom.structure(k, labels[static_cast<std::size_t>(j)]), 2);
    }
    if (F.cols() > 0) features += (F.row(i) - atom.features.row(k)).squaredNorm();
  }
  if (F.cols() == 0) return structure / (n * n);
  return alpha * structure / (n * n) + (1 - alpha) * features / n;
}

class LabelSearches : public testing::TestWithParam<std::tuple<bool, Index>> {};

TEST_P(LabelSearches, EndWhereNoRowCanMoveAndSayTheirValue) {
  const auto [symmetric, columns] = GetParam();
  detail::Random random(11, 0);
  Matrix C = random_matrix(7, 7, random), B = random_matrix(4, 4, random);
  if (symmetric) {
    C = (C + C.transpose()).eval();
    B = (B + B.transpose()).eval();
  }
  const Matrix F = random_matrix(7, columns, random);
  const Atom atom{B, random_matrix(4, columns, random)};
  detail::LabelSearch search(C, F, atom, 0.4);
  Assignment labels{0, 1, 2, 3, 0, 1, 2};
  const double value = search.descend(labels);
  EXPECT_NEAR(value, hard_value(C, F, atom, 0.4, labels), 1e-12);
  for (std::size_t i = 0; i < 7; ++i) {
    for (NodeId k = 0; k < 4; ++k) {
      Assignment other = labels;
      other[i] = k;
      EXPECT_GE(hard_value(C, F, atom, 0.4, other), value - 1e-12);
    }
  }
  // All 4^7 plans: many descents find the best of them.
  double least = value;
  for (int code = 0; code < 1 << 14; ++code) {
    Assignment any(7);
    for (std::size_t i = 0; i < 7; ++i) any[i] = static_cast<NodeId>((code >> (2 * i)) & 3);
    least = std::min(least, hard_value(C, F, atom, 0.4, any));
  }
  const Assignment best = search.best({}, 200, random);
  EXPECT_NEAR(hard_value(C, F, atom, 0.4, best), least, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Kinds, LabelSearches,
                         testing::Combine(testing::Bool(), testing::Values(0, 2)));

// For a hard plan the hidden part costs nothing: the value is that of the seen graph, scaled.
TEST(Alternation, ReachesTheValueOfTheSeenGraph) {
  const Learnable given(0, {});
  const Atom& atom = given.dictionary.atoms[0];
  detail::Projector projector({}, 1);
  projector.set_atom(atom);
  double reached = 0,
         soft = 0;  // of all graphs; plans of the solver may be soft, and lower for one
  for (std::size_t s = 0; s < given.samples.size(); ++s) {
    const PartialGraph graph = given.hidden(s);
    const Index seen = graph.size() - 2;
    const Matrix C = graph.structure.topLeftCorner(seen, seen);
    detail::Random random(1, s);
    const Assignment labels = detail::LabelSearch(C, {}, atom, 1).best({}, 40, random);
    const double value = hard_value(C, {}, atom, 1, labels);
    const double share = static_cast<double>(seen) / static_cast<double>(graph.size());
    const Alternation patient{.random_starts = 80};
    EXPECT_LE(complete(given.dictionary, graph, patient).value, share * share * value + 1e-9);
    const Sample part{{Structure::dense(C), Vector::Constant(seen, 1 / static_cast<double>(seen))},
                      {}};
    reached += complete(given.dictionary, graph).value;
    soft += share * share * projector.best(0, part, {.random = 8, .seed = 0, .item = 2}).value;
  }
  EXPECT_LE(reached, soft);
}

class Mixtures : public testing::TestWithParam<Index> {
 protected:
  Learnable given{GetParam(), {}};
  LinearDictionary mixtures =
      learn(given.samples, Unmixing{}, 3, 6, {.epochs = 3}, {.threads = 1}).model;
};

TEST_P(Mixtures, KeepWhatIsKnownAndGiveFiniteNumbers) {
  for (std::size_t s = 0; s < 4; ++s) {
    const PartialGraph graph = given.hidden(s);
    for (const CompletionMethod& method : both_methods) {
      expect_only_free_entries_filled(graph, complete(mixtures, graph, method));
    }
  }
}

TEST_P(Mixtures, NeverGoUpByTurns) {
  for (std::size_t s = 0; s < given.samples.size(); ++s) {
    const Completion done = complete(mixtures, given.hidden(s));
    for (std::size_t t = 1; t < done.values.size(); ++t) {
      EXPECT_LE(done.values[t], done.values[t - 1] + 1e-12);
    }
  }
}

TEST_P(Mixtures, UnmixedFromWhereTheyEndedGoNoHigher) {
  detail::Unmixer unmixer(1);
  unmixer.set_dictionary(mixtures);
  for (const Sample& sample : given.samples) {
    const Unmixed cold = unmixer.unmix(0, sample).unmixed;
    const Unmixed warm = unmixer.unmix(0, sample, {cold.shares, cold.plan}).unmixed;
    EXPECT_LE(warm.value, cold.value + 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(WithAndWithoutFeatures, Mixtures, testing::Values(0, 2));

TEST(MixtureCompletion, RefusesGraphsWithOtherColumns) {
  const Learnable given(0, {}), other(2, {});
  const LinearDictionary mixtures =
      learn(given.samples, Unmixing{}, 2, 5, {.epochs = 1}, {.threads = 1}).model;
  expect_error([&] { static_cast<void>(complete(mixtures, other.hidden(0))); },
               "the graph has 2 feature columns, but the model has no features");
}

TEST(CompletionStart, IsWhatTheReferencesSay) {
  Matrix C = Matrix::Zero(3, 3);
  C(0, 1) = C(1, 0) = C(1, 2) = C(2, 1) = 1;
  const PartialGraph graph = half_seen(C, 5);
  const Matrix noise = detail::fill_at_start(graph, CompletionStart::noise, 7).structure;
  EXPECT_NEAR(noise(0, 3), 0.5, 0.05);
  EXPECT_NE(noise(0, 3), 0.5);
  EXPECT_EQ(noise(3, 3), 0);
  const Matrix degrees = detail::fill_at_start(graph, CompletionStart::degrees, 7).structure;
  EXPECT_EQ(degrees(0, 3), 0.5);
  EXPECT_EQ(degrees(4, 1), 1);
  EXPECT_EQ(degrees(3, 4), 0.5);
  EXPECT_EQ(degrees(4, 4), 0.5);
  for (const auto& row : names_of(CompletionStart{})) {
    const Matrix start = detail::fill_at_start(graph, row.value, 7).structure;
    EXPECT_EQ(from_name<CompletionStart>(row.name, "start"), row.value);
    EXPECT_EQ(start, start.transpose());
    EXPECT_EQ(start.topLeftCorner(3, 3), C);
    EXPECT_GE(start.minCoeff(), 0);
  }
  const Matrix shaken = detail::fill_at_start(graph, CompletionStart::shaken_degrees, 7).structure;
  EXPECT_LE((shaken - degrees).cwiseAbs().maxCoeff(), 0.1 * 0.5);
  EXPECT_GT((shaken - degrees).cwiseAbs().maxCoeff(), 0);
}

TEST(Completion, RefusesWhatIsMalformed) {
  const Matrix C = Matrix::Zero(3, 3), F = Matrix::Zero(3, 2);
  const Dictionary plain{{.atoms = {{Matrix::Ones(2, 2)}}}};
  expect_error([&] { return half_seen(C, 2); },
               "the whole graph has 2 nodes, expected 3 or more, which are seen");
  expect_error([&] { return complete(plain, half_seen(Matrix(0, 0), 4)); },
               "no pair of nodes is known: nothing was observed, expected two nodes or more");
  expect_error([&] { return complete(plain, half_seen(C, F, 4)); },
               "the graph has 2 feature columns, but the model has no features");
  PartialGraph broken = half_seen(C, 4);
  broken.structure(1, 2) = std::nan("");
  expect_error([&] { return complete(plain, broken); },
               "entry (1, 2) is nan, expected a finite number");
  expect_error([] { return from_name<CompletionStart>("ones", "start"); },
               "start 'ones', expected one of: noise, degrees, noisy-degrees, shaken-degrees");
}

}  // namespace
}  // namespace srgw
