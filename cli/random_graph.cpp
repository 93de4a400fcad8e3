// SPDX-License-Identifier: MIT
#include "cli/random_graph.hpp"

#include "cli/common.hpp"
#include "cli/exit_code.hpp"
#include "cli/options.hpp"

namespace srgw::cli {

namespace {

constexpr double standard_p_in = 0.1, standard_p_out = 0.01;

}  // namespace

void add_random_graph(CLI::App& app, RandomGraph& wanted) {
  const auto as_text = [](double value) { return fmt::format("{}", value); };
  const DegreeCorrected standard;
  Options options(app);
  options
      .argument(
          "MODEL", wanted.model,
          "sbm (edge probabilities --p-in within blocks, --p-out between blocks), planted "
          "(given mean degree), degree-corrected (power-law degrees) or lfr (power-law degrees "
          "and block sizes)")
      ->check(check_choice({"sbm", "planted", "degree-corrected", "lfr"}));
  options.number("-n,--nodes", wanted.nodes, "Nodes of a graph", 1, 0xFFFFFFFF);
  options
      .text("-b,--blocks", wanted.blocks, "N", "Number of blocks; with --graphs one for each class")
      ->delimiter(',')
      ->default_str("10");
  options.number("--p-in", wanted.p_in, "sbm: edge probability within blocks")
      ->default_str(as_text(standard_p_in));
  options.number("--p-out", wanted.p_out, "sbm: edge probability between blocks")
      ->default_str(as_text(standard_p_out));
  options.flag("--directed", wanted.directed, "sbm: draw directed edges");
  options.number("--degree", wanted.degree, "Mean degree")
      ->default_str(as_text(standard.mean_degree));
  options.number("--inside", wanted.inside, "Expected share of the edges within blocks")
      ->default_str(as_text(standard.inside));
  options.number("--exponent", wanted.exponent, "degree-corrected, lfr: exponent of the degrees")
      ->default_str(as_text(standard.exponent));
  options.number("--largest-degree", wanted.largest_degree,
                 "degree-corrected, lfr: largest expected degree");
  options.number("--size-exponent", wanted.size_exponent, "lfr: exponent of the block sizes")
      ->default_str(as_text(Lfr{}.size_exponent));
  options.number("--smallest-block", wanted.smallest_block,
                 "lfr: nodes of the smallest block. Default: 20", 1, 0xFFFFFFFF);
  options.number("--largest-block", wanted.largest_block,
                 "lfr: nodes of the largest block. Default: 100", 1, 0xFFFFFFFF);
}

void check_model(const RandomGraph& wanted) {
  const bool sbm = wanted.model == "sbm", lfr = wanted.model == "lfr";
  const bool heavy = wanted.model == "degree-corrected" || lfr;
  const auto refuse = [&](bool given, const char* flag, const char* models) {
    if (given) fail_usage("{} with {}, expected it with {} only", flag, wanted.model, models);
  };
  refuse(!sbm && wanted.p_in, "--p-in", "sbm");
  refuse(!sbm && wanted.p_out, "--p-out", "sbm");
  refuse(!sbm && wanted.directed, "--directed", "sbm");
  refuse(sbm && wanted.degree, "--degree", "planted, degree-corrected and lfr");
  refuse(sbm && wanted.inside, "--inside", "planted, degree-corrected and lfr");
  refuse(!heavy && wanted.exponent, "--exponent", "degree-corrected and lfr");
  refuse(!heavy && wanted.largest_degree, "--largest-degree", "degree-corrected and lfr");
  refuse(!lfr && wanted.size_exponent, "--size-exponent", "lfr");
  refuse(!lfr && wanted.smallest_block, "--smallest-block", "lfr");
  refuse(!lfr && wanted.largest_block, "--largest-block", "lfr");
  if (lfr) return;  // which draws its blocks
  for (const Index count : wanted.blocks) {
    if (count < 1 || count > wanted.nodes) {
      fail_usage("--blocks {} of --nodes {}, expected 1 to that", count, wanted.nodes);
    }
  }
}

namespace {

PlantedGraph draw_lfr(const RandomGraph& wanted, std::uint64_t seed) {
  Lfr model{.nodes = wanted.nodes};
  model.mean_degree = wanted.degree.value_or(model.mean_degree);
  model.largest_degree = wanted.largest_degree.value_or(model.largest_degree);
  model.mixing = wanted.inside ? 1 - *wanted.inside : model.mixing;
  model.degree_exponent = wanted.exponent.value_or(model.degree_exponent);
  model.size_exponent = wanted.size_exponent.value_or(model.size_exponent);
  model.smallest_size = wanted.smallest_block.value_or(model.smallest_size);
  model.largest_size = wanted.largest_block.value_or(model.largest_size);
  return generate(model, seed);
}

PlantedGraph draw_from(const RandomGraph& wanted, Index blocks, std::uint64_t seed) {
  if (wanted.model == "lfr") return draw_lfr(wanted, seed);
  if (wanted.model == "sbm") {
    StochasticBlockModel model;
    model.directed = wanted.directed;
    for (Index b = 0; b < blocks; ++b) {
      model.sizes.push_back((b + 1) * wanted.nodes / blocks - b * wanted.nodes / blocks);
    }
    model.probabilities = Matrix::Constant(blocks, blocks, wanted.p_out.value_or(standard_p_out));
    model.probabilities.diagonal().setConstant(wanted.p_in.value_or(standard_p_in));
    return generate(model, seed);
  }
  if (wanted.model == "planted") {
    PlantedPartition model{.nodes = wanted.nodes, .blocks = blocks};
    model.mean_degree = wanted.degree.value_or(model.mean_degree);
    model.inside = wanted.inside.value_or(model.inside);
    return generate(model, seed);
  }
  DegreeCorrected model{.nodes = wanted.nodes, .blocks = blocks};
  model.mean_degree = wanted.degree.value_or(model.mean_degree);
  model.inside = wanted.inside.value_or(model.inside);
  model.exponent = wanted.exponent.value_or(model.exponent);
  model.largest_degree = wanted.largest_degree.value_or(model.largest_degree);
  return generate(model, seed);
}

}  // namespace

PlantedGraph draw(const RandomGraph& wanted, Index blocks, std::uint64_t seed) {
  try {
    return draw_from(wanted, blocks, seed);
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::argument) throw;
    // There is no input but the options.
    fail_usage("{} with --nodes {}: {}", wanted.model, wanted.nodes, error.what());
  }
}

}  // namespace srgw::cli
