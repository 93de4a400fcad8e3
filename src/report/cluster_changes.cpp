// SPDX-License-Identifier: MIT
#include <map>

#include "base/message.hpp"
#include "srgw/report.hpp"

namespace srgw {

namespace {

/// The id with the largest count, the smaller one of equals.
void take_largest(const std::map<std::int64_t, Index>& counts, ClusterChange& change) {
  for (const auto& [id, count] : counts) {
    if (count <= change.shared) continue;
    change.shared = count;
    change.other = id;
  }
}

}  // namespace

std::vector<ClusterChange> cluster_changes(const Partition& found,
                                           std::span<const std::int64_t> previous) {
  if (previous.size() != found.labels.size()) {
    detail::fail_argument("changes of clusters: {} previous labels, expected {}", previous.size(),
                          found.labels.size());
  }
  const std::vector<std::int64_t> now = found.node_ids();
  std::map<std::int64_t, ClusterChange> changes;
  std::map<std::int64_t, std::map<std::int64_t, Index>> came, went;
  for (std::size_t i = 0; i < now.size(); ++i) {
    const bool clustered = found.labels[i] < found.sizes.size();
    if (clustered) ++changes[now[i]].now;
    if (previous[i] >= 0) ++changes[previous[i]].before;
    if (!clustered || previous[i] < 0) continue;
    if (previous[i] == now[i]) ++changes[now[i]].stayed;
    ++came[now[i]][previous[i]];
    ++went[previous[i]][now[i]];
  }
  std::vector<ClusterChange> result;
  for (auto& [id, change] : changes) {
    change.id = id;
    if (change.before == 0) take_largest(came[id], change);
    if (change.now == 0) take_largest(went[id], change);
    result.push_back(change);
  }
  return result;
}

}  // namespace srgw
