// SPDX-License-Identifier: MIT
#include "communities/communities.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.hpp"
#include "communities/local_structure.hpp"
#include "communities/resolution.hpp"
#include "communities/search/batched_moves.hpp"
#include "communities/search/multilevel.hpp"
#include "communities/search/split_merge.hpp"

namespace srgw::detail {

namespace {

/// The components that are searched: those with edges, the heaviest ones if they are too many.
struct Kept {
  std::vector<NodeId> nodes;
  std::vector<double> masses;   ///< of the components
  std::optional<double> aside;  ///< mass of the nodes that are not kept, if there are such
  Assignment component;         ///< of each kept node
};

Kept keep(const Flow& flow, const Components& all, std::size_t most, Communities& result) {
  std::vector<double> mass(all.count, 0);
  std::vector<std::size_t> size(all.count, 0);
  for (std::size_t i = 0; i < flow.size(); ++i) {
    mass[all.labels[i]] += flow.mass[i];
    ++size[all.labels[i]];
  }
  std::vector<std::size_t> order;
  for (std::size_t c = 0; c < all.count; ++c) {
    if (size[c] > 1) order.push_back(c);
  }
  result.components = order.size();
  result.isolated = static_cast<std::size_t>(std::count(size.begin(), size.end(), 1));
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return mass[a] > mass[b]; });
  if (order.size() > most) order.resize(most);
  std::vector<NodeId> place(all.count, ~NodeId{0});
  Kept kept;
  for (std::size_t k = 0; k < order.size(); ++k) {
    place[order[k]] = static_cast<NodeId>(k);
    kept.masses.push_back(mass[order[k]]);
  }
  for (std::size_t i = 0; i < flow.size(); ++i) {
    if (place[all.labels[i]] == ~NodeId{0}) {
      kept.aside = kept.aside.value_or(0) + flow.mass[i];
      continue;
    }
    kept.nodes.push_back(static_cast<NodeId>(i));
    kept.component.push_back(place[all.labels[i]]);
  }
  return kept;
}

/// How many components there are in effect: 1 / sum q_c^2 to the nearest whole number, so that
/// crumbs beside a large component do not count.
double effective_number(const std::vector<double>& masses) {
  double sum = 0, squares = 0;
  for (const double mass : masses) {
    sum += mass;
    squares += mass * mass;
  }
  return squares > 0 ? std::round(sum * sum / squares) : 0;
}

/// How much is spent, by the size of the graph.
struct Effort {
  int solutions = 5;
  int combinations = 3;
  int trial_cycles = 2;     ///< V-cycles of a trial that chooses the resolution
  int solution_cycles = 3;  ///< of a member of the population
  int final_cycles = 5;     ///< of the best one
};
constexpr Effort thorough{};
constexpr Effort quick{.solutions = 3, .combinations = 2, .trial_cycles = 1, .solution_cycles = 2};

// In stored entries, two for an edge.
constexpr std::size_t largest_thorough = 1'000'000;
constexpr std::size_t smallest_probed = 1'000'000;
/// Below, a graph is a tree from close by. Planted graphs of 10^6 nodes have 0.006, with blocks of
/// 1,000 nodes 0.2; graphs of people above 0.2.
constexpr double tree_like = 0.03;
constexpr double least_mean_degree = 6;  // trees proper have local structure

/// Several solutions from different seeds, then pairs of them combined; the best quality is kept.
Clustering best_of_population(const Flow& flow, const Multilevel& rules, const Effort& effort,
                              int threads) {
  std::vector<Clustering> found(effort.solutions + effort.combinations);
  parallel_for(effort.solutions, threads, [&](Index s, int) {
    Multilevel own = rules;
    own.seed = rules.seed + 100'000 * (static_cast<std::uint64_t>(s) + 1);
    own.linkage = s % 2 == 0 ? Linkage::density : Linkage::quality;
    if (s > 0 && rules.is_stopped()) return;
    found[s] = multilevel(flow, own);
  });
  found.resize(effort.solutions);
  std::erase_if(found, [](const Clustering& one) { return one.labels.empty(); });
  const auto better = [](const Clustering& a, const Clustering& b) {
    return a.quality > b.quality;
  };
  std::stable_sort(found.begin(), found.end(), better);
  std::vector<Clustering> children(found.size() > 1 && !rules.is_stopped() ? effort.combinations
                                                                           : 0);
  parallel_for(static_cast<Index>(children.size()), threads, [&](Index s, int) {
    Multilevel own = rules;
    own.seed = rules.seed + 10'000'000 * (static_cast<std::uint64_t>(s) + 1);
    own.linkage = s % 2 == 0 ? Linkage::density : Linkage::quality;
    const auto partner = 1 + static_cast<std::size_t>(s) % (found.size() - 1);
    children[s] = combine(flow, found[0], found[partner], own);
  });
  Clustering best = std::move(found[0]);
  for (Clustering& child : children) {
    if (child.quality > best.quality) best = std::move(child);
  }
  return best;
}

