// SPDX-License-Identifier: MIT
#include "communities/connectivity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/message.hpp"
#include "base/parallel.hpp"
#include "base/stop.hpp"
#include "communities/search/cluster_graphs.hpp"
#include "communities/search/cluster_masses.hpp"
#include "communities/search/smallest_cut.hpp"

namespace srgw::detail {

namespace {

constexpr NodeId unsettled = std::numeric_limits<NodeId>::max();

/// The components of clusters as the nodes of a graph, and the cluster of each.
class Pieces {
 public:
  Pieces(const WeightedGraph& graph, const Components& components, const Assignment& labels,
         std::size_t count)
      : sizes_(components.sizes), cluster_(sizes_.size()), settled_(sizes_.size(), unsettled) {
    const std::size_t number = sizes_.size();
    graph_ = contract(graph, components.labels, number);
    for (std::size_t i = 0; i < labels.size(); ++i) cluster_[components.labels[i]] = labels[i];
    std::vector<NodeId> largest(count, unsettled);
    for (std::size_t p = 0; p < number; ++p) {
      NodeId& best = largest[cluster_[p]];
      if (best == unsettled || sizes_[p] > sizes_[best]) best = static_cast<NodeId>(p);
    }
    for (std::size_t p = 0; p < number; ++p) {
      if (largest[cluster_[p]] == p) {
        settled_[p] = cluster_[p];
      } else {
        others_.push_back(static_cast<NodeId>(p));
      }
    }
    std::ranges::stable_sort(others_, std::ranges::greater{}, [&](NodeId p) { return sizes_[p]; });
  }

  /// The large ones become clusters of their own.
  std::size_t become_clusters(std::size_t most_new, std::size_t& count) {
    const std::size_t number = std::min(most_new, others_.size());
    for (std::size_t k = 0; k < number; ++k) settled_[others_[k]] = static_cast<NodeId>(count++);
    others_.erase(others_.begin(), others_.begin() + static_cast<std::ptrdiff_t>(number));
    return number;
  }

  /// The others join clusters that they are linked to, in rounds: what has joined is a link for the
  /// next. Those that are linked to none stay.
  void join_neighbours(double resolution, std::size_t count, Connected& done) {
    ClusterMasses masses(graph_, count);
    std::vector<double> links(count, 0);
    for (std::size_t p = 0; p < settled_.size(); ++p) {
      masses.add(graph_, p, settled_[p] == unsettled ? cluster_[p] : settled_[p]);
    }
    for (bool changed = true; changed && !others_.empty();) {
      changed = false;
      std::vector<NodeId> left;
      for (const NodeId p : others_) {
        throw_if_stopped();
        if (!join_best(p, resolution, masses, links)) {
          left.push_back(p);
          continue;
        }
        changed = true;
        done.moved += static_cast<std::size_t>(sizes_[p]);
      }
      others_ = std::move(left);
    }
    for (const NodeId p : others_) settled_[p] = cluster_[p];
    done.left = others_.size();
  }

  [[nodiscard]] NodeId cluster_of(NodeId piece) const { return settled_[piece]; }

 private:
  bool join_best(NodeId p, double resolution, ClusterMasses& masses, std::vector<double>& links) {
    std::vector<NodeId> linked;
    for (std::uint64_t e = graph_.begin(p); e < graph_.end(p); ++e) {
      const NodeId cluster = settled_[graph_.columns[e]];
      if (cluster == unsettled) continue;
      if (links[cluster] == 0) linked.push_back(cluster);
      links[cluster] += graph_.weight(e);
    }
    masses.remove(graph_, p, cluster_[p]);
    std::ranges::sort(linked);
    NodeId best = unsettled;
    double most = 0;
    for (const NodeId cluster : linked) {
      const double gain = links[cluster] - masses.expected(resolution, graph_, p, cluster);
      links[cluster] = 0;
      if (best != unsettled && gain <= most) continue;
      best = cluster;
      most = gain;
    }
    masses.add(graph_, p, best == unsettled ? cluster_[p] : best);
    settled_[p] = best;
    return best != unsettled;
  }

  std::vector<Index> sizes_;
  WeightedGraph graph_;
  std::vector<NodeId> cluster_, settled_;  ///< before and after
  std::vector<NodeId> others_;             ///< that are not the largest of their cluster
};

std::size_t used_labels(const Assignment& labels, std::size_t count) {
  std::vector<bool> used(count, false);
  for (const NodeId label : labels) used[label] = true;
  return static_cast<std::size_t>(std::ranges::count(used, true));
}

double mean_edge_weight(const WeightedGraph& graph) {
  if (graph.weights.empty() || graph.columns.size() == 0) return 1;
  double sum = 0;
  for (const double weight : graph.weights) sum += weight;
  return sum / static_cast<double>(graph.columns.size());
}

PartitionCut cut_of(const WeightedGraph& cluster, double unit) {
  const Components pieces = components_inside(cluster, Assignment(cluster.size(), 0), 1);
  PartitionCut result{.components = std::ssize(pieces.sizes),
                      .edges = static_cast<Index>(cluster.columns.size() / 2)};
  if (cluster.size() < 2) return result;
  result.weight = 0;
  if (result.components == 1) {
    const Cut cut = smallest_cut(cluster);
    result.weight = cut.weight / unit;
    result.exact = cut.exact;
  }
  result.relative = *result.weight / std::log10(static_cast<double>(cluster.size()));
  return result;
}

}  // namespace

Connected connect_clusters(const WeightedGraph& graph, double resolution,
                           std::optional<std::size_t> most, Assignment& labels,
                           std::size_t& count) {
  Connected done;
  const Components components = components_inside(graph, labels, count);
  const std::size_t used = used_labels(labels, count);
  if (components.sizes.size() == used) return done;
  std::vector<std::size_t> pieces_of(count, 0);
  std::vector<NodeId> first(components.sizes.size(), unsettled);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    NodeId& known = first[components.labels[i]];
    if (known == unsettled) ++pieces_of[labels[i]];
    known = labels[i];
  }
  done.disconnected = static_cast<std::size_t>(
      std::ranges::count_if(pieces_of, [](std::size_t number) { return number > 1; }));
  Pieces pieces(graph, components, labels, count);
  const std::size_t room = most ? *most - std::min(*most, used) : components.sizes.size();
  done.added = pieces.become_clusters(room, count);
  pieces.join_neighbours(resolution, count, done);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    labels[i] = pieces.cluster_of(components.labels[i]);
  }
  return done;
}

