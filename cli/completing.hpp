// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <variant>

#include "cli/common.hpp"
#include "cli/reading.hpp"
#include "srgw/completion.hpp"

namespace srgw::cli {

/// An srgw or GDL model, with its completion model.
struct CompletingModel {
  std::variant<Dictionary, LinearDictionary> dictionary;
  std::optional<CompletionModel> trained;

  [[nodiscard]] const AtomModel& base() const;
};
[[nodiscard]] CompletingModel read_completing_model(const std::string& path);

/// Options that describe a partially observed graph.
struct PartialInput {
  std::string graph, labels, features, mask;
  Reading reading;  ///< its `nodes` are those of the whole graph
};
void add_partial_input(CLI::App& app, PartialInput& input);

/// The observed graph, and the whole graph with its unknown entries.
struct PartialRead {
  io::NamedGraph seen;
  PartialGraph graph;
};
/// Throws an input error if the graph lacks what the model needs, or has more nodes than --nodes.
[[nodiscard]] PartialRead read_partial(const PartialInput& input, const CompletingModel& model,
                                       const Common& common);
/// The true whole graph: observed nodes, found by name, then the others in their order.
struct Truth {
  Matrix structure, features;
};
[[nodiscard]] Truth read_truth(const std::string& path, const PartialInput& input,
                               const PartialRead& read, const CompletingModel& model,
                               const std::string& labels, const std::string& features,
                               const Common& common);

/// Options of completion.
struct CompletingOptions {
  std::string method = "learned", start;
  std::optional<double> learning_rate;
  std::optional<int> iterations, draws;
  bool warm_plans = false;
  std::uint64_t seed = 0;
};
void add_completing(CLI::App& app, CompletingOptions& options);

/// Throws a usage error for options of other methods, and an input error if the model was not
/// trained for completion.
[[nodiscard]] Completion complete_graph(const CompletingModel& model, const PartialGraph& graph,
                                        const CompletingOptions& options, const Common& common);

}  // namespace srgw::cli
