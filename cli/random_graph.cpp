// SPDX-License-Identifier: MIT
#include "cli/random_graph.hpp"

#include <algorithm>

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
      .argument("MODEL", wanted.model,
                "sbm (edge probabilities --p-in within blocks, --p-out between blocks), planted "
                "(given mean degree), degree-corrected (power-law degrees), lfr or abcd (power-law "
                "degrees and block sizes) or challenge (directed, IEEE HPEC Graph Challenge)")
      ->check(check_choice({"sbm", "planted", "degree-corrected", "lfr", "abcd", "challenge"}));
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
  options
      .number("--exponent", wanted.exponent, "degree-corrected, lfr, abcd: exponent of the degrees")
      ->default_str(as_text(standard.exponent));
  options.number("--largest-degree", wanted.largest_degree,
                 "degree-corrected, lfr, abcd: largest expected degree");
  options.number("--smallest-degree", wanted.smallest_degree, "abcd: smallest degree. Default: 5",
                 1, 0xFFFFFFFF);
  options.number("--size-exponent", wanted.size_exponent, "lfr, abcd: exponent of the block sizes")
      ->default_str(as_text(Lfr{}.size_exponent));
  options.number("--smallest-block", wanted.smallest_block,
                 "lfr, abcd: nodes of the smallest block. Default: 20", 1, 0xFFFFFFFF);
  options.number("--largest-block", wanted.largest_block,
                 "lfr, abcd: nodes of the largest block. Default: 100, abcd 250", 1, 0xFFFFFFFF);
  options.number("--noise", wanted.noise, "abcd: share of the edge ends that ignore the blocks")
      ->default_str(as_text(Abcd{}.noise));
  options.choice("--overlap", wanted.overlap, "challenge: how many edges are between blocks")
      ->default_str("low");
  options
      .choice("--size-variation", wanted.size_variation, "challenge: how much block sizes differ")
      ->default_str("low");
}

void check_model(const RandomGraph& wanted) {
  const auto refuse_unless = [&](bool given, const char* flag,
                                 std::initializer_list<std::string_view> models) {
    if (!given || std::ranges::find(models, wanted.model) != models.end()) return;
    fail_usage("{} with {}, expected it with {} only", flag, wanted.model,
               fmt::join(models, models.size() == 2 ? " and " : ", "));
  };
  refuse_unless(wanted.p_in.has_value(), "--p-in", {"sbm"});
  refuse_unless(wanted.p_out.has_value(), "--p-out", {"sbm"});
  refuse_unless(wanted.directed, "--directed", {"sbm"});
  refuse_unless(wanted.degree.has_value(), "--degree", {"planted", "degree-corrected", "lfr"});
  refuse_unless(wanted.inside.has_value(), "--inside", {"planted", "degree-corrected", "lfr"});
  refuse_unless(wanted.exponent.has_value(), "--exponent", {"degree-corrected", "lfr", "abcd"});
  refuse_unless(wanted.largest_degree.has_value(), "--largest-degree",
                {"degree-corrected", "lfr", "abcd"});
  refuse_unless(wanted.smallest_degree.has_value(), "--smallest-degree", {"abcd"});
  refuse_unless(wanted.size_exponent.has_value(), "--size-exponent", {"lfr", "abcd"});
  refuse_unless(wanted.smallest_block.has_value(), "--smallest-block", {"lfr", "abcd"});
  refuse_unless(wanted.largest_block.has_value(), "--largest-block", {"lfr", "abcd"});
  refuse_unless(wanted.noise.has_value(), "--noise", {"abcd"});
  refuse_unless(wanted.overlap.has_value(), "--overlap", {"challenge"});
  refuse_unless(wanted.size_variation.has_value(), "--size-variation", {"challenge"});
  const bool draws_blocks =
      wanted.model == "lfr" || wanted.model == "abcd" || wanted.model == "challenge";
  if (draws_blocks) {
    refuse_unless(wanted.blocks != RandomGraph{}.blocks, "--blocks",
                  {"sbm", "planted", "degree-corrected"});
    return;
  }
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

PlantedGraph draw_abcd(const RandomGraph& wanted, std::uint64_t seed) {
  Abcd model{.nodes = wanted.nodes};
  model.noise = wanted.noise.value_or(model.noise);
  model.degree_exponent = wanted.exponent.value_or(model.degree_exponent);
  model.smallest_degree = wanted.smallest_degree.value_or(model.smallest_degree);
  if (const auto largest = wanted.largest_degree) {
    if (!(*largest >= 0 && *largest < 1e18)) {
      fail_usage("--largest-degree {}, expected a number from 1 to the nodes", *largest);
    }
    model.largest_degree = static_cast<Index>(*largest);
  }
  model.size_exponent = wanted.size_exponent.value_or(model.size_exponent);
  model.smallest_size = wanted.smallest_block.value_or(model.smallest_size);
  model.largest_size = wanted.largest_block.value_or(model.largest_size);
  return generate(model, seed);
}

PlantedGraph draw_from(const RandomGraph& wanted, Index blocks, std::uint64_t seed) {
  if (wanted.model == "lfr") return draw_lfr(wanted, seed);
  if (wanted.model == "abcd") return draw_abcd(wanted, seed);
  if (wanted.model == "challenge") {
    return generate(
        GraphChallenge{.nodes = wanted.nodes,
                       .overlap = wanted.overlap.value_or(ChallengeLevel::low),
                       .size_variation = wanted.size_variation.value_or(ChallengeLevel::low)},
        seed);
  }
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
