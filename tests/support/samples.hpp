// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "srgw/samples.hpp"
#include "support/graphs.hpp"
#include "support/random_problem.hpp"

namespace srgw::test {

/// Random graphs of 5 to 12 nodes, with features of so many columns (0: none).
inline std::vector<Sample> random_samples(std::size_t count, Index columns, std::uint64_t seed = 1,
                                          bool directed = false) {
  std::vector<Sample> samples;
  for (std::size_t s = 0; s < count; ++s) {
    detail::Random random(seed, s);
    const Graph graph = random_graph({.nodes = 5 + static_cast<Index>(random.below(8)),
                                      .degree = 2 + static_cast<double>(s % 3),
                                      .directed = directed,
                                      .seed = random()});
    Sample sample{adjacency(graph)};
    sample.features = random_matrix(graph.nodes(), columns, random);
    samples.push_back(std::move(sample));
  }
  return samples;
}

}  // namespace srgw::test
