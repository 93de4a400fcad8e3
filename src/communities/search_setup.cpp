// SPDX-License-Identifier: MIT
#include "communities/search_setup.hpp"

#include <algorithm>

#include "base/message.hpp"
#include "base/parallel.hpp"

namespace srgw::detail {

CommunitySearch search_for(const SearchedGraph& graph, const PartitionOptions& options,
                           const Run& run) {
  CommunitySearch search{.starts = options.starts,
                         .effort = options.effort,
                         .seed = run.seed,
                         .threads = resolve_threads(run.threads),
                         .returns_best = has_limit(run)};
  // Edges are counted: weights say nothing about the length of a description.
  const bool counts_edges = graph.weighted().weights.empty();
  if (!counts_edges && options.criterion == PartitionCriterion::description_length) {
    fail_argument(
        "criterion description-length for a weighted graph, expected modularity: the description "
        "length counts edges");
  }
  search.by_description =
      !options.clusters && counts_edges && options.criterion != PartitionCriterion::modularity;
  if (options.clusters) search.most_clusters = std::min(*options.clusters, graph.nodes());
  if (!graph.layers().empty() && run.observer) {
    search.constant = source_constant(graph.layers(), graph.weights(), search.threads);
  }
  return search;
}

void tell_observer(const Run& run, StopScope& scope, CommunitySearch& search) {
  if (!run.observer) return;
  search.observer = [&run, &scope, iteration = 0](double value) mutable {
    if (!run.observer({.iteration = iteration++, .value = value})) {
      scope.request_stop(Status::interrupted);
    }
  };
}

Significance judge_communities(const SearchedGraph& graph, const PartitionOptions& options,
                               const Communities& found, const CommunitySearch& search) {
  // Features may tell nodes apart where edges do not; so do labels that are known.
  const bool tells_more = options.features || options.previous || options.fixed;
  if (!options.test_significance || tells_more || options.clusters == Index{1}) return {};
  return test_significance(graph, found, search);
}

void raise_to_number(const SearchedGraph& graph, const Significance& significance,
                     const CommunitySearch& search, Communities& found) {
  constexpr int most_attempts = 5;
  constexpr double raise = 1.3;
  if (significance.significant) return;
  const std::size_t most = search.most_clusters.value_or(0);
  CommunitySearch finer = search;
  finer.resolution = found.resolution;
  for (int attempt = 0; attempt < most_attempts && found.count < most && 2 * found.count >= most;
       ++attempt) {
    *finer.resolution *= raise;
    Communities trial = find_communities(graph.weighted(), graph.edges(), finer);
    if (trial.complete && trial.count > found.count) found = std::move(trial);
    throw_if_stopped();
  }
}

void become_one_cluster(const WeightedGraph& weighted, Communities& found) {
  found.count = 1;
  for (std::size_t i = 0; i < weighted.size(); ++i) {
    found.labels[i] = weighted.degree(i) > 0 ? 0 : 1;
  }
}

std::optional<PartitionCriterion> deciding_criterion(const CommunitySearch& search,
                                                     const Communities& found) {
  if (search.most_clusters) return {};
  return found.decided_by_length ? PartitionCriterion::description_length
                                 : PartitionCriterion::modularity;
}

}  // namespace srgw::detail
