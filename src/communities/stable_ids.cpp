// SPDX-License-Identifier: MIT
#include "communities/stable_ids.hpp"

#include <algorithm>
#include <compare>
#include <limits>
#include <map>
#include <queue>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/stop.hpp"
#include "communities/anchors.hpp"

namespace srgw::detail {

namespace {

/// Costs that are compared by nodes first, then by group numbers.
struct Cost {
  std::int64_t nodes = 0, number = 0;

  friend auto operator<=>(const Cost&, const Cost&) = default;  // NOLINT(modernize-use-nullptr)
  friend Cost operator+(Cost a, Cost b) { return {a.nodes + b.nodes, a.number + b.number}; }
  friend Cost operator-(Cost a, Cost b) { return {a.nodes - b.nodes, a.number - b.number}; }
};
constexpr Cost unreached{std::numeric_limits<std::int64_t>::max() / 4, 0};
constexpr std::size_t few_overlaps = 10'000;  // matched in no time
constexpr std::size_t unmatched = std::numeric_limits<std::size_t>::max();

/// Shortest augmenting paths with potentials (Jonker and Volgenant 1987) on the pairs that share
/// nodes. Cluster c has a group of its own, groups + c, at cost 0: to stay without one. A search
/// ends at the first free group, so that it seldom looks at more than a few pairs.
class Matching {
 public:
  Matching(std::size_t clusters, std::size_t groups, const std::vector<Overlap>& overlaps)
      : groups_(groups),
        pairs_(clusters),
        potential_(clusters),
        price_(groups + clusters),
        group_of_(clusters, unmatched),
        cluster_of_(groups + clusters, unmatched),
        distance_(groups + clusters, unreached),
        from_(groups + clusters, unmatched),
        done_(groups + clusters, 0) {
    for (const auto& [cluster, group, nodes] : overlaps) {
      pairs_[cluster].push_back({group, {-nodes, static_cast<std::int64_t>(group)}});
    }
    for (std::size_t c = 0; c < clusters; ++c) {
      pairs_[c].push_back({groups + c, {}});
      potential_[c] = std::ranges::min_element(pairs_[c], {}, &Pair::cost)->cost;
    }
    const bool few = overlaps.size() <= few_overlaps;
    for (std::size_t c = 0; c < clusters; ++c) {
      if (augment(c, few)) continue;
      match_greedily(overlaps);  // an augmentation that is cut changes nothing
      break;
    }
  }

  [[nodiscard]] bool exact() const { return exact_; }

  [[nodiscard]] std::vector<std::int64_t> groups_of_clusters() const {
    std::vector<std::int64_t> result;
    for (const std::size_t group : group_of_) {
      result.push_back(group < groups_ ? static_cast<std::int64_t>(group) : -1);
    }
    return result;
  }

 private:
  struct Pair {
    std::size_t group;
    Cost cost;
  };
  using Reached = std::pair<Cost, std::size_t>;

  /// Clusters without a group take free ones, the largest overlap first.
  void match_greedily(std::vector<Overlap> overlaps) {
    exact_ = false;
    std::ranges::stable_sort(overlaps, std::ranges::greater{}, &Overlap::nodes);
    for (const auto& [cluster, group, nodes] : overlaps) {
      if (group_of_[cluster] != unmatched || cluster_of_[group] != unmatched) continue;
      group_of_[cluster] = group;
      cluster_of_[group] = cluster;
    }
  }

