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

/// A dictionary of srgw or GDL, with what it was taught about hidden nodes.
struct CompletingModel {
  std::variant<Dictionary, LinearDictionary> dictionary;
  std::optional<CompletionModel> trained;

  [[nodiscard]] const AtomModel& base() const;
};
[[nodiscard]] CompletingModel read_completing_model(const std::string& path);

/// A half-seen graph and what is known of its nodes, as it was given.
struct PartialInput {
  std::string graph, labels, features, mask;
  Reading reading;  ///< its `nodes` are those of the whole graph
};
void add_partial_input(CLI::App& app, PartialInput& input);

/// The graph as it was read, and with the nodes that are hidden.
struct PartialRead {
  io::NamedGraph seen;
  PartialGraph graph;
};
/// Throws an input error where the graph does not have what the model needs, or has more nodes than
/// the whole.
[[nodiscard]] PartialRead read_partial(const PartialInput& input, const CompletingModel& model,
                                       const Common& common);
/// The whole graph, which must name the seen nodes as they are; all others are hidden ones, in its
/// order.
struct Truth {
  Matrix structure, features;
};
[[nodiscard]] Truth read_truth(const std::string& path, const PartialInput& input,
                               const PartialRead& read, const CompletingModel& model,
                               const std::string& labels, const std::string& features,
                               const Common& common);

/// How free entries are found, as it was given.
struct CompletingOptions {
  std::string method = "learned", start;
  std::optional<double> learning_rate;
  std::optional<int> iterations, draws;
  bool warm_plans = false;
  std::uint64_t seed = 0;
};
void add_completing(CLI::App& app, CompletingOptions& options);

/// Throws a usage error for options of other methods, and an input error that names the option of
/// `learn` when the model was not trained for completion.
[[nodiscard]] Completion complete_graph(const CompletingModel& model, const PartialGraph& graph,
                                        const CompletingOptions& options, const Common& common);

}  // namespace srgw::cli
