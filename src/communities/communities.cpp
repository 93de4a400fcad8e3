// SPDX-License-Identifier: MIT
#include "communities/communities.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "base/row_blocks.hpp"
#include "base/stop.hpp"
#include "communities/anchors.hpp"
#include "communities/effort.hpp"
#include "communities/resolution.hpp"
#include "communities/search/batched_moves.hpp"
#include "communities/search/multilevel.hpp"
#include "communities/search/split_merge.hpp"
#include "communities/searched_graph.hpp"
#include "communities/shortest_description.hpp"
#include "communities/update.hpp"
#include "graph/components_rows.hpp"

namespace srgw::detail {

namespace {

/// The components that are searched: those with edges, the heaviest ones if they are too many.
struct Kept {
  std::vector<NodeId> nodes;
  std::vector<double> masses;   ///< of the components
  std::optional<double> aside;  ///< mass of the nodes that are not kept, if there are such
  Assignment component;         ///< of each kept node
};

Kept keep(const WeightedGraph& graph, const Components& all, std::size_t most,
          Communities& result) {
  std::vector<double> mass(all.sizes.size(), 0);
  for (std::size_t i = 0; i < graph.size(); ++i) mass[all.labels[i]] += graph.mass[i];
  std::vector<std::size_t> order;
  for (std::size_t c = 0; c < mass.size(); ++c) {
    if (all.sizes[c] > 1) order.push_back(c);
  }
  result.components = order.size();
  result.isolated = mass.size() - order.size();
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return mass[a] > mass[b]; });
  if (graph.anchors > 0) {  // components with an anchor come first
    std::vector<std::uint8_t> anchored(mass.size(), 0);
    for (std::size_t a = 0; a < graph.anchors; ++a) anchored[all.labels[a]] = 1;
    std::stable_partition(order.begin(), order.end(),
                          [&](std::size_t c) { return anchored[c] != 0; });
  }
  if (order.size() > most) order.resize(most);
  std::vector<NodeId> place(mass.size(), ~NodeId{0});
  Kept kept;
  for (std::size_t k = 0; k < order.size(); ++k) {
    place[order[k]] = static_cast<NodeId>(k);
    kept.masses.push_back(mass[order[k]]);
  }
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (place[all.labels[i]] == ~NodeId{0}) {
      kept.aside = kept.aside.value_or(0) + graph.mass[i];
      continue;
    }
    kept.nodes.push_back(static_cast<NodeId>(i));
    kept.component.push_back(place[all.labels[i]]);
  }
  return kept;
}

/// How many components there are in effect: 1 / sum q_c^2 to the nearest whole number, so that
/// tiny components beside a large one do not count.
double effective_number(const std::vector<double>& masses) {
  double sum = 0, squares = 0;
  for (const double mass : masses) {
    sum += mass;
    squares += mass * mass;
  }
  return squares > 0 ? std::round(sum * sum / squares) : 0;
}

// In stored entries, two for an edge.
constexpr std::size_t smallest_probed = 1'000'000;
/// Below, a graph is a tree from close by. Planted graphs of 10^6 nodes have 0.006, with blocks of
/// 1,000 nodes 0.2; graphs of people above 0.2.
constexpr double tree_like = 0.03;
constexpr double least_mean_degree = 6;  // trees proper have local structure

Clustering best_of_population(const WeightedGraph& graph, const Multilevel& rules,
                              const Effort& effort, int threads, const Assignment& known = {});

Effort effort_for(const CommunitySearch& search, std::size_t entries) {
  return effort_of(
      search.effort,
      {.entries = entries, .is_free = !search.most_clusters, .is_copy = search.is_copy});
}

/// Nodes that all solutions join are contracted (core groups, Ovelgoenne and Geyer-Schulz 2012),
/// and a population is searched on what is left, which is much smaller than the graph. The best of
/// that and of the solutions.
Clustering search_core(const WeightedGraph& graph, std::vector<Clustering> solutions,
                       const Multilevel& rules, const Effort& effort, int threads) {
  const auto best = std::ranges::max_element(solutions, {}, &Clustering::quality);
  Assignment core = solutions[0].labels;
  for (std::size_t s = 1; s < solutions.size(); ++s) {
    core = intersect(core, solutions[s].labels).labels;
  }
  const WeightedGraph coarse = contract(graph, core, label_bound(core), threads);
  Multilevel own = rules;
  own.found = {};  // its labels are those of contracted nodes
  own.v_cycles = effort.solution_cycles;
  own.batched_from = std::numeric_limits<std::size_t>::max();
  Clustering found = best_of_population(coarse, own, effort, threads);
  if (found.quality <= best->quality) return std::move(*best);
  found.labels = lift(core, found.labels);
  return found;
}

