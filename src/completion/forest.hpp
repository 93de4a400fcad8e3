// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "kernels/forest_pass.hpp"
#include "srgw/completion.hpp"

namespace srgw::detail {

/// Sums of trees are kept within this, so that no probability is 0 or 1.
inline constexpr double largest_logit = 12;

/// Rows to learn a probability from.
struct LabelledRows {
  Matrix rows;
  Vector shares;            ///< of edges, in [0, 1]
  Vector weights;           ///< of the rows
  std::vector<bool> aside;  ///< rows that only say when to stop
};

struct Boosting {
  int rounds = 300;
  double learning_rate = 0.1;
  int leaves = 12;
  double least_weight = 20;  ///< of the rows at a leaf, whose mean weight is 1
  double damping = 5;        ///< added to the curvature of a leaf
  double columns = 0.3;      ///< share of the columns that a tree may read, others each time
  int threads = 1;
  std::function<void()> on_tree = {};  ///< called after each tree
};

struct Grown {
  Forest forest;       ///< of all rows
  Vector predictions;  ///< logits of the rows kept aside, by a forest of the others
};

/// Gradient boosting with the logistic loss on histograms. The number of trees is that with the
/// least loss on rows aside; without such rows all rounds are made. The result does not depend on
/// the threads.
[[nodiscard]] Grown grow_forest(const LabelledRows& data, const Boosting& options);

[[nodiscard]] double logit(const Forest& forest, const double* row);
[[nodiscard]] inline double probability(double logit) { return 1 / (1 + std::exp(-logit)); }

/// The trees of a forest, laid out so that many rows are asked about at once. The forest stays
/// where it is.
class PackedForest {
 public:
  explicit PackedForest(const Forest& forest);

  /// logit() of each of the rows.
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
