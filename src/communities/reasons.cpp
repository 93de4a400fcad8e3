// SPDX-License-Identifier: MIT
#include "communities/reasons.hpp"

#include <fmt/format.h>

namespace srgw::detail {

namespace {

std::string about_route(const Communities& found, const CommunitySearch& search, Index supported) {
  if (!found.complete) {
    return found.route == Route::components
               ? "The search was stopped before it had found clusters: these are the connected "
                 "components."
               : "The search was stopped: the clusters are the best found until then.";
  }
  switch (found.route) {
    case Route::components:
      return fmt::format(
          "The clusters are the {} connected components: so few clusters cannot "
          "split each of them.",
          supported);
    case Route::split_merge:
      return std::string(
                 "The graph has few short cycles: clusters were found by splitting and merging") +
             (search.by_description
                  ? ", at resolution 1: the description length does not choose their number there."
                  : ".");
    case Route::contracted:
      return "The graph is large: the search was made on a contracted graph and refined on the "
             "whole.";
    case Route::multilevel: return "Clusters were found by multilevel search.";
  }
  return {};
}

std::string about_number(const Communities& found, const CommunitySearch& search, Index supported,
                         const Partition& result) {
  if (!search.most_clusters) {
    std::string_view why = search.effort == PartitionEffort::quick
                               ? "by modularity, as the effort is quick"
                               : "the largest modularity";
    if (!result.lengths.empty()) {
      why = found.decided_by_length ? "chosen by description length"
                                    : "as the graph is too sparse for the description length";
    }
    std::string text = fmt::format("The number of clusters was free: {} at resolution {:.3g}, {}.",
                                   found.count, result.resolution, why);
    if (supported != static_cast<Index>(found.count)) {
      text += fmt::format(" Later steps made it {}.", supported);
    }
    return text;
  }
  const auto most = static_cast<Index>(*search.most_clusters);
  if (supported < most) {
    return fmt::format(
        "{} clusters at resolution {:.3g}: {} were given, and the graph does not support more.",
        supported, result.resolution, most);
  }
  return fmt::format(
      "Resolution {:.3g} is the smallest tried at which the graph gives {} clusters.",
      result.resolution, supported);
}

std::string about_test(const Significance& significance, const Partition& result) {
  if (!significance.complete) return "The test for communities was stopped before its end.";
  std::string text = "No communities: no partition is better than one cluster.";
  if (significance.copies > 0) {
    text = fmt::format(
        "No communities: a test against rewired copies finds none (modularity {:.3f} at resolution "
        "{:.3g}, copies {:.3f} on average).",
        significance.quality, significance.resolution, significance.rewired);
  }
  if (result.clusters > 1) {
    text += fmt::format(
        " The {} clusters are kept because their number was given, with hard memberships.",
        result.clusters);
  }
  return text;
}

}  // namespace

std::vector<std::string> explain_search(const Communities& found, const CommunitySearch& search,
                                        const Significance& significance, std::size_t split_off,
                                        const Partition& result) {
  const Index supported = result.clusters - static_cast<Index>(split_off);
  std::vector<std::string> sentences;
  if (!significance.significant || (found.complete && !significance.complete)) {
    sentences.push_back(about_test(significance, result));
  }
  if (!significance.significant && !search.most_clusters) return sentences;  // one cluster
  sentences.push_back(about_route(found, search, supported));
  if (found.complete && (found.route == Route::multilevel || found.route == Route::contracted)) {
    sentences.push_back(about_number(found, search, supported, result));
  }
  if (split_off > 0) {
    sentences.push_back(fmt::format(
        "{} single nodes are clusters of their own, with hard memberships, so that there are {}: "
        "those that cost least modularity.",
        split_off, result.clusters));
  }
  if (found.isolated > 0) {
    sentences.push_back(fmt::format(
        "{} nodes have no edge to another node and form a group of their own.", found.isolated));
  }
  if (found.unconnected > found.isolated) {
    sentences.push_back(fmt::format(
        "{} nodes of small components ({:.2g} % of the edges) are in that group, too: so few "
        "clusters go to larger parts of the graph.",
        found.unconnected - found.isolated, 100 * found.unconnected_mass));
  }
  return sentences;
}

}  // namespace srgw::detail
