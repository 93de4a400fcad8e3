// SPDX-License-Identifier: MIT
#include "completion/packed_forest.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "completion/forest.hpp"

namespace srgw::detail {

namespace {

constexpr std::size_t side_by_side = 16;  // rows

}  // namespace

PackedForest::PackedForest(const Forest& forest)
    : columns_(forest.columns), offset_(forest.offset), values_(forest.value) {
  const std::size_t count = forest.column.size();
  nodes_.reserve(count);
  for (std::size_t k = 0; k < count; ++k) {
    const bool leaf = forest.column[k] < 0;
    nodes_.push_back({leaf ? std::numeric_limits<double>::infinity() : forest.threshold[k],
                      leaf ? 0 : forest.column[k],
                      leaf ? static_cast<std::int32_t>(k) : forest.next[k]});
  }
  // Children stand behind their parents: from the last to the first, all below is known.
  std::vector<std::int32_t> depths(count, 0);
  for (std::size_t k = count; k-- > 0;) {
    if (forest.column[k] < 0) continue;
    const auto next = static_cast<std::size_t>(forest.next[k]);
    depths[k] = 1 + std::max(depths[next], depths[next + 1]);
  }
  for (const std::int32_t root : forest.roots) {
    trees_.push_back({root, depths[static_cast<std::size_t>(root)]});
  }
}

Vector PackedForest::logits(const Matrix& rows) const {
  const Index count = rows.rows();
  Vector sums = Vector::Constant(count, offset_);
  std::array<const double*, side_by_side> row{};
  std::array<std::int32_t, side_by_side> at{};
  for (Index first = 0; first < count; first += static_cast<Index>(side_by_side)) {
    const auto here = std::min(side_by_side, static_cast<std::size_t>(count - first));
    for (std::size_t r = 0; r < side_by_side; ++r) {  // the last ones stand in for those missing
      row[r] = rows.row(first + static_cast<Index>(std::min(r, here - 1))).data();
    }
    for (const auto& [root, depth] : trees_) {
      at.fill(root);
      for (std::int32_t step = 0; step < depth; ++step) {
        for (std::size_t r = 0; r < side_by_side; ++r) {
          const Node& node = nodes_[static_cast<std::size_t>(at[r])];
          at[r] = node.next + static_cast<std::int32_t>(row[r][node.column] > node.threshold);
        }
      }
      for (std::size_t r = 0; r < here; ++r) {
        sums[first + static_cast<Index>(r)] += values_[static_cast<std::size_t>(at[r])];
      }
    }
  }
  return sums.cwiseMax(-largest_logit).cwiseMin(largest_logit);
}

}  // namespace srgw::detail
