// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "dictionary/shard.hpp"
#include "srgw/samples.hpp"

namespace srgw::detail {

/// Graphs as solvers see them that start from a product: nodes of one colour of the coarsest
/// equitable partition keep equal rows in every step (of all rows at once), so each colour is made
/// one node with the mass of all, and graphs with the same colours are one graph.
/// With C^_ab = sum_ij h_i h_j C_ij / (h_a h_b) over nodes i, j of colours a, b, sums T'C T, T'F
/// and q are those of the graph, and values differ by alpha times a constant.
/// A group is where its first graph is, so those of a rank have consecutive numbers.
class Twins {
 public:
  Twins() = default;
  Twins(std::span<const Sample> samples, int threads, Shard& shard);

  struct Group {
    Sample sample;            ///< with a node for each colour
    double constant = 0;      ///< what h'(C o C)h of the graph is above that of the sample
    std::int64_t graphs = 0;  ///< how many of all ranks are like this
  };
  /// Those of this rank.
  [[nodiscard]] const std::vector<Group>& groups() const { return groups_; }
  [[nodiscard]] std::size_t first() const { return first_; }  ///< number of the first of them
  [[nodiscard]] bool has(std::size_t group) const {
    return group >= first_ && group < first_ + groups_.size();
  }
  /// The number of the group of any graph of any rank.
  [[nodiscard]] std::size_t group_of(std::size_t graph) const { return group_of_[graph]; }

 private:
  std::vector<Group> groups_;
  std::size_t first_ = 0;
  std::vector<std::size_t> group_of_;
};

}  // namespace srgw::detail
