// SPDX-License-Identifier: MIT
#include "srgw/generate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/message.hpp"
#include "base/sampling.hpp"
#include "base/stop.hpp"
#include "graph/generate/power_law.hpp"

namespace srgw {

namespace {

using detail::fail_argument;
using detail::Random;

constexpr Index largest_node_count = std::numeric_limits<NodeId>::max();

/// Contiguous ranges of nodes.
Assignment contiguous_blocks(const std::vector<Index>& sizes) {
  Assignment blocks;
  for (std::size_t block = 0; block < sizes.size(); ++block) {
    blocks.insert(blocks.end(), sizes[block], static_cast<NodeId>(block));
  }
  return blocks;
}

/// Sizes that differ by at most one.
std::vector<Index> equal_sizes(Index nodes, Index blocks) {
  std::vector<Index> sizes(blocks, nodes / blocks);
  std::for_each_n(sizes.begin(), nodes % blocks, [](Index& size) { ++size; });
  return sizes;
}

// Planted blocks, with equal degrees or not.

/// The arguments that PlantedPartition and DegreeCorrected share.
struct Mixture {
  Index nodes, blocks;
  double mean_degree, inside;

  /// Twice the expected number of edges.
  [[nodiscard]] double ends() const { return static_cast<double>(nodes) * mean_degree; }
};

void check(const Mixture& options) {
  const auto& [nodes, blocks, mean_degree, inside] = options;
  if (nodes < 1 || nodes > largest_node_count) {
    fail_argument("nodes is {}, expected a number from 1 to {}", nodes, largest_node_count);
  }
  if (blocks < 1 || blocks > nodes) {
    fail_argument("blocks is {}, expected a number from 1 to {}, the nodes", blocks, nodes);
  }
  if (!(mean_degree > 0 && std::isfinite(mean_degree))) {
    fail_argument("mean_degree is {}, expected a finite number above 0", mean_degree);
  }
  if (!(inside >= 0 && inside <= 1)) {
    fail_argument("inside is {}, expected a number in [0, 1]", inside);
  }
}

/// Sums of d_i d_j over i != j in the same block and in different blocks, each pair counted twice.
struct PairSums {
  double inside = 0, between = 0;

  PairSums(const Vector& degrees, const Assignment& block, Index blocks) {
    Vector block_sums = Vector::Zero(blocks);
    for (std::size_t i = 0; i < block.size(); ++i) {
      block_sums[block[i]] += degrees[static_cast<Index>(i)];
    }
    inside = block_sums.squaredNorm() - degrees.squaredNorm();
    between = block_sums.sum() * block_sums.sum() - block_sums.squaredNorm();
  }
};

void check_pairs_suffice(const char* where, double ends, double pairs_twice) {
  constexpr double rounding = 1e-9;
  if (ends > pairs_twice + rounding) {
    fail_argument(
        "mean_degree and inside ask for {} edges {} blocks, expected at most {}, the pairs",
        ends / 2, where, pairs_twice / 2);
  }
}

/// Independent edges with probability c d_i d_j. The number c is one inside blocks and another
/// between them, such that as many edges of each kind are expected as the options say; pairs whose
/// probability would exceed 1 are certain.
std::vector<Entry> draw_edges(const Mixture& options, const Assignment& block,
                              const Vector& degrees, Random& random) {
  const PairSums sums(degrees, block, options.blocks);
  const auto factor = [&](double share, double sum) {
    return sum > 0 ? share * options.ends() / sum : 0;
  };
  std::vector<Entry> edges;
  edges.reserve(static_cast<std::size_t>(0.51 * options.ends()));
  detail::StopCounter stop;

  Assignment order(block.size());
  std::iota(order.begin(), order.end(), NodeId{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](NodeId a, NodeId b) { return degrees[a] > degrees[b]; });
  detail::visit_pairs(order, degrees, factor(1 - options.inside, sums.between), random,
                      [&](NodeId a, NodeId b) {
                        stop.throw_if_stopped();
                        if (block[a] != block[b]) edges.push_back({a, b});
                      });

  std::stable_sort(order.begin(), order.end(),
                   [&](NodeId a, NodeId b) { return block[a] < block[b]; });
  for (auto begin = order.begin(); begin != order.end();) {
    const auto end =
        std::find_if(begin, order.end(), [&](NodeId i) { return block[i] != block[*begin]; });
    detail::visit_pairs({begin, end}, degrees, factor(options.inside, sums.inside), random,
                        [&](NodeId a, NodeId b) {
                          stop.throw_if_stopped();
                          edges.push_back({a, b});
                        });
    begin = end;
  }
  return edges;
}

PlantedGraph draw_planted(const Mixture& options, const Vector& degrees, Random& random) {
  Assignment block = contiguous_blocks(equal_sizes(options.nodes, options.blocks));
  const PairSums pairs(Vector::Ones(options.nodes), block, options.blocks);
  check_pairs_suffice("inside", options.inside * options.ends(), pairs.inside);
  check_pairs_suffice("between", (1 - options.inside) * options.ends(), pairs.between);
  const std::vector<Entry> edges = draw_edges(options, block, degrees, random);
  return {.graph = Graph::from_edges(options.nodes, edges), .blocks = std::move(block)};
}

Vector draw_degrees(const DegreeCorrected& options, double largest, Random& random) {
  const double smallest = detail::smallest_for_mean(options.mean_degree, largest, options.exponent);
  Vector degrees(options.nodes);
  detail::StopCounter stop;
  for (double& degree : degrees) {
    stop.throw_if_stopped();
    degree = detail::draw_power_law(smallest, largest, options.exponent, random);
  }
  return degrees;
}

/// Throws unless the power law is possible; fills in the default.
double checked_largest_degree(const DegreeCorrected& options) {
  const auto& [nodes, blocks, mean_degree, inside, exponent, largest_degree] = options;
  if (!(exponent > 2 && std::isfinite(exponent))) {
    fail_argument("exponent is {}, expected a finite number above 2", exponent);
  }
  const auto n = static_cast<double>(nodes);
  const double largest = largest_degree == 0 ? std::sqrt(n * mean_degree) : largest_degree;
  if (!(largest >= mean_degree && largest <= n)) {
    fail_argument("largest_degree is {}, expected a number from {}, the mean, to {}, the nodes",
                  largest, mean_degree, nodes);
  }
  return largest;
}

// Stochastic block models.

void check(const StochasticBlockModel& options) {
  const auto& [sizes, probabilities, directed] = options;
  const auto blocks = static_cast<Index>(sizes.size());
  if (blocks == 0) fail_argument("sizes is empty, expected at least one block");
  Index nodes = 0;
  for (const Index size : sizes) {
    if (size < 1 || size > largest_node_count - nodes) {
      fail_argument("a block of {} after {} nodes, expected sizes from 1 up and at most {} nodes",
                    size, nodes, largest_node_count);
    }
    nodes += size;
  }
  if (probabilities.rows() != blocks || probabilities.cols() != blocks) {
    fail_argument("probabilities is {} x {}, expected {} x {}", probabilities.rows(),
                  probabilities.cols(), blocks, blocks);
  }
  for (Index r = 0; r < blocks; ++r) {
    for (Index s = 0; s < blocks; ++s) {
      const double p = probabilities(r, s);
      if (!(p >= 0 && p <= 1)) {
        fail_argument("probabilities({}, {}) is {}, expected a number in [0, 1]", r, s, p);
      }
      if (!directed && p != probabilities(s, r)) {
        fail_argument(
            "probabilities({0}, {1}) is {2} and ({1}, {0}) is {3}, expected equal numbers", r, s, p,
            probabilities(s, r));
      }
    }
  }
}

/// Arcs from one range of nodes to another one, which is disjoint from it or the same.
class BlockSampler {
 public:
  explicit BlockSampler(std::uint64_t seed) : random_(seed, 0) {}