/// Several solutions from different seeds, then pairs of them combined; the best quality is kept.
/// Labels that are `known` to be good, if there are any, are refined to be one of the solutions.
Clustering best_of_population(const WeightedGraph& graph, const Multilevel& rules,
                              const Effort& effort, int threads, const Assignment& known) {
  const auto rules_of = [&](Index number, std::uint64_t stride) {
    Multilevel own = rules;
    own.seed = rules.seed + stride * (static_cast<std::uint64_t>(number) + 1);
    own.linkage = number % 2 == 0 ? Linkage::density : Linkage::quality;
    return own;
  };
  if (effort.solutions == 1) return multilevel(graph, rules_of(0, 100'000));
  std::vector<Clustering> found(effort.solutions);
  parallel_for(effort.solutions, threads, [&](Index s, int) {
    const Multilevel own = rules_of(s, 100'000);
    found[s] = s == 0 && !known.empty() ? v_cycles(graph, known, own) : multilevel(graph, own);
  });
  if (effort.core_solutions > 0 && rules.most_clusters == 0 && graph.anchors == 0) {
    Effort on_core{.solutions = effort.core_solutions, .combinations = effort.core_solutions};
    return search_core(graph, std::move(found), rules, on_core, threads);
  }
  std::ranges::stable_sort(found, std::ranges::greater{}, &Clustering::quality);
  std::vector<Clustering> children(found.size() > 1 ? effort.combinations : 0);
  parallel_for(static_cast<Index>(children.size()), threads, [&](Index s, int) {
    const auto partner = 1 + static_cast<std::size_t>(s) % (found.size() - 1);
    children[s] = combine(graph, found[0], found[partner], rules_of(s, 10'000'000));
  });
  Clustering best = std::move(found[0]);
  for (Clustering& child : children) {
    if (child.quality > best.quality) best = std::move(child);
  }
  return best;
}

/// Labels of kept nodes become those of all; those put aside and those left out share the last
/// label.
void lift_to_all(const WeightedGraph& graph, const Kept& kept, Clustering found, std::size_t most,
                 Communities& result) {
  const auto bin = static_cast<NodeId>(most == 0 ? graph.size() : most);
  Assignment names(std::size_t{bin} + 1, ~NodeId{0});
  NodeId next = 0;
  for (NodeId& label : found.labels) {
    if (label >= bin) continue;
    if (names[label] == ~NodeId{0}) names[label] = next++;
    label = names[label];
  }
  result.count = next;
  result.quality = found.quality;
  result.labels.assign(graph.size(), next);
  for (std::size_t k = 0; k < kept.nodes.size(); ++k) {
    result.labels[kept.nodes[k]] = std::min(found.labels[k], next);
  }
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (result.labels[i] != next) continue;
    ++result.unconnected;
    result.unconnected_mass += graph.mass[i] / graph.total;
  }
}

/// The graph without the nodes that are not kept.
struct SearchedPart {
  const WeightedGraph& graph;
  double edges;  ///< of the whole graph
  std::optional<double> aside;
  TellFound found;
  std::vector<double> nodes = {};  ///< behind each node of a contracted graph; empty: 1
  Assignment start = {};           ///< as in CommunitySearch
};

/// V-cycles from the start of a search, at the resolution that fits it.
Clustering search_update(const SearchedPart& part, const CommunitySearch& search,
                         Communities& result) {
  Multilevel rules{.most_clusters = search.most_clusters.value_or(0),
                   .aside = part.aside,
                   .seed = search.seed,
                   .v_cycles = effort_for(search, part.graph.columns.size()).final_cycles,
                   .patience = 1,
                   .batched_from = search.largest_whole,
                   .threads = search.threads,
                   .found = part.found};
  if (search.resolution) {
    rules.resolution = *search.resolution;
  } else if (search.by_description || search.most_clusters) {
    rules.resolution = resolution_of_start(part.graph, part.start, rules, search.threads);
  }
  Clustering found = search_from_start(part.graph, part.start, rules);
  result.resolution = rules.resolution;
  return found;
}

/// One level of local moves at a resolution above most that are tried later: groups to contract.
Assignment fine_groups(const WeightedGraph& graph, const CommunitySearch& search, double fine) {
  Assignment groups(graph.size());
  std::iota(groups.begin(), groups.end(), NodeId{0});
  batched_moves(graph, groups, {.resolution = fine, .seed = search.seed},
                {.to_the_end = false, .threads = search.threads});
  compact(groups);
  return groups;
}

/// The resolution with the shortest description, where all trials share a contracted graph.
DescribedResolution choose_on_contracted(const WeightedGraph& graph, const Multilevel& rules,
                                         const CommunitySearch& search) {
  constexpr double fine = 10;
  const Assignment groups = fine_groups(graph, search, fine);
  const std::size_t count = label_bound(groups);
  std::vector<double> nodes(count, 0);
  for (const NodeId group : groups) ++nodes[group];
  Multilevel own = rules;
  if (rules.found) {
    own.found = [&](const Clustering& found, double resolution) {
      rules.found({lift(groups, found.labels), found.count, found.quality}, resolution);
    };
  }
  DescribedResolution chosen = choose_by_description(contract(graph, groups, count, search.threads),
                                                     nodes, own, search.threads);
  chosen.labels = lift(groups, chosen.labels);
  return chosen;
}

/// Resolution, population and V-cycles, with the number of clusters bounded or not.
Clustering search_population(const SearchedPart& part, const Effort& effort,
                             const CommunitySearch& search, Communities& result) {
  const WeightedGraph& graph = part.graph;
  Multilevel rules{
      .most_clusters = search.most_clusters.value_or(0), .aside = part.aside, .seed = search.seed};
  rules.patience = 1;
  rules.batched_from = search.largest_whole;
  rules.found = part.found;
  Assignment known;
  if (search.resolution) {
    rules.resolution = *search.resolution;
  } else if (rules.most_clusters != 0) {
    rules.v_cycles = effort.trial_cycles;
    rules.resolution = choose_resolution(graph, rules, part.edges);
  } else if (search.by_description) {
    rules.v_cycles = effort.trial_cycles;
    DescribedResolution chosen =
        effort.contracts_trials && part.nodes.empty()
            ? choose_on_contracted(graph, rules, search)
            : choose_by_description(graph, part.nodes, rules, search.threads);
    rules.resolution = chosen.resolution;
    if (effort.contracts_trials) known = std::move(chosen.labels);
    result.decided_by_length = chosen.decided;
    result.lengths = std::move(chosen.curve);
  }
  result.resolution = rules.resolution;
  rules.v_cycles = effort.solution_cycles;
  Effort spent = effort;
  spent.solutions = search.starts.value_or(effort.solutions);
  Clustering found = best_of_population(graph, rules, spent, search.threads, known);
  rules.v_cycles = effort.final_cycles;
  rules.patience = 2;
  rules.threads = search.threads;
  return v_cycles(graph, std::move(found.labels), rules);
}

/// One level of local moves at a fine resolution; the search on what that leaves; V-cycles on the
/// whole graph.
Clustering search_contracted(const SearchedPart& part, const CommunitySearch& search,
                             Communities& result) {
  const WeightedGraph& graph = part.graph;
  constexpr double fine = 3;
  const Assignment groups = fine_groups(graph, search, fine);
  const std::size_t count = label_bound(groups);
  const auto behind = [&](std::size_t i) { return part.nodes.empty() ? 1 : part.nodes[i]; };
  const bool free = !search.most_clusters;
  if (part.found && free) {
    part.found({groups, count, quality(graph, groups, 1, search.threads)}, 1);
  }
  const WeightedGraph coarse = contract(graph, groups, count, search.threads);
  std::vector<double> nodes(count, 0);
  for (std::size_t i = 0; i < groups.size(); ++i) nodes[groups[i]] += behind(i);
  TellFound lifted;
  if (part.found) {
    lifted = [&](const Clustering& found, double resolution) {
      part.found({lift(groups, found.labels), found.count, found.quality}, resolution);
    };
  }
  const Clustering found =
      search_population({coarse, part.edges, part.aside, lifted, std::move(nodes)},
                        effort_for(search, graph.columns.size()), search, result);
  return settle(graph, lift(groups, found.labels),
                {.resolution = result.resolution,
                 .most_clusters = search.most_clusters.value_or(0),
                 .aside = part.aside,
                 .seed = search.seed,
                 .v_cycles = 3,
                 .patience = 1,
                 .batched_from = search.largest_whole,
                 .threads = search.threads,
                 .found = part.found});
}

bool looks_like_a_tree(const WeightedGraph& graph, std::uint64_t seed) {
  const auto entries = graph.columns.size();
  return !graph.layers.any() && entries >= smallest_probed &&
         static_cast<double>(entries) >= least_mean_degree * static_cast<double>(graph.size()) &&
         meeting_share(graph, seed) < tree_like;
}

Clustering search_communities(const SearchedPart& part, const CommunitySearch& search,
                              Communities& result) {
  const WeightedGraph& graph = part.graph;
  if (!part.start.empty()) return search_update(part, search, result);
  if (graph.anchors == 0 && looks_like_a_tree(graph, search.seed)) {
    result.route = Route::split_merge;
    return split_merge(graph, {.most_clusters = search.most_clusters.value_or(0),
                               .seed = search.seed,
                               .threads = search.threads,
                               .found = part.found});
  }
  const std::size_t entries = graph.columns.size();
  if (entries > search.largest_whole) {
    result.route = Route::contracted;
    return search_contracted(part, search, result);
  }
  return search_population(part, effort_for(search, entries), search, result);
}

/// The best clustering so far, of all threads of a search. Between resolutions, while one is being
/// chosen for a given number, more clusters are better, and of as many those at the lower
/// resolution.
class Incumbent {
 public:
  Incumbent(Clustering components, double constant, const CommunitySearch& search)
      : best_(std::move(components)), constant_(constant), search_(search) {
    tell();
  }

  void offer(const Clustering& found, double resolution) {
    const std::scoped_lock lock(mutex_);
    if (found_ && !is_better(found, resolution)) return;
    best_ = found;
    resolution_ = resolution;
    found_ = true;
    tell();
  }

  [[nodiscard]] double resolution() const { return resolution_; }
  [[nodiscard]] bool found() const { return found_; }  ///< something else than the components
  Clustering take() { return std::move(best_); }

 private:
  [[nodiscard]] bool is_better(const Clustering& found, double resolution) const {
    if (resolution == resolution_) return found.quality > best_.quality;
    if (!search_.most_clusters)
      return true;  // the search goes on where the graph is described best
    return found.count > best_.count || (found.count == best_.count && resolution < resolution_);
  }
  void tell() const {
    if (search_.observer) search_.observer(constant_ - resolution_ * best_.quality);
  }

  std::mutex mutex_;
  Clustering best_;
  double resolution_ = 1;
  bool found_ = false;
  double constant_;
  const CommunitySearch& search_;
};

/// The search, and if it is stopped what it has found until then.
Clustering search_until_stopped(SearchedPart part, Clustering components,
                                const CommunitySearch& search, Communities& result) {
  if (!search.returns_best) return search_communities(part, search, result);
  std::optional<StopShield> shield(std::in_place);
  double constant = 0;
  if (search.observer) {
    constant = search.constant ? *search.constant : source_constant(part.graph, search.threads);
  }
  shield.reset();
  Incumbent best(std::move(components), constant, search);
  part.found = [&](const Clustering& found, double resolution) { best.offer(found, resolution); };
  try {
    return search_communities(part, search, result);
  } catch (const Stopped&) {
    result.complete = false;
    result.resolution = best.resolution();
    if (!best.found()) result.route = Route::components;
    return best.take();
  }
}

/// At most `most` clusters, in one pass: the heaviest ones, and those of anchors, grow until all
/// nodes are in one of them. Nodes that they do not reach are put aside (Clustering). Labels are
/// compact and become so again below `most`.
std::size_t grow_heaviest(const WeightedGraph& graph, std::size_t most, Assignment& labels) {
  const std::size_t count = label_bound(labels);
  std::vector<double> masses(count, 0);
  for (std::size_t i = 0; i < graph.size(); ++i) masses[labels[i]] += graph.mass[i];
  std::vector<NodeId> order(count);
  std::iota(order.begin(), order.end(), NodeId{0});
  // Anchor i has the label i.
  std::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(graph.anchors), order.end(),
                   [&](NodeId a, NodeId b) { return masses[a] > masses[b]; });
  const auto aside = static_cast<NodeId>(most);
  Assignment names(count, aside);
  const std::size_t kept = std::min(most, count);
  for (std::size_t k = 0; k < kept; ++k) names[order[k]] = static_cast<NodeId>(k);
  std::vector<NodeId> queue;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    labels[i] = names[labels[i]];
    if (labels[i] != aside) queue.push_back(static_cast<NodeId>(i));
  }
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const NodeId i = queue[head];
    for (std::uint64_t e = graph.begin(i); e < graph.end(i); ++e) {
      NodeId& label = labels[graph.columns[e]];
      if (label != aside) continue;
      label = labels[i];
      queue.push_back(graph.columns[e]);
    }
  }
  return kept;
}

