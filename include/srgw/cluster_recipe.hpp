// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "srgw/dictionary.hpp"
#include "srgw/samples.hpp"

namespace srgw {

/// How graphs become points for k-means when nothing else is asked for: what did best on the
/// generated datasets of docs/benchmarks.md.
struct ClusterRecipe {
  FeatureOptions features = {.standardisation = Standardisation::nodes};
  Index size = 10;  ///< nodes of an atom
  int atoms = 5;
  AtomStart start = AtomStart::descriptors;
  std::vector<Coordinate> coordinates = {Coordinate::weights};
  int random_starts = 3;       ///< of the embedding
  bool balanced_alpha = true;  ///< of FusedTerms, so that features and structures count alike
  RowScaling scaling = RowScaling::ranks;
};

}  // namespace srgw