CutApart split_clusters(const WeightedGraph& graph, double least, int threads, Assignment& labels,
                        std::size_t& count) {
  const double limit = least * mean_edge_weight(graph);
  const std::size_t before = count;
  const ClusterGraphs clusters(graph, labels, count);
  std::vector<Assignment> parts(count);
  parallel_for(static_cast<Index>(count), threads, [&](Index c, int) {
    if (clusters.nodes(c).size() > 1) parts[c] = split_along_cuts(clusters.of(c), limit);
  });
  CutApart done;
  Assignment result = labels;
  for (std::size_t c = 0; c < before; ++c) {
    if (parts[c].empty()) continue;
    const std::size_t number = compact(parts[c]);
    if (number == 1) continue;
    std::vector<Index> sizes(number, 0);
    for (const NodeId part : parts[c]) ++sizes[part];
    std::vector<NodeId> names(number);
    const auto largest = std::ranges::max_element(sizes) - sizes.begin();
    for (std::size_t p = 0; p < number; ++p) {
      names[p] = static_cast<NodeId>(std::cmp_equal(p, largest) ? c : count++);
    }
    for (std::size_t k = 0; k < parts[c].size(); ++k) {
      result[clusters.nodes(c)[k]] = names[parts[c][k]];
    }
    ++done.split;
  }
  done.added = count - before;
  labels = std::move(result);
  return done;
}

std::vector<PartitionCut> cuts_of(const WeightedGraph& graph, const Assignment& labels,
                                  std::size_t count, int threads) {
  const double unit = mean_edge_weight(graph);
  const ClusterGraphs clusters(graph, labels, count);
  std::vector<PartitionCut> result(count);
  parallel_for(static_cast<Index>(count), threads,
               [&](Index c, int) { result[c] = cut_of(clusters.of(c), unit); });
  return result;
}

Plan with_labels(const Plan& plan, const Assignment& labels, Index columns) {
  const Vector weights = plan.weights();
  if (plan.is_assignment()) return Plan::from_labels(weights, labels, columns);
  const Assignment before = plan.labels();
  const ShortRows rows = plan.short_rows();
  ShortRows result;
  result.offsets.push_back(0);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] == before[i]) {
      for (auto entry = rows.offsets[i]; entry < rows.offsets[i + 1]; ++entry) {
        result.columns.push_back(rows.columns[entry]);
        result.masses.push_back(rows.masses[entry]);
      }
    } else {
      result.columns.push_back(labels[i]);
      result.masses.push_back(weights[static_cast<Index>(i)]);
    }
    result.offsets.push_back(result.columns.size());
  }
  return Plan(Plan::Trusted{{weights.begin(), weights.end()}, columns, std::move(result)});
}

void explain_connectivity(const Connected& connected, const CutApart& apart, double least,
                          double cost, std::vector<std::string>& reasons) {
  const auto count = [](std::size_t number, const char* what) {
    return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
  };
  if (connected.disconnected > 0) {
    std::string text = connected.disconnected == 1
                           ? "1 cluster was not connected:"
                           : fmt::format("{} clusters were not connected:", connected.disconnected);
    const char* separator = " ";
    const auto add = [&](const std::string& part) {
      text += separator + part;
      separator = "; ";
    };
    if (connected.added > 0) {
      add(count(connected.added, "component") +
          (connected.added == 1 ? " became a cluster of its own" : " became clusters"));
    }
    if (connected.moved > 0) {
      add(count(connected.moved, "node") + " joined the neighbouring cluster that costs least");
    }
    if (connected.left > 0) {
      add(count(connected.left, "component") + " without a neighbouring cluster " +
          (connected.left == 1 ? "stays" : "stay"));
    }
    reasons.push_back(text + ".");
  }
  if (apart.split > 0) {
    reasons.push_back(
        fmt::format("{} with a relative cut below {:.4g} {} split along the cut, which adds {} and "
                    "costs {:.3g} "
                    "modularity.",
                    count(apart.split, "cluster"), least, apart.split == 1 ? "was" : "were",
                    count(apart.added, "cluster"), cost));
  }
}

}  // namespace srgw::detail