  void draw_between(Index row_begin, Index row_size, Index column_begin, Index column_size,
                    double p) {
    detail::visit_places(row_size * column_size, p, random_, [&](Index place) {
      add(row_begin + place / column_size, column_begin + place % column_size);
    });
  }

  /// Pairs i < j, or with `directed` all pairs i != j.
  void draw_inside(Index begin, Index size, double p, bool directed) {
    for (Index i = 0; i < size; ++i) {
      stop_.throw_if_stopped();
      const Index first = directed ? 0 : i;  // the place of i itself is left out
      detail::visit_places(size - 1 - first, p, random_, [&](Index place) {
        const Index j = first + place;
        add(begin + i, begin + (j < i ? j : j + 1));
      });
    }
  }

  [[nodiscard]] const std::vector<Entry>& edges() const { return edges_; }

 private:
  void add(Index row, Index column) {
    stop_.throw_if_stopped();
    edges_.push_back({static_cast<NodeId>(row), static_cast<NodeId>(column)});
  }

  Random random_;
  std::vector<Entry> edges_;
  detail::StopCounter stop_;
};

}  // namespace

PlantedGraph generate(const PlantedPartition& options, std::uint64_t seed) {
  const auto& [nodes, blocks, mean_degree, inside] = options;
  const Mixture mixture{nodes, blocks, mean_degree, inside};
  check(mixture);
  Random random(seed, 0);
  return draw_planted(mixture, Vector::Ones(nodes), random);
}

PlantedGraph generate(const DegreeCorrected& options, std::uint64_t seed) {
  const Mixture mixture{options.nodes, options.blocks, options.mean_degree, options.inside};
  check(mixture);
  const double largest = checked_largest_degree(options);
  Random random(seed, 0);
  const Vector degrees = draw_degrees(options, largest, random);
  return draw_planted(mixture, degrees, random);
}

PlantedGraph generate(const StochasticBlockModel& options, std::uint64_t seed) {
  check(options);
  const auto& [sizes, probabilities, directed] = options;
  BlockSampler sampler(seed);
  Index row_begin = 0;
  for (std::size_t r = 0; r < sizes.size(); row_begin += sizes[r++]) {
    Index column_begin = 0;
    for (std::size_t s = 0; s < sizes.size(); column_begin += sizes[s++]) {
      const double p = probabilities(static_cast<Index>(r), static_cast<Index>(s));
      if (r == s) {
        sampler.draw_inside(row_begin, sizes[r], p, directed);
      } else if (directed || r < s) {
        sampler.draw_between(row_begin, sizes[r], column_begin, sizes[s], p);
      }
    }
  }
  const Index nodes = row_begin;
  return {.graph = Graph::from_edges(nodes, sampler.edges(), directed),
          .blocks = contiguous_blocks(sizes)};
}

}  // namespace srgw