/// Labels of kept nodes spread to all; those put aside and those left out share the last label.
void spread(const Flow& flow, const Kept& kept, Clustering found, std::size_t most,
            Communities& result) {
  const auto bin = static_cast<NodeId>(most == 0 ? flow.size() : most);
  Assignment names(std::size_t{bin} + 1, ~NodeId{0});
  NodeId next = 0;
  for (NodeId& label : found.labels) {
    if (label >= bin) continue;
    if (names[label] == ~NodeId{0}) names[label] = next++;
    label = names[label];
  }
  result.count = next;
  result.quality = found.quality;
  result.labels.assign(flow.size(), next);
  for (std::size_t k = 0; k < kept.nodes.size(); ++k) {
    result.labels[kept.nodes[k]] = std::min(found.labels[k], next);
  }
  for (std::size_t i = 0; i < flow.size(); ++i) {
    if (result.labels[i] != next) continue;
    ++result.unconnected;
    result.unconnected_mass += flow.mass[i] / flow.total;
  }
}

/// What is left of a graph when the nodes that are not kept are taken away.
struct SearchedPart {
  const Flow& flow;
  double edges;  ///< of the whole graph
  std::optional<double> aside;
};

/// Resolution, population and V-cycles, with the number of clusters bounded or not.
Clustering search_population(const SearchedPart& part, const Effort& effort,
                             const CommunitySearch& search, Communities& result) {
  const Flow& flow = part.flow;
  Multilevel rules{
      .most_clusters = search.most_clusters.value_or(0), .aside = part.aside, .seed = search.seed};
  rules.patience = 1;
  rules.batched_from = search.largest_whole;
  rules.stopped = search.stopped;
  if (search.resolution) {
    rules.resolution = *search.resolution;
  } else if (rules.most_clusters != 0) {
    rules.v_cycles = effort.trial_cycles;
    rules.resolution = choose_resolution(flow, rules, part.edges);
  }
  result.resolution = rules.resolution;
  rules.v_cycles = effort.solution_cycles;
  Effort spent = effort;
  spent.solutions = search.starts.value_or(effort.solutions);
  Clustering found = best_of_population(flow, rules, spent, search.threads);
  rules.v_cycles = effort.final_cycles;
  rules.patience = 2;
  return v_cycles(flow, std::move(found.labels), rules);
}

/// One level of local moves at a fine resolution; the search on what that leaves; V-cycles on the
/// whole graph.
Clustering search_contracted(const SearchedPart& part, const CommunitySearch& search,
                             Communities& result) {
  constexpr double fine = 3;
  const Flow& flow = part.flow;
  Assignment groups(flow.size());
  std::iota(groups.begin(), groups.end(), NodeId{0});
  batched_moves(flow, groups, {.resolution = fine, .seed = search.seed},
                {.to_the_end = false, .threads = search.threads});
  const Flow coarse = contract(flow, groups, compact(groups), search.threads);
  const Clustering found =
      search_population({coarse, part.edges, part.aside}, quick, search, result);
  return settle(flow, project(groups, found.labels),
                {.resolution = result.resolution,
                 .most_clusters = search.most_clusters.value_or(0),
                 .aside = part.aside,
                 .seed = search.seed,
                 .v_cycles = 3,
                 .patience = 1,
                 .batched_from = search.largest_whole,
                 .threads = search.threads,
                 .stopped = search.stopped});
}

bool looks_like_a_tree(const Flow& flow, std::uint64_t seed) {
  const auto entries = flow.columns.size();
  return entries >= smallest_probed &&
         static_cast<double>(entries) >= least_mean_degree * static_cast<double>(flow.size()) &&
         meeting_share(flow, seed) < tree_like;
}

Clustering search_communities(const SearchedPart& part, const CommunitySearch& search,
                              Communities& result) {
  const Flow& flow = part.flow;
  if (looks_like_a_tree(flow, search.seed)) {
    result.route = Route::split_merge;
    return split_merge(flow, {.most_clusters = search.most_clusters.value_or(0),
                              .seed = search.seed,
                              .threads = search.threads});
  }
  const std::size_t entries = flow.columns.size();
  if (entries > search.largest_whole) {
    result.route = Route::contracted;
    return search_contracted(part, search, result);
  }
  return search_population(part, entries > largest_thorough ? quick : thorough, search, result);
}

}  // namespace

Flow Communities::between(const Flow& flow, const std::vector<NodeId>& some, int threads) const {
  if (some.size() == flow.size()) return flow;
  return some == nodes ? part : induced(flow, some, threads);
}

Communities find_communities(const Flow& flow, double edges, const CommunitySearch& search) {
  Communities result;
  const std::size_t most = search.most_clusters.value_or(0);
  Kept kept = keep(flow, components(flow), most == 0 ? flow.size() : most, result);
  const bool whole = kept.nodes.size() == flow.size();
  if (!whole) result.part = induced(flow, kept.nodes, search.threads);
  const Flow& searched = whole ? flow : result.part;
  const double pieces = effective_number(kept.masses);
  Clustering found;
  if (most != 0 && 2 * pieces > static_cast<double>(most)) {
    result.route = Route::components;
    found = {kept.component, kept.masses.size(),
             quality(searched, kept.component, search.resolution.value_or(1))};
  } else {
    // Where all is one component but for crumbs, these may join the nodes without edges; components
    // that are pieces of the graph are worth what is inside them.
    const auto aside = pieces == 1 ? kept.aside : std::nullopt;
    found = search_communities({searched, edges, aside}, search, result);
  }
  spread(flow, kept, std::move(found), most, result);
  if (!whole) result.nodes = std::move(kept.nodes);
  return result;
}

}  // namespace srgw::detail
