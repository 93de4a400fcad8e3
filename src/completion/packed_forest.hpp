// SPDX-License-Identifier: MIT
#pragma once

#include "srgw/completion_model.hpp"

namespace srgw::detail {

/// The trees of a forest, laid out so that many rows go down them side by side: no branch has to be
/// guessed, and a tree is read once for all of them.
class PackedForest {
 public:
  explicit PackedForest(const Forest& forest);

  /// What logit() says about each of the rows.
  [[nodiscard]] Vector logits(const Matrix& rows) const;

  [[nodiscard]] Index columns() const { return columns_; }

 private:
  struct Node {
    double threshold;           // infinite at leaves, which lead to themselves
    std::int32_t column, next;  // as in Forest
  };
  struct Tree {
    std::int32_t root, depth;
  };

  Index columns_;
  double offset_;
  std::vector<Node> nodes_;
  std::vector<double> values_;
  std::vector<Tree> trees_;
};

}  // namespace srgw::detail