  /// Returns false where it is stopped, unless it may not be.
  bool augment(std::size_t start, bool to_the_end) {
    std::priority_queue<Reached, std::vector<Reached>, std::greater<>> queue;
    std::vector<std::size_t> touched, settled;
    const auto relax = [&](std::size_t cluster, Cost before) {
      for (const auto& [group, cost] : pairs_[cluster]) {
        if (done_[group] != 0) continue;
        const Cost reduced = before + (cost - potential_[cluster] - price_[group]);
        if (reduced >= distance_[group]) continue;
        if (distance_[group] == unreached) touched.push_back(group);
        distance_[group] = reduced;
        from_[group] = cluster;
        queue.emplace(reduced, group);
      }
    };
    relax(start, {});
    std::size_t end = unmatched;
    Cost length;
    while (end == unmatched) {  // its own group is free
      if (!to_the_end && settled.size() % 64 == 0 && stop_requested()) return false;
      const auto [distance, group] = queue.top();
      queue.pop();
      if (done_[group] != 0) continue;
      done_[group] = 1;
      settled.push_back(group);
      length = distance;
      if (cluster_of_[group] == unmatched) {
        end = group;
      } else {
        relax(cluster_of_[group], distance);
      }
    }
    potential_[start] = potential_[start] + length;
    for (const std::size_t group : settled) {
      const Cost slack = length - distance_[group];
      price_[group] = price_[group] - slack;
      if (cluster_of_[group] != unmatched) {
        potential_[cluster_of_[group]] = potential_[cluster_of_[group]] + slack;
      }
    }
    while (true) {
      const std::size_t cluster = from_[end];
      cluster_of_[end] = cluster;
      std::swap(end, group_of_[cluster]);
      if (cluster == start) break;
    }
    for (const std::size_t group : touched) {
      distance_[group] = unreached;
      done_[group] = 0;
    }
    return true;
  }

  std::size_t groups_;
  bool exact_ = true;
  std::vector<std::vector<Pair>> pairs_;
  std::vector<Cost> potential_, price_;
  std::vector<std::size_t> group_of_, cluster_of_;
  std::vector<Cost> distance_;
  std::vector<std::size_t> from_;
  std::vector<std::uint8_t> done_;
};

}  // namespace

GroupMatching match_by_overlap(std::size_t clusters, std::size_t groups,
                               const std::vector<Overlap>& overlaps) {
  const Matching found(clusters, groups, overlaps);
  return {found.groups_of_clusters(), found.exact()};
}

StableIds stable_ids(const Assignment& labels, const std::vector<std::int64_t>& previous,
                     const std::vector<std::int64_t>& given) {
  std::vector<std::int64_t> ids = given;
  std::int64_t next = 0;
  for (const std::int64_t id : ids) next = std::max(next, id + 1);
  // Previous ids become groups in ascending order; those that were given are taken.
  std::map<std::int64_t, NodeId> group_of;
  for (const std::int64_t id : previous) {
    next = std::max(next, id + 1);
    if (id != no_id) group_of.emplace(id, 0);
  }
  for (const std::int64_t id : given) group_of.erase(id);
  std::vector<std::int64_t> id_of;
  for (auto& [id, group] : group_of) {
    group = static_cast<NodeId>(id_of.size());
    id_of.push_back(id);
  }
  std::unordered_map<std::uint64_t, std::int64_t> shared;
  for (std::size_t i = 0; i < previous.size(); ++i) {
    if (given[labels[i]] != no_id) continue;
    const auto group = group_of.find(previous[i]);
    if (group != group_of.end()) ++shared[(std::uint64_t{labels[i]} << 32U) | group->second];
  }
  std::vector<Overlap> overlaps;
  overlaps.reserve(shared.size());
  for (const auto& [pair, nodes] : shared) {
    overlaps.push_back({static_cast<NodeId>(pair >> 32U), static_cast<NodeId>(pair), nodes});
  }
  std::ranges::sort(overlaps, {}, [](const Overlap& o) { return std::tuple(o.cluster, o.group); });
  const auto [matched, exact] = match_by_overlap(ids.size(), id_of.size(), overlaps);
  for (std::size_t c = 0; c < ids.size(); ++c) {
    if (ids[c] != no_id) continue;
    ids[c] = matched[c] < 0 ? next++ : id_of[matched[c]];
  }
  return {std::move(ids), exact};
}

}  // namespace srgw::detail
