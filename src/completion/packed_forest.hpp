// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/forest_pass.hpp"
#include "srgw/completion.hpp"

namespace srgw::detail {

/// The trees of a forest, laid out so that many rows are asked about at once. The forest stays
/// where it is.
class PackedForest {
 public:
  explicit PackedForest(const Forest& forest);

  /// What logit() says about each of the rows.
  [[nodiscard]] Vector logits(const Matrix& rows) const;

  [[nodiscard]] const Forest& forest() const { return forest_; }
  [[nodiscard]] Index columns() const { return forest_.columns; }

 private:
  /// Adds leaves below the node, left to right, and its tests. False: the tree has too many.
  bool add_node(std::size_t node, std::size_t first_leaf);

  const Forest& forest_;
  bool packed_ = true;  // else rows go down the trees one by one
  std::vector<ForestTest> tests_;
  std::vector<ForestTree> trees_;
  std::vector<double> leaves_;
};

}  // namespace srgw::detail
