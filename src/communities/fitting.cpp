// SPDX-License-Identifier: MIT
#include "communities/fitting.hpp"

#include <algorithm>

#include "base/message.hpp"
#include "communities/search/merge.hpp"
#include "communities/search/multilevel.hpp"
#include "communities/sizes.hpp"
#include "graph/components_rows.hpp"

namespace srgw::detail {

void Fitting::take(const Communities& found) {
  const std::size_t pulls = given_.pulled.ids.size() - given_.hard.ids.size();
  labels_.resize(given_.hard.graph.size());
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    const NodeId label = found.labels[i < given_.hard.fixed ? i : i + pulls];
    labels_[i] = label == found.count ? left_out : label;
  }
  // Fixed nodes without an edge to others are clusters, too.
  auto next = static_cast<NodeId>(found.count);
  for (std::size_t a = 0; a < given_.hard.fixed; ++a) {
    if (labels_[a] == left_out) labels_[a] = next++;
  }
  leave_out_small_components();
  choose_kept();
}

void Fitting::release(std::vector<PartitionCost>& costs) {
  const Multilevel rules{.resolution = resolution_,
                         .most_clusters = search_.most_clusters.value_or(0),
                         .seed = search_.seed,
                         .v_cycles = 3,
                         .patience = 1,
                         .threads = search_.threads};
  Assignment labels = kept_labels();
  double with = quality(part_, labels, resolution_, search_.threads);
  if (options_.keep > 0) {
    Clustering free = v_cycles(part_, labels, rules);
    costs.push_back({"keep", with, free.quality});
    labels = std::move(free.labels);
    with = free.quality;
  }
  if (given_.hard.fixed == 0) return;
  Assignment all(labels_.size(), left_out);
  for (std::size_t k = 0; k < kept_.size(); ++k) all[kept_[k]] = labels[k];
  std::vector<NodeId> nodes;
  Assignment own;
  for (std::size_t i = 0; i < given_.hard.place.size(); ++i) {
    const NodeId label = all[given_.hard.place[i]];
    if (label == left_out || given_.graph.weighted().degree(i) == 0) continue;
    nodes.push_back(static_cast<NodeId>(i));
    own.push_back(label);
  }
  const WeightedGraph without = induced(given_.graph.weighted(), nodes, search_.threads);
  costs.push_back({"fixed", with, v_cycles(without, std::move(own), rules).quality});
}

void Fitting::fit_sizes(bool stopped, std::vector<PartitionCost>& costs) {
  SizeLimits limits{.resolution = resolution_,
                    .seed = search_.seed,
                    .threads = search_.threads,
                    .searches = !stopped,
                    .polishes = !stopped && !(options_.keep > 0)};
  limits.most_clusters = search_.most_clusters.value_or(0);
  if (options_.max_size) limits.largest = *options_.max_size;
  if (options_.min_size) limits.smallest = *options_.min_size;
  Assignment labels = kept_labels();
  double before = quality(part_, labels, resolution_, search_.threads);
  const auto fit = [&](const char* name, auto&& limit) {
    limit(part_, nodes_, limits, labels);
    const double after = quality(part_, labels, resolution_, search_.threads);
    costs.push_back({name, after, before});
    before = after;
  };
  if (options_.max_size) fit("max-size", limit_largest);
  if (options_.min_size) fit("min-size", limit_smallest);
  for (std::size_t k = 0; k < kept_.size(); ++k) labels_[kept_[k]] = labels[k];
}

Fitting::Named Fitting::named() const {
  Assignment labels = lift(given_.hard.place, labels_);
  std::size_t count = 0;
  for (const NodeId label : labels_) {
    if (label != left_out) count = std::max(count, label + std::size_t{1});
  }
  std::vector<Index> sizes(count, 0);
  for (const NodeId label : labels) {
    if (label != left_out) ++sizes[label];
  }
  std::vector<NodeId> order;
  for (std::size_t c = 0; c < count; ++c) {
    if (sizes[c] > 0) order.push_back(static_cast<NodeId>(c));
  }
  std::ranges::stable_sort(order, [&](NodeId a, NodeId b) { return sizes[a] > sizes[b]; });
  Assignment number(count, left_out);
  for (std::size_t k = 0; k < order.size(); ++k) number[order[k]] = static_cast<NodeId>(k);
  std::vector<std::int64_t> ids(order.size(), no_id);
  for (std::size_t a = 0; a < given_.hard.fixed; ++a) ids[number[labels_[a]]] = given_.hard.ids[a];
  for (NodeId& label : labels) label = label == left_out ? left_out : number[label];
  return {std::move(labels), std::move(ids)};
}

void Fitting::leave_out_small_components() {
  if (!options_.min_size) return;
  const WeightedGraph& graph = given_.hard.graph;
  const Components all = components_of(graph.rows(), true);
  std::vector<double> sizes(all.sizes.size(), 0);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    sizes[all.labels[i]] += given_.hard.nodes.empty() ? 1 : given_.hard.nodes[i];
  }
  const auto infinite = static_cast<double>(*options_.min_size);
  for (std::size_t a = 0; a < graph.anchors; ++a) sizes[all.labels[a]] = infinite;
  double largest = 0;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    largest = std::max(largest, sizes[all.labels[i]]);
    if (sizes[all.labels[i]] < infinite) labels_[i] = left_out;
  }
  if (largest < infinite) {
    fail_argument("min-size is {}, but the largest connected component has {} nodes",
                  *options_.min_size, largest);
  }
}

void Fitting::choose_kept() {
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    if (labels_[i] == left_out) continue;
    kept_.push_back(static_cast<NodeId>(i));
    nodes_.push_back(given_.hard.nodes.empty() ? 1 : given_.hard.nodes[i]);
  }
  part_ = induced(given_.hard.graph, kept_, search_.threads);
}

Assignment Fitting::kept_labels() const {
  Assignment labels;
  for (const NodeId i : kept_) labels.push_back(labels_[i]);
  compact(labels);
  return labels;
}

}  // namespace srgw::detail