/// Labels that a stopped search can return: those of the start or of the nearest anchors, merged
/// down if that is not stopped, too.
Clustering first_labels(const WeightedGraph& graph, const Assignment& start,
                        const CommunitySearch& search, const std::optional<double>& aside) {
  std::optional<StopShield> shield(std::in_place);
  const std::size_t most = search.most_clusters.value_or(0);
  Clustering found;
  found.labels = start.empty() ? nearest_anchors(graph) : start;
  found.count = compact(found.labels);
  if (most != 0 && found.count > most) {
    shield.reset();
    try {
      found.count = merge_down(graph, found.labels, most, 1, Linkage::density, aside);
    } catch (const Stopped&) {
      found.count = grow_heaviest(graph, most, found.labels);
    }
    shield.emplace();
  }
  found.quality = quality(graph, found.labels, search.resolution.value_or(1), search.threads);
  return found;
}

}  // namespace

double meeting_share(const WeightedGraph& graph, std::uint64_t seed) {
  constexpr int sample = 500;
  constexpr std::size_t most_neighbours = 64;  // of a hub, as many as these are looked at
  Random random(seed, 0);
  std::size_t steps = 0, meetings = 0;
  std::vector<NodeId> ends;
  const auto visit = [&](std::size_t node, auto&& with) {
    const std::size_t degree = graph.degree(node);
    const std::size_t stride = degree / most_neighbours + 1;
    for (std::size_t k = 0; k < degree; k += stride) with(graph.columns[graph.begin(node) + k]);
  };
  for (int s = 0; s < sample && graph.size() > 0; ++s) {
    const auto start = static_cast<NodeId>(random.below(graph.size()));
    ends.clear();
    visit(start, [&](NodeId middle) {
      ends.push_back(middle);
      visit(middle, [&](NodeId end) {
        if (end != start) ends.push_back(end);
      });
    });
    std::sort(ends.begin(), ends.end());
    steps += ends.size();
    const auto distinct = std::unique(ends.begin(), ends.end()) - ends.begin();
    meetings += ends.size() - static_cast<std::size_t>(distinct);
  }
  return steps > 0 ? static_cast<double>(meetings) / static_cast<double>(steps) : 0;
}

