// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "srgw/samples.hpp"

namespace srgw::detail {

/// Graphs as solvers see them that start from a product: nodes of one colour of the coarsest
/// equitable partition keep equal rows in every step (of all rows at once), so each colour is made
/// one node with the mass of all, and graphs with the same colours are one graph (spec 2.4, 14).
/// With C^_ab = sum_ij h_i h_j C_ij / (h_a h_b) over nodes i, j of colours a, b, sums T'C T, T'F
/// and q are those of the graph, and values differ by alpha times a constant.
class Twins {
 public:
  Twins() = default;
  Twins(std::span<const Sample> samples, int threads);

  struct Group {
    Sample sample;        ///< with a node for each colour
    double constant = 0;  ///< what h'(C o C)h of the graph is above that of the sample
    double graphs = 0;    ///< how many are like this
  };
  [[nodiscard]] const std::vector<Group>& groups() const { return groups_; }
  [[nodiscard]] std::size_t group_of(std::size_t graph) const { return group_of_[graph]; }

 private:
  std::vector<Group> groups_;
  std::vector<std::size_t> group_of_;
};

}  // namespace srgw::detail
