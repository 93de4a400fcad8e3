// SPDX-License-Identifier: MIT
#include "cli/partition_options.hpp"

#include "cli/exit_code.hpp"

namespace srgw::cli {

namespace {

bool is_balanced(const PartitionInput& input) { return input.method != "srgw"; }

/// Whether nothing is asked for that changes the problem or the start.
bool asks_for_search(const PartitionInput& input, const Setup& setup) {
  const Solving& solving = input.solving;
  return !is_balanced(input) && input.select == "none" && solving.structure.empty() &&
         solving.weights.empty() && input.target.empty() && solving.start.empty() &&
         !solving.starts && setup.loss == Loss::square &&
         std::holds_alternative<ConditionalGradient>(setup.method);
}

PartitionStructure structure_of(const Solving& solving, const Setup& setup) {
  using Kind = PartitionStructure::Kind;
  if (solving.structure.empty()) return {};
  const double time = setup.structure.number.value_or(1);
  const std::string_view name = setup.structure.row->name;
  if (name == "adjacency") return {Kind::adjacency, time};
  if (name == "modularity") return {Kind::modularity, time};
  if (name == "stability") return {Kind::stability, time};
  if (name == "heat") return {Kind::heat, time};
  return {Kind::other, time, [word = setup.structure](const Graph& graph, int threads) {
            return make_source(graph, word, {}, {}, threads);
          }};
}

PartitionWeights weights_of(const Setup& setup, const NodeNames& names) {
  using Kind = PartitionWeights::Kind;
  const WeightsWord& word = setup.weights;
  if (word.text.empty()) return {};
  if (word.is_file) return {Kind::given, 1, scaled_to_one(read_weights(word, names), word.text)};
  if (word.power) return {Kind::power, *word.power};
  return {word.text == "uniform" ? Kind::uniform : Kind::degree};
}

PartitionTarget target_of(const PartitionData& data, const PartitionInput& input) {
  using Kind = PartitionTarget::Kind;
  if (is_balanced(input)) return {Kind::interpolated};
  if (input.target.empty()) return {};
  if (input.target == "learned") return {Kind::learned};
  if (!data.identity) return {Kind::given, 1, data.target.structure};
  return {Kind::scaled_identity, data.scale};
}

std::optional<PartitionStart> start_of(const PartitionData& data, const PartitionInput& input,
                                       const Setup& setup) {
  const Solving& solving = input.solving;
  if (solving.start.empty()) {
    const bool usual = asks_for_search(input, setup) || is_balanced(input) ||
                       input.target == "learned" || !solving.features.empty() ||
                       input.select != "none";
    return usual ? std::nullopt : std::optional<PartitionStart>(*setup.start.start);
  }
  const auto file = read_start(setup.start, data.read.names);
  if (!file) return *setup.start.start;
  const Index columns = data.target.structure.size();
  if (!file->labels.empty()) return start_labels(*file, columns);
  check_columns(*file, columns);
  return file->plan;
}

/// What is not given is to be chosen.
PartitionGrid grid_of(const PartitionInput& input, const Setup& setup) {
  PartitionGrid grid;
  const bool scaled = setup.structure.row->fixes_weights;  // by construction
  if (input.free_time) grid.times = {1, 2, 5, 10, 20, 50, 100};
  if (!is_balanced(input) && input.target.empty() && !scaled) {
    grid.scales = {1, 0.3, 0.1, 0.03, 0.01};
  }
  if (input.solving.weights.empty() && !scaled) grid.exponents = {0, 0.1, 0.5};
  if (const auto* mirror = std::get_if<MirrorDescent>(&setup.method)) {
    grid.epsilons = {mirror->epsilon, mirror->epsilon / 10, mirror->epsilon / 100};
  }
  if (grid.times.empty() && grid.scales.empty() && grid.exponents.empty() &&
      grid.epsilons.empty()) {
    fail_usage(
        "--select modularity with nothing to choose, expected a --structure such as heat or "
        "adjacency without a time, --target or --weights");
  }
  return grid;
}

void check_symmetric(const PartitionData& data, const Solving& solving, const Setup& setup) {
  if (solving.symmetric != "yes") return;
  const bool kernel = setup.structure.row->storage == Storage::kernel;
  const bool directed = data.read.graph.directed() && !kernel;
  if (directed || !data.target.structure.symmetric()) {
    fail_input("--symmetric yes, but the {} is not symmetric", directed ? "source" : "target");
  }
}

/// What of the words no rank can do, as the option that was given; empty: nothing.
std::string refused_on_ranks(const PartitionInput& input, const Setup& setup) {
  const Solving& solving = input.solving;
  if (input.method != "srgw") return "--method " + input.method;
  if (input.select != "none") return "--select " + input.select;
  if (input.clusters == "auto") return "-k auto";
  if (!input.compared.empty()) return "--compare";
  if (!solving.features.empty()) return "--features";
  if (!solving.plan_file.empty()) return "--plan";
  if (!solving.save.empty()) return "--save";
  if (solving.sparsity != 0) return "--sparsity";
  if (setup.loss != Loss::square) return "--loss " + solving.loss;
  if (!std::holds_alternative<ConditionalGradient>(setup.method)) return "--epsilon";
  if (setup.weights.is_file) return "--weights with a file";
  return {};
}

}  // namespace

void check_for_ranks(const PartitionInput& input, const Setup& setup, int ranks) {
  const Solving& solving = input.solving;
  if (const std::string refused = refused_on_ranks(input, setup); !refused.empty()) {
    fail_usage("{} on {} ranks, expected none of it: there one process does it", refused, ranks);
  }
  const std::string_view structure = setup.structure.row->name;
  if (structure != "modularity" && structure != "adjacency") {
    fail_usage("--structure {} on {} ranks, expected modularity or adjacency", solving.structure,
               ranks);
  }
  if (input.target == "learned" || !target_word(input).is_identity()) {
    fail_usage("--target {} on {} ranks, expected identity or scaled-identity:SCALE", input.target,
               ranks);
  }
  const auto start = setup.start.start;
  const bool spreads = start == Start::split_merge || start == Start::random ||
                       start == Start::random_labels || (!start && !setup.start.is_plan);
  if (solving.start.empty() || !spreads) {
    fail_usage(
        "{} on {} ranks, expected --start split-merge, --start random or --start labels:FILE",
        solving.start.empty() ? "no --start" : "--start " + solving.start, ranks);
  }
}

PartitionOptions spread_options(const PartitionInput& input, const Setup& setup, double scale,
                                std::optional<Assignment> labels) {
  PartitionOptions options{.clusters = cluster_count(input),
                           .structure = structure_of(input.solving, setup),
                           .weights = weights_of(setup, {}),
                           .start = {},
                           .starts = setup.starts,
                           .method = setup.method};
  if (!input.target.empty()) {
    options.target = {PartitionTarget::Kind::scaled_identity, scale};
  }
  if (labels) {
    options.start = std::move(*labels);
  } else {
    options.start = *setup.start.start;
  }
  return options;
}

void check_number_is_free(const PartitionInput& input, const Setup& setup) {
  if (input.clusters != "auto" || asks_for_search(input, setup)) return;
  fail_usage(
      "-k auto with options of one's own, expected a number or none of --structure, --weights, "
      "--target, --start, --starts, --method, --select, --epsilon and --loss: only the default "
      "search finds the number");
}

PartitionOptions partition_options(const PartitionData& data, const PartitionInput& input,
                                   const Setup& setup) {
  const Solving& solving = input.solving;
  check_symmetric(data, solving, setup);
  PartitionOptions options{.clusters = data.clusters,
                           .structure = structure_of(solving, setup),
                           .weights = weights_of(setup, data.read.names),
                           .target = target_of(data, input),
                           .loss = setup.loss,
                           .entropy = setup.entropy,
                           .sparsity = solving.sparsity,
                           .start = start_of(data, input, setup),
                           .starts = solving.starts.value_or(1),
                           .method = setup.method};
  if (options.start && std::holds_alternative<Start>(*options.start)) {
    options.starts = setup.starts;
  }
  if (input.select == "modularity") options.select = grid_of(input, setup);
  if (!solving.features.empty()) {
    options.features =
        PartitionFeatures{io::read_features(solving.features, data.read.names), setup.alpha};
  }
  return options;
}

}  // namespace srgw::cli
