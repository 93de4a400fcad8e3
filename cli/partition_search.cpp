// SPDX-License-Identifier: MIT
#include "cli/partition_search.hpp"

#include <algorithm>

#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "srgw/components.hpp"

namespace srgw::cli {

namespace {

PartitionStructure structure_of(const PartitionInput& input, const Setup& setup) {
  if (input.solving.structure.empty()) return {};
  using Kind = PartitionStructure::Kind;
  const double time = setup.structure.number.value_or(1);
  const std::string_view name = setup.structure.row->name;
  if (name == "adjacency") return {Kind::adjacency, time};
  if (name == "modularity") return {Kind::modularity, time};
  if (name == "stability") return {Kind::stability, time};
  if (name == "heat") return {Kind::heat, time};
  fail_usage("--target learned with {}, expected adjacency, modularity, stability or heat", name);
}

PartitionWeights weights_of(const Setup& setup) {
  using Kind = PartitionWeights::Kind;
  if (setup.weights.text.empty()) return {};
  if (setup.weights.is_file) {
    fail_usage("--target learned with weights from a file, expected uniform, degree or power:b");
  }
  if (setup.weights.power) return {Kind::power, *setup.weights.power};
  return {setup.weights.text == "uniform" ? Kind::uniform : Kind::degree, 1};
}

std::optional<Start> start_of(const PartitionInput& input, const Setup& setup) {
  if (input.solving.start.empty()) return {};
  if (!setup.start.start) {
    fail_usage("--target learned with a start from a file, expected the name of a start");
  }
  return setup.start.start;
}

}  // namespace

bool asks_for_search(const PartitionInput& input, const Setup& setup) {
  if (input.target == "learned") return true;
  const Solving& solving = input.solving;
  return solving.structure.empty() && solving.weights.empty() && input.target.empty() &&
         solving.start.empty() && !solving.starts && solving.sparsity == 0 &&
         setup.loss == Loss::square && std::holds_alternative<ConditionalGradient>(setup.method);
}

Searched search_partition(const PartitionData& data, const PartitionInput& input,
                          const Setup& setup) {
  const Solving& solving = input.solving;
  PartitionOptions options{.clusters = data.clusters,
                           .sparsity = solving.sparsity,
                           .starts = solving.starts.value_or(1),
                           .method = setup.method};
  if (input.target == "learned") {
    options.structure = structure_of(input, setup);
    options.weights = weights_of(setup);
    options.target.kind = PartitionTarget::Kind::learned;
    options.start = start_of(input, setup);
  }
  if (!solving.features.empty()) {
    options.features =
        PartitionFeatures{io::read_features(solving.features, data.read.names), setup.alpha};
  }
  const InterruptGuard guard;
  Run run{.threads = solving.common.threads, .seed = solving.seed};
  if (solving.time_limit) {
    run.time_limit = std::max(1e-3, *solving.time_limit - seconds_so_far());
  }
  run.observer = [](const Progress&) { return !InterruptGuard::interrupted(); };
  Searched searched{partition(data.read.graph, options, run), {}};
  searched.selection.kept = searched.found.nodes;
  const Components components = connected_components(data.read.graph);
  for (const NodeId label : components.labels) {
    searched.selection.connected.push_back(components.sizes[label] > 1);
  }
  return searched;
}

}  // namespace srgw::cli
