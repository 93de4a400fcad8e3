// SPDX-License-Identifier: MIT
#include "communities/anchors.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <unordered_map>

namespace srgw::detail {

namespace {

std::vector<std::int64_t> distinct_ids(const std::vector<std::int64_t>& ids) {
  std::vector<std::int64_t> result(ids);
  std::ranges::sort(result);
  result.erase(std::unique(result.begin(), result.end()), result.end());
  if (!result.empty() && result.front() == no_id) result.erase(result.begin());
  return result;
}

/// The graph with anchors of mass 0 as its last nodes: anchor_of[i] pulls at node i, unless it is
/// the largest number.
WeightedGraph with_pulls(const WeightedGraph& graph, const Assignment& anchor_of,
                         std::size_t anchors, double keep) {
  const std::size_t size = graph.size();
  const auto pull = [&](std::size_t i) {
    return anchor_of[i] < anchors ? keep * graph.mass[i] / 2 : 0;
  };
  std::vector<std::uint64_t> offsets(size + anchors + 1, 0);
  for (std::size_t i = 0; i < size; ++i) {
    offsets[i + 1] = graph.degree(i) + (pull(i) > 0 ? 1 : 0);
    if (pull(i) > 0) ++offsets[size + anchor_of[i] + 1];
  }
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  std::vector<NodeId> columns(offsets.back());
  std::vector<double> weights(offsets.back());
  std::vector<std::uint64_t> next(offsets.begin() + static_cast<std::ptrdiff_t>(size),
                                  offsets.end() - 1);
  for (std::size_t i = 0; i < size; ++i) {
    std::uint64_t to = offsets[i];
    for (std::uint64_t e = graph.begin(i); e < graph.end(i); ++e, ++to) {
      columns[to] = graph.columns[e];
      weights[to] = graph.weight(e);
    }
    if (!(pull(i) > 0)) continue;
    columns[to] = static_cast<NodeId>(size + anchor_of[i]);
    weights[to] = pull(i);
    std::uint64_t& from = next[anchor_of[i]];
    columns[from] = static_cast<NodeId>(i);
    weights[from++] = pull(i);
  }
  WeightedGraph result;
  result.offsets = std::move(offsets);
  result.columns = std::move(columns);
  result.weights = std::move(weights);
  result.mass = graph.mass;
  result.mass.resize(size + anchors, 0);
  result.total = graph.total;
  result.layers = graph.layers;
  result.layers.masses.resize((size + anchors) * graph.layers.totals.size(), 0);
  return result;
}

}  // namespace

AnchoredGraph anchor_previous(const WeightedGraph& graph, const std::vector<std::int64_t>& fixed,
                              const std::vector<std::int64_t>& previous, double keep, int threads) {
  AnchoredGraph result;
  const std::size_t size = graph.size();
  result.ids = distinct_ids(fixed);
  result.fixed = result.ids.size();
  std::unordered_map<std::int64_t, NodeId> anchor_of_id;
  for (const std::int64_t id : result.ids) {
    anchor_of_id.emplace(id, static_cast<NodeId>(anchor_of_id.size()));
  }
  const bool pulls = keep > 0 && !previous.empty();
  if (pulls) {
    for (const std::int64_t id : distinct_ids(previous)) {
      if (anchor_of_id.emplace(id, static_cast<NodeId>(anchor_of_id.size())).second) {
        result.ids.push_back(id);
      }
    }
  }
  result.place.resize(size);
  if (result.ids.empty()) {
    std::iota(result.place.begin(), result.place.end(), NodeId{0});
    result.graph = graph;
    return result;
  }
  const std::size_t anchors = result.ids.size();
  result.nodes.assign(anchors, 0);
  for (std::size_t i = 0; i < size; ++i) {
    if (!fixed.empty() && fixed[i] != no_id) {
      result.place[i] = anchor_of_id.at(fixed[i]);
      ++result.nodes[result.place[i]];
    } else {
      result.place[i] = static_cast<NodeId>(result.nodes.size());
      result.nodes.push_back(1);
    }
  }
  const std::size_t count = result.nodes.size();
  if (pulls) {
    Assignment anchor_of(size, std::numeric_limits<NodeId>::max());
    for (std::size_t i = 0; i < size; ++i) {
      const bool is_free = fixed.empty() || fixed[i] == no_id;
      if (is_free && previous[i] != no_id) anchor_of[i] = anchor_of_id.at(previous[i]);
    }
    Assignment place = result.place;
    for (std::size_t a = 0; a < anchors; ++a) place.push_back(static_cast<NodeId>(a));
    result.graph = contract(with_pulls(graph, anchor_of, anchors, keep), place, count, threads);
  } else {
    result.graph = contract(graph, result.place, count, threads);
  }
  result.graph.anchors = anchors;
  return result;
}

AnchoredGraph anchor_fixed(const WeightedGraph& graph, const std::vector<std::int64_t>& fixed,
                           int threads) {
  return anchor_previous(graph, fixed, {}, 0, threads);
}

Assignment nearest_anchors(const WeightedGraph& graph) {
  constexpr NodeId unseen = std::numeric_limits<NodeId>::max();
  Assignment labels(graph.size(), unseen);
  std::vector<NodeId> queue;
  queue.reserve(graph.size());
  std::size_t head = 0;
  const auto start = [&](std::size_t node, NodeId label) {
    labels[node] = label;
    queue.push_back(static_cast<NodeId>(node));
  };
  const auto spread = [&] {
    for (; head < queue.size(); ++head) {
      const NodeId i = queue[head];
      for (std::uint64_t e = graph.begin(i); e < graph.end(i); ++e) {
        if (labels[graph.columns[e]] == unseen) start(graph.columns[e], labels[i]);
      }
    }
  };
  for (std::size_t a = 0; a < graph.anchors; ++a) start(a, static_cast<NodeId>(a));
  spread();
  auto next = static_cast<NodeId>(graph.anchors);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (labels[i] != unseen) continue;
    start(i, next++);
    spread();
  }
  return labels;
}

}  // namespace srgw::detail
