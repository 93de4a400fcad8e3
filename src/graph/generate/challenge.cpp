// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/message.hpp"
#include "base/random.hpp"
#include "base/sampling.hpp"
#include "base/stop.hpp"
#include "graph/generate/placing.hpp"
#include "graph/generate/power_law.hpp"
#include "graph/generate/stubs.hpp"
#include "srgw/generate.hpp"

namespace srgw {

namespace {

using detail::fail_argument;
using detail::Random;
using detail::StopCounter;

constexpr Index fewest_nodes = 10;

/// A gamma variable of the given shape, at least 1, and scale 1 (Marsaglia and Tsang 2000).
double draw_gamma(double shape, Random& random) {
  const double d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  while (true) {
    const double x = random.normal();
    const double root = 1 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    if (std::log(1 - random.uniform()) < x * x / 2 + d - d * v + d * std::log(v)) return d * v;
  }
}

/// The block of each node, drawn with probabilities from a symmetric Dirichlet distribution.
Assignment draw_blocks(Index nodes, std::size_t count, double concentration, Random& random) {
  std::vector<double> sums(count);
  for (double& sum : sums) sum = draw_gamma(concentration, random);
  std::partial_sum(sums.begin(), sums.end(), sums.begin());
  Assignment blocks(nodes);
  StopCounter stop;
  for (NodeId& block : blocks) {
    stop.throw_if_stopped();
    const double place = random.uniform() * sums.back();
    block =
        static_cast<NodeId>(std::upper_bound(sums.begin(), sums.end() - 1, place) - sums.begin());
  }
  return blocks;
}

/// Degrees of both directions, with the same sum: in-degrees are drawn again until it is.
struct Degrees {
  std::vector<Index> out, in;

  Degrees(Index nodes, const detail::DiscretePowerLaw& law, Random& random)
      : out(nodes), in(nodes) {
    Index missing = 0;  // in-degrees
    StopCounter stop;
    for (std::size_t i = 0; i < out.size(); ++i) {
      stop.throw_if_stopped();
      out[i] = law.draw(random);
      in[i] = law.draw(random);
      missing += out[i] - in[i];
    }
    while (missing != 0) {
      stop.throw_if_stopped();
      Index& degree = in[random.below(in.size())];
      const Index other = law.draw(random);
      if (std::abs(missing - (other - degree)) >= std::abs(missing)) continue;
      missing -= other - degree;
      degree = other;
    }
  }
};

Vector sums_of(const std::vector<Index>& degrees, const Assignment& blocks, Index count) {
  Vector sums = Vector::Zero(count);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    sums[blocks[i]] += static_cast<double>(degrees[i]);
  }
  return sums;
}

/// Expected arcs between blocks, x_r y_s strength_rs with the given sums of rows and columns, by
/// Sinkhorn iterations.
Matrix expected_arcs(const Vector& out, const Vector& in, double between) {
  const Index count = out.size();
  Matrix arcs = Matrix::Constant(count, count, between);
  arcs.diagonal().setOnes();
  const auto factors = [](const Vector& wanted, const Vector& found) -> Vector {
    return (found.array() > 0).select(wanted.array() / found.array().max(1e-300), 0.0);
  };
  constexpr int most_iterations = 1000;
  constexpr double precise = 1e-9;
  for (int i = 0; i < most_iterations; ++i) {
    arcs = arcs * factors(in, arcs.colwise().sum().transpose()).asDiagonal();
    const Vector rows = arcs.rowwise().sum();
    if ((rows - out).cwiseAbs().maxCoeff() <= precise * out.maxCoeff()) break;
    arcs = factors(out, rows).asDiagonal() * arcs;
  }
  return arcs;
}

/// The tails of arcs into each block. Each out-going end chooses a block with the probabilities of
/// a row of `arcs`; ends that are too many in a block go where some are missing.
std::vector<std::vector<NodeId>> choose_blocks(const std::vector<Index>& out,
                                               const Assignment& blocks, const Matrix& arcs,
                                               const Vector& in, Random& random) {
  const Index count = arcs.rows();
  std::vector<std::vector<double>> sums(count, std::vector<double>(count));
  for (Index r = 0; r < count; ++r) {
    double sum = 0;
    for (Index s = 0; s < count; ++s) sums[r][s] = sum += arcs(r, s);
  }
  std::vector<std::vector<NodeId>> tails(count);
  StopCounter stop;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::vector<double>& row = sums[blocks[i]];
    for (Index k = 0; k < out[i]; ++k) {
      stop.throw_if_stopped();
      const double place = random.uniform() * row.back();
      const auto block = std::upper_bound(row.begin(), row.end() - 1, place) - row.begin();
      tails[block].push_back(static_cast<NodeId>(i));
    }
  }
  std::vector<NodeId> moving;
  const auto wanted = [&](Index s) { return static_cast<std::size_t>(in[s]); };
  for (Index s = 0; s < count; ++s) {
    detail::shuffle(tails[s], random);
    while (tails[s].size() > wanted(s)) {
      moving.push_back(tails[s].back());
      tails[s].pop_back();
    }
  }
  detail::shuffle(moving, random);
  for (Index s = 0; s < count; ++s) {
    while (tails[s].size() < wanted(s)) {
      tails[s].push_back(moving.back());
      moving.pop_back();
    }
  }
  return tails;
}

}  // namespace

PlantedGraph generate(const GraphChallenge& options, std::uint64_t seed) {
  const Index n = options.nodes;
  if (n < fewest_nodes || n > Index{1} << 31) {
    fail_argument("nodes is {}, expected a number from {} to 2^31", n, fewest_nodes);
  }
  const double ratio = options.overlap == ChallengeLevel::low ? 5 : 2.5;
  const double concentration = options.size_variation == ChallengeLevel::low ? 10 : 10.0 / 3;
  const auto count = static_cast<Index>(std::pow(static_cast<double>(n), 0.35));
  Random random(seed, 0);
  Assignment blocks = draw_blocks(n, count, concentration, random);
  const detail::DiscretePowerLaw law(std::min<Index>(10, n / (4 * count)),
                                     std::min<Index>(100, n / count), 2.5);
  const Degrees degrees(n, law, random);
  const Vector out = sums_of(degrees.out, blocks, count), in = sums_of(degrees.in, blocks, count);
  const double between = count > 1 ? 1 / (ratio * static_cast<double>(count - 1)) : 0;
  const auto tails =
      choose_blocks(degrees.out, blocks, expected_arcs(out, in, between), in, random);
  detail::MatchedArcs all;
  const auto members = detail::members_of(blocks, count);
  for (std::size_t s = 0; s < members.size(); ++s) {
    std::vector<NodeId> heads;
    for (const NodeId i : members[s]) detail::repeat(heads, i, degrees.in[i]);
    const detail::MatchedArcs found = detail::match_arcs(tails[s], std::move(heads), random);
    all.arcs.insert(all.arcs.end(), found.arcs.begin(), found.arcs.end());
    all.left.insert(all.left.end(), found.left.begin(), found.left.end());
  }
  all = exchange_heads(std::move(all), random);
  return {.graph = Graph::from_edges(n, all.arcs, true), .blocks = std::move(blocks)};
}

}  // namespace srgw
