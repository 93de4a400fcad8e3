// SPDX-License-Identifier: MIT
#include "completion/packed_forest.hpp"

#include "completion/forest.hpp"

namespace srgw::detail {

namespace {

constexpr std::size_t most_leaves = 64;

}  // namespace

PackedForest::PackedForest(const Forest& forest) : forest_(forest) {
  for (const std::int32_t root : forest.roots) {
    const std::size_t first_leaf = leaves_.size();
    packed_ = packed_ && add_node(root, first_leaf);
    trees_.push_back({tests_.size(), first_leaf});
  }
}

bool PackedForest::add_node(std::size_t node, std::size_t first_leaf) {
  if (forest_.column[node] < 0) {
    leaves_.push_back(forest_.value[node]);
    return leaves_.size() - first_leaf <= most_leaves;
  }
  const std::size_t next = forest_.next[node];
  const std::size_t from = leaves_.size() - first_leaf;
  if (!add_node(next, first_leaf)) return false;
  const std::size_t to = leaves_.size() - first_leaf;
  if (to == most_leaves) return false;  // there are some on the right, too
  const std::uint64_t on_left = ((std::uint64_t{1} << (to - from)) - 1) << from;
  tests_.push_back({forest_.threshold[node], forest_.column[node], ~on_left});
  return add_node(next + 1, first_leaf);
}

Vector PackedForest::logits(const Matrix& rows) const {
  const Index count = rows.rows();
  Vector sums;
  if (packed_) {
    const Index stride = (count + forest_lanes - 1) / forest_lanes * forest_lanes;
    Matrix columns = Matrix::Zero(forest_.columns, stride);
    columns.leftCols(count) = rows.transpose();
    sums = Vector::Constant(stride, forest_.offset);
    add_trees({tests_, trees_, leaves_.data(), columns.data(), stride, sums.data()});
    sums.conservativeResize(count);
  } else {
    sums.resize(count);
    for (Index r = 0; r < count; ++r) sums[r] = logit(forest_, rows.row(r).data());
  }
  return sums.cwiseMax(-largest_logit).cwiseMin(largest_logit);
}

}  // namespace srgw::detail
