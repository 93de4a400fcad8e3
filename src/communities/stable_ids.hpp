// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "srgw/types.hpp"

namespace srgw::detail {

/// How many nodes a cluster shares with a group.
struct Overlap {
  NodeId cluster = 0, group = 0;
  std::int64_t nodes = 0;
};

/// Each cluster gets at most one group and each group at most one cluster, so that they share as
/// many nodes as possible in all (the assignment problem, solved exactly); of equals, so that the
/// sum of the group numbers is smallest. Pairs are listed once each and share at least one node.
/// Where it is stopped, clusters that are left take free groups, the largest overlap first.
struct GroupMatching {
  std::vector<std::int64_t> group_of;  ///< of each cluster, or -1
  bool exact = true;                   ///< it was not stopped
};
[[nodiscard]] GroupMatching match_by_overlap(std::size_t clusters, std::size_t groups,
                                             const std::vector<Overlap>& overlaps);

/// The id of each cluster: a given one (not no_id), else that of the previous cluster that it
/// matches, else a fresh one above all ids, in the order of the clusters. Labels are below
/// `given.size()`; `previous` has the id of each node or no_id.
struct StableIds {
  std::vector<std::int64_t> ids;
  bool exact = true;  ///< they match as many nodes as possible
};
[[nodiscard]] StableIds stable_ids(const Assignment& labels,
                                   const std::vector<std::int64_t>& previous,
                                   const std::vector<std::int64_t>& given);

}  // namespace srgw::detail
