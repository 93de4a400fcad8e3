// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "base/message.hpp"
#include "base/random.hpp"
#include "base/stop.hpp"
#include "graph/generate/placing.hpp"
#include "graph/generate/power_law.hpp"
#include "graph/generate/stubs.hpp"
#include "srgw/generate.hpp"

namespace srgw {

namespace {

using detail::fail_argument;
using detail::Random;

void check(const Lfr& options) {
  const auto& o = options;
  if (o.nodes < 2 || o.nodes > Index{1} << 31) {
    fail_argument("nodes is {}, expected a number from 2 to 2^31", o.nodes);
  }
  if (!(o.mixing >= 0 && o.mixing <= 1)) {
    fail_argument("mixing is {}, expected a number in [0, 1]", o.mixing);
  }
  const auto n = static_cast<double>(o.nodes);
  if (!(o.mean_degree >= 1 && o.mean_degree <= o.largest_degree && o.largest_degree < n)) {
    fail_argument("degrees of mean {} and largest {}, expected 1 <= mean <= largest < {} nodes",
                  o.mean_degree, o.largest_degree, o.nodes);
  }
  if (!(o.degree_exponent > 2 && o.size_exponent >= 1 && std::isfinite(o.degree_exponent) &&
        std::isfinite(o.size_exponent))) {
    fail_argument("exponents {} and {}, expected one above 2 for degrees and at least 1 for sizes",
                  o.degree_exponent, o.size_exponent);
  }
  if (o.smallest_size < 2 || o.smallest_size > o.largest_size || o.largest_size > o.nodes) {
    fail_argument("communities of {} to {} nodes, expected 2 <= smallest <= largest <= {}",
                  o.smallest_size, o.largest_size, o.nodes);
  }
  if ((1 - o.mixing) * o.largest_degree > static_cast<double>(o.largest_size - 1)) {
    fail_argument(
        "{} neighbours inside a community of at most {} nodes, expected room: raise largest_size "
        "or mixing, or lower largest_degree",
        (1 - o.mixing) * o.largest_degree, o.largest_size);
  }
}

/// Sizes from x^-exponent on [smallest, largest] that add up to the nodes, largest first.
std::vector<Index> draw_sizes(const Lfr& options, Random& random) {
  std::vector<Index> sizes;
  Index left = options.nodes;
  while (left > 0) {
    const double drawn = detail::draw_power_law(static_cast<double>(options.smallest_size),
                                                static_cast<double>(options.largest_size) + 1,
                                                options.size_exponent, random);
    const Index size = std::min({static_cast<Index>(drawn), options.largest_size, left});
    sizes.push_back(size);
    left -= size;
  }
  std::sort(sizes.begin(), sizes.end(), std::greater<>());
  if (sizes.size() > 1 && sizes.back() < options.smallest_size) {
    // The rest is too small for a community: it is spread over the others.
    const Index rest = sizes.back();
    sizes.pop_back();
    for (Index i = 0; i < rest; ++i) ++sizes[static_cast<std::size_t>(i) % sizes.size()];
  }
  return sizes;
}

}  // namespace

PlantedGraph generate(const Lfr& options, std::uint64_t seed) {
  check(options);
  Random random(seed, 0);
  const std::size_t n = options.nodes;
  const double smallest_degree = detail::smallest_for_mean(
      options.mean_degree, options.largest_degree, options.degree_exponent);
  std::vector<Index> degree(n), inside(n);
  detail::StopCounter stop;
  for (std::size_t i = 0; i < n; ++i) {
    stop.throw_if_stopped();
    const double drawn = detail::draw_power_law(smallest_degree, options.largest_degree,
                                                options.degree_exponent, random);
    degree[i] = std::max<Index>(1, static_cast<Index>(drawn + random.uniform()));
    const double share = (1 - options.mixing) * static_cast<double>(degree[i]);
    inside[i] = std::min(degree[i], static_cast<Index>(share + random.uniform()));
  }
  const std::vector<Index> sizes = draw_sizes(options, random);
  Assignment blocks = detail::place_nodes(sizes, inside, random);

  const auto members = detail::members_of(blocks, sizes.size());
  std::vector<Entry> edges;
  std::vector<NodeId> outside;
  for (const std::vector<NodeId>& community : members) {
    std::vector<NodeId> stubs;
    for (const NodeId i : community) {
      stop.throw_if_stopped();
      detail::repeat(stubs, i, inside[i]);
      detail::repeat(outside, i, degree[i] - inside[i]);
    }
    const std::vector<Entry> found = detail::match_stubs(std::move(stubs), nullptr, random);
    edges.insert(edges.end(), found.begin(), found.end());
  }
  const std::vector<Entry> found = detail::match_stubs(std::move(outside), &blocks, random);
  edges.insert(edges.end(), found.begin(), found.end());
  return {.graph = Graph::from_edges(options.nodes, edges), .blocks = std::move(blocks)};
}

}  // namespace srgw