WeightedGraph Communities::between(const WeightedGraph& graph, const std::vector<NodeId>& some,
                                   int threads) const {
  if (some.size() == graph.size()) return graph;
  return some == nodes ? part : induced(graph, some, threads);
}

Communities find_communities(const WeightedGraph& graph, double edges,
                             const CommunitySearch& search) {
  Communities result;
  const std::size_t most = search.most_clusters.value_or(0);
  // Even the quickest answer needs these.
  std::optional<StopShield> shield(std::in_place);
  Kept kept =
      keep(graph, components_of(graph.rows(), true), most == 0 ? graph.size() : most, result);
  const bool whole = kept.nodes.size() == graph.size();
  if (!whole) result.part = induced(graph, kept.nodes, search.threads);
  const WeightedGraph& searched = whole ? graph : result.part;
  const double pieces = effective_number(kept.masses);
  const bool is_free = searched.anchors == 0 && search.start.empty();
  const bool only_components = is_free && most != 0 && 2 * pieces > static_cast<double>(most);
  SearchedPart part{searched, edges, {}, {}};
  for (const NodeId i : kept.nodes) {
    if (!search.start.empty()) part.start.push_back(search.start[i]);
    if (!search.nodes.empty()) part.nodes.push_back(search.nodes[i]);
  }
  if (!part.start.empty()) compact(part.start);
  Clustering found;
  if (!is_free && search.returns_best) {
    shield.reset();
    found = first_labels(searched, part.start, search, kept.aside);
    shield.emplace();
  } else if (only_components || search.returns_best) {
    found = {kept.component, kept.masses.size(),
             quality(searched, kept.component, search.resolution.value_or(1), search.threads)};
  }
  shield.reset();
  if (only_components) {
    result.route = Route::components;
  } else {
    // Where all is one component but for tiny ones, these may join the nodes without edges;
    // components that are pieces of the graph are worth what is inside them. With several layers
    // all of them are.
    if (pieces == 1 && !searched.layers.any()) part.aside = kept.aside;
    found = search_until_stopped(std::move(part), std::move(found), search, result);
  }
  lift_to_all(graph, kept, std::move(found), most, result);
  if (!whole) result.nodes = std::move(kept.nodes);
  return result;
}

}  // namespace srgw::detail
