// SPDX-License-Identifier: MIT
#include "srgw/dictionary.hpp"

#include <gtest/gtest.h>

#include "support/samples.hpp"
#include "support/thread_ranks.hpp"

namespace srgw {
namespace {

TEST(FusedTerms, AreWhatTheBestAtomOfOneNodeCosts) {
  const std::vector<Sample> samples = test::random_samples(7, 3);
  const FusedTerms terms = fused_terms(samples, 3);
  // On one node all plans are the same: the entry and the features of the best are means.
  double entry = 0;
  Vector centre = Vector::Zero(3);
  for (const Sample& sample : samples) {
    const Vector& h = sample.source.weights;
    entry += h.dot(sample.source.structure.dense() * h) / 7;
    centre += sample.features.transpose() * h / 7;
  }
  for (const double alpha : {0.0, 0.3, 1.0}) {
    const Dictionary best{{.atoms = {{Matrix::Constant(1, 1, entry), centre.transpose()}},
                           .features = {.take = NodeFeatures::attributes, .attributes = 3}},
                          {.alpha = alpha}};
    EXPECT_NEAR(embed(best, samples).mean_value,
                alpha * terms.structure + (1 - alpha) * terms.features, 1e-12);
  }
  const double balanced = terms.balanced_alpha();
  EXPECT_NEAR(balanced * terms.structure, (1 - balanced) * terms.features, 1e-12);
}

TEST(FusedTerms, WithoutFeaturesAreThoseOfTheStructure) {
  const std::vector<Sample> samples = test::random_samples(4, 0);
  const FusedTerms terms = fused_terms(samples, 0);
  EXPECT_GT(terms.structure, 0);
  EXPECT_EQ(terms.features, 0);
  EXPECT_EQ(terms.balanced_alpha(), 0.5);
  EXPECT_EQ(drowned_term(terms, 0.5), "");
  EXPECT_EQ(fused_terms({}, 3).structure, 0);
}

TEST(FusedTerms, OfRanksAreThoseOfAllGraphs) {
  const std::vector<Sample> samples = test::random_samples(9, 2);
  const FusedTerms whole = fused_terms(samples, 2);
  test::on_ranks(4, [&](Ranks& ranks) {  // of which the first has no graphs
    const std::size_t starts[] = {0, 0, 2, 3, 9};
    const std::size_t first = starts[ranks.rank()], last = starts[ranks.rank() + 1];
    const FusedTerms part = fused_terms(std::span(samples).subspan(first, last - first), 2, &ranks);
    EXPECT_EQ(part.structure, whole.structure);
    EXPECT_EQ(part.features, whole.features);
  });
}

TEST(FusedTerms, TellWhichOfThemHardlyMatters) {
  const FusedTerms terms{.structure = 0.2, .features = 18};
  EXPECT_EQ(drowned_term(terms, 0.5),
            "with alpha 0.5 the features of the graphs weigh 90 times as much as the structure, "
            "which hardly matters then; alpha 0.989 would balance them");
  EXPECT_EQ(drowned_term(terms, 0.99), "");
  EXPECT_NE(drowned_term({.structure = 1e-5, .features = 2}, 0.5).find("; alpha 0.9999950 would"),
            std::string::npos);
  EXPECT_NE(drowned_term(terms, 0.9999).find("the structures of the graphs weigh"),
            std::string::npos);
  EXPECT_EQ(drowned_term(terms, 0), "");  // asked for
  EXPECT_EQ(drowned_term(terms, 1), "");
}

}  // namespace
}  // namespace srgw
