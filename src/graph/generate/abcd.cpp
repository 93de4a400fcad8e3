// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numeric>

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

void check(const Abcd& o) {
  if (o.nodes < 2 || o.nodes > Index{1} << 31) {
    fail_argument("nodes is {}, expected a number from 2 to 2^31", o.nodes);
  }
  if (!(o.noise >= 0 && o.noise <= 1)) {
    fail_argument("noise is {}, expected a number in [0, 1]", o.noise);
  }
  if (!(o.degree_exponent >= 1 && o.size_exponent >= 1 && std::isfinite(o.degree_exponent) &&
        std::isfinite(o.size_exponent))) {
    fail_argument("exponents {} and {} of degrees and sizes, expected finite numbers from 1 on",
                  o.degree_exponent, o.size_exponent);
  }
  if (o.smallest_degree < 1 || o.smallest_degree > o.largest_degree ||
      o.largest_degree >= o.nodes) {
    fail_argument("degrees from {} to {}, expected 1 <= smallest <= largest < {} nodes",
                  o.smallest_degree, o.largest_degree, o.nodes);
  }
  if (o.smallest_size < 2 || o.smallest_size > o.largest_size || o.largest_size > o.nodes) {
    fail_argument("communities of {} to {} nodes, expected 2 <= smallest <= largest <= {}",
                  o.smallest_size, o.largest_size, o.nodes);
  }
  const double inside = (1 - o.noise) * static_cast<double>(o.largest_degree);
  if (inside > static_cast<double>(o.largest_size - 1)) {
    fail_argument(
        "{} neighbours inside a community of at most {} nodes, expected room: raise largest_size "
        "or noise, or lower largest_degree",
        inside, o.largest_size);
  }
}

/// Degrees with an even sum.
std::vector<Index> draw_degrees(const Abcd& options, Random& random) {
  const detail::DiscretePowerLaw law(options.smallest_degree, options.largest_degree,
                                     options.degree_exponent);
  std::vector<Index> degrees(options.nodes);
  detail::StopCounter stop;
  Index sum = 0;
  for (Index& degree : degrees) {
    stop.throw_if_stopped();
    degree = law.draw(random);
    sum += degree;
  }
  if (sum % 2 != 0) {
    // A node has one neighbour more, unless it is linked with all others.
    Index& degree = *std::ranges::min_element(degrees);
    degree += degree + 1 < options.nodes ? 1 : -1;
  }
  return degrees;
}

/// Sizes that add up to the nodes, largest first. The last one that was drawn is cut, or spread
/// over the others where too little would be left of it.
std::vector<Index> draw_sizes(const Abcd& options, Random& random) {
  const detail::DiscretePowerLaw law(options.smallest_size, options.largest_size,
                                     options.size_exponent);
  std::vector<Index> sizes;
  Index left = options.nodes;
  detail::StopCounter stop;
  while (left > 0) {
    stop.throw_if_stopped();
    sizes.push_back(std::min(law.draw(random), left));
    left -= sizes.back();
  }
  if (const Index rest = sizes.back(); sizes.size() > 1 && rest < options.smallest_size) {
    sizes.pop_back();
    for (Index i = 0; i < rest; ++i) ++sizes[static_cast<std::size_t>(i) % sizes.size()];
  }
  std::ranges::sort(sizes, std::greater<>());
  return sizes;
}

/// The share of the noise that is expected to leave its community.
double share_outside(const std::vector<Index>& sizes, Index nodes) {
  double squares = 0;
  for (const Index size : sizes) {
    const double share = static_cast<double>(size) / static_cast<double>(nodes);
    squares += share * share;
  }
  return 1 - squares;
}

/// An even number of edge ends inside a community: the node with most has one more or less.
void make_even(const std::vector<NodeId>& community, const std::vector<Index>& degrees,
               std::vector<Index>& inside) {
  Index sum = 0;
  for (const NodeId i : community) sum += inside[i];
  if (sum % 2 == 0) return;
  const NodeId i = *std::ranges::max_element(community, {}, [&](NodeId j) { return inside[j]; });
  inside[i] += inside[i] < std::min(degrees[i], std::ssize(community) - 1) ? 1 : -1;
}

}  // namespace

PlantedGraph generate(const Abcd& options, std::uint64_t seed) {
  check(options);
  Random random(seed, 0);
  const std::vector<Index> degrees = draw_degrees(options, random);
  const std::vector<Index> sizes = draw_sizes(options, random);
  const double outside = options.noise * share_outside(sizes, options.nodes);
  std::vector<Index> inside(degrees.size());
  for (std::size_t i = 0; i < inside.size(); ++i) {
    inside[i] = static_cast<Index>(std::ceil((1 - outside) * static_cast<double>(degrees[i])));
  }
  Assignment blocks = detail::place_nodes(sizes, inside, random);
  for (std::size_t i = 0; i < inside.size(); ++i) {
    const double share = (1 - options.noise) * static_cast<double>(degrees[i]);
    inside[i] =
        std::min({degrees[i], sizes[blocks[i]] - 1, static_cast<Index>(share + random.uniform())});
  }

  std::vector<Entry> edges;
  std::vector<Index> left = degrees;  // ends for which there is no edge yet
  for (const std::vector<NodeId>& community : detail::members_of(blocks, sizes.size())) {
    make_even(community, degrees, inside);
    std::vector<NodeId> stubs;
    for (const NodeId i : community) detail::repeat(stubs, i, inside[i]);
    for (const Entry& edge : detail::match_stubs(std::move(stubs), nullptr, random)) {
      --left[edge.row];
      --left[edge.column];
      edges.push_back(edge);
    }
  }
  std::vector<NodeId> stubs;
  for (std::size_t i = 0; i < left.size(); ++i) {
    detail::repeat(stubs, static_cast<NodeId>(i), left[i]);
  }
  const std::vector<Entry> found = detail::match_stubs(std::move(stubs), nullptr, random, edges);
  edges.insert(edges.end(), found.begin(), found.end());
  return {.graph = Graph::from_edges(options.nodes, edges), .blocks = std::move(blocks)};
}

}  // namespace srgw
