// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dictionary/fixed_sums.hpp"
#include "dictionary/shard.hpp"
#include "srgw/dictionary.hpp"

namespace srgw::detail {

/// What a learner knows about its graphs beforehand. kappa and squares are of this rank's graphs,
/// the rest is of those of all ranks.
struct TrainingSet {
  std::size_t graphs = 0;
  Index columns = 0;                   ///< of features
  std::vector<double> kappa, squares;  ///< h'(C o C)h and sum_i h_i |F_i|^2 of each graph
  SumBounds bounds;                    ///< of sums over all graphs
  bool non_negative = true;            ///< no structure has an entry below 0
  Atom mean_atom;                      ///< the mean entry and the mean features everywhere
  std::uint64_t fingerprint = 0;       ///< of all numbers
};

/// Throws, with the number of the graph, when there is nothing to learn from it.
[[nodiscard]] TrainingSet checked_training_set(std::span<const Sample> samples, Index size,
                                               const Projection& projection, Shard& shard);
/// The training set of one process, which has all graphs.
[[nodiscard]] TrainingSet checked_training_set(std::span<const Sample> samples, Index size,
                                               const Projection& projection);
/// Whether no entry is below 0; false where entries are out of reach.
[[nodiscard]] bool is_non_negative(const Structure& structure);
void check_size(Index size);
void check_projection(const Projection& projection);

}  // namespace srgw::detail
