// SPDX-License-Identifier: MIT
#include "communities/reasons.hpp"

#include <fmt/format.h>

namespace srgw::detail {

namespace {

std::string about_route(const Communities& found) {
  switch (found.route) {
    case Route::components:
      return fmt::format(
          "The clusters are the {} connected components: so few clusters cannot "
          "split each of them.",
          found.count);
    case Route::split_merge:
      return "The graph looks like a tree from close by: clusters were found by splitting and "
             "merging.";
    case Route::contracted:
      return "The graph is large: the search was made on a contracted graph and refined on the "
             "whole.";
    case Route::multilevel: return "Clusters were found by multilevel search.";
  }
  return {};
}

std::string about_number(const Communities& found, const CommunitySearch& search) {
  if (!search.most_clusters) {
    return fmt::format("The number of clusters was free: {} maximise modularity at resolution 1.",
                       found.count);
  }
  if (found.count < *search.most_clusters) {
    return fmt::format(
        "{} clusters at resolution {:.3g}: {} were allowed, and the graph does not "
        "make more likely.",
        found.count, found.resolution, *search.most_clusters);
  }
  return fmt::format(
      "Resolution {:.3g} is the smallest tried at which the graph gives {} clusters.",
      found.resolution, found.count);
}

}  // namespace

std::vector<std::string> reasons(const Communities& found, const CommunitySearch& search,
                                 const Significance& significance) {
  std::vector<std::string> sentences;
  if (!significance.significant) {
    sentences.push_back(
        significance.copies > 0
            ? fmt::format("This graph has no communities: clusters of rewired copies are as good "
                          "(modularity {:.3f} at resolution {:.3g}, copies {:.3f}).",
                          significance.quality, found.resolution, significance.rewired)
            : "This graph has no communities: no partition is better than one cluster.");
    return sentences;
  }
  sentences.push_back(about_route(found));
  if (found.route == Route::multilevel || found.route == Route::contracted) {
    sentences.push_back(about_number(found, search));
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
