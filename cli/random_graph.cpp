// SPDX-License-Identifier: MIT
#include "cli/random_graph.hpp"

#include "cli/common.hpp"
#include "cli/exit_code.hpp"

namespace srgw::cli {

namespace {

constexpr double standard_p_in = 0.1, standard_p_out = 0.01;

}  // namespace

void add_random_graph(CLI::App& app, RandomGraph& wanted) {
  app.add_option(
         "MODEL", wanted.model,
         "sbm (edges with probability --p-in inside blocks, --p-out between), planted "
         "(given mean degree), degree-corrected (degrees from a power law) or lfr (sizes of the "
         "blocks, too)")
      ->type_name("")
      ->check(silent(CLI::IsMember({"sbm", "planted", "degree-corrected", "lfr"})))
      ->required();
  const auto number = [&](const char* flag, std::optional<double>& value, const char* text) {
    auto* option = app.add_option(flag, value, text);
    return option->type_name("X")->check(number_from(0));
  };
  const auto as_text = [](double value) { return fmt::format("{}", value); };
  const auto size = [&](const char* flag, std::optional<Index>& value, const char* text) {
    app.add_option(flag, value, text)
        ->type_name("N")
        ->check(silent(CLI::Range(Index{1}, Index{0xFFFFFFFF})));
  };
  const DegreeCorrected standard;
  app.add_option("-n,--nodes", wanted.nodes, "Nodes of a graph")
      ->type_name("N")
      ->check(silent(CLI::Range(Index{1}, Index{0xFFFFFFFF})))
      ->capture_default_str();
  app.add_option("-b,--blocks", wanted.blocks, "Blocks; with --graphs one number for each class")
      ->type_name("N")
      ->delimiter(',')
      ->default_str("10");
  number("--p-in", wanted.p_in, "sbm: probability of an edge in a block")
      ->default_str(as_text(standard_p_in));
  number("--p-out", wanted.p_out, "sbm: probability of an edge between blocks")
      ->default_str(as_text(standard_p_out));
  app.add_flag("--directed", wanted.directed, "sbm: draw arcs");
  number("--degree", wanted.degree, "Mean degree")->default_str(as_text(standard.mean_degree));
  number("--inside", wanted.inside, "Expected share of the edges in a block")
      ->default_str(as_text(standard.inside));
  number("--exponent", wanted.exponent, "degree-corrected, lfr: exponent of the degrees")
      ->default_str(as_text(standard.exponent));
  number("--largest-degree", wanted.largest_degree,
         "degree-corrected, lfr: largest expected degree");
  number("--size-exponent", wanted.size_exponent, "lfr: exponent of the sizes of blocks")
      ->default_str(as_text(Lfr{}.size_exponent));
  size("--smallest-block", wanted.smallest_block, "lfr: nodes of a block at least, by default 20");
  size("--largest-block", wanted.largest_block, "lfr: nodes of a block at most, by default 100");
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
