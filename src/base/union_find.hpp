// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "srgw/types.hpp"

namespace srgw::detail {

/// Disjoint sets of numbered things; the root of a set is its first member.
class UnionFind {
 public:
  explicit UnionFind(std::size_t count) : parents_(count) {
    std::iota(parents_.begin(), parents_.end(), NodeId{0});
  }

  NodeId root(NodeId one) {
    while (parents_[one] != one) {
      parents_[one] = parents_[parents_[one]];  // halves the path on the way
      one = parents_[one];
    }
    return one;
  }

  void join(NodeId a, NodeId b) {
    a = root(a);
    b = root(b);
    parents_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<NodeId> parents_;
};

}  // namespace srgw::detail
