// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "srgw/generate.hpp"

namespace srgw::cli {

/// A model of random graphs and its numbers, as they were given.
struct RandomGraph {
  std::string model;
  Index nodes = 1000;
  std::vector<Index> blocks{10};
  std::optional<double> p_in, p_out, degree, inside, exponent, largest_degree, size_exponent, noise;
  std::optional<Index> smallest_degree, smallest_block, largest_block;
  std::optional<ChallengeLevel> overlap, size_variation;
  bool directed = false;
};
void add_random_graph(CLI::App& app, RandomGraph& wanted);

/// Throws a usage error when the model lacks a number that was given.
void check_model(const RandomGraph& wanted);

[[nodiscard]] PlantedGraph draw(const RandomGraph& wanted, Index blocks, std::uint64_t seed);

}  // namespace srgw::cli
