// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "cli/common.hpp"
#include "cli/memory.hpp"
#include "cli/method_flags.hpp"
#include "cli/reading.hpp"
#include "cli/start_word.hpp"
#include "cli/stopping.hpp"
#include "cli/structure_word.hpp"
#include "srgw/solve.hpp"

namespace srgw::cli {

/// Options that `solve` and `partition` share.
struct Solving {
  Common common;
  std::uint64_t seed = 0;
  Reading reading;
  std::string divergence;
  std::string structure, weights = "auto", target_weights;
  std::string features;
  std::string alpha;  ///< a number or "balanced"; empty: the default
  Loss loss = Loss::square;
  std::string entropic_mode = "proximal";
  double sparsity = 0;
  std::string start;
  std::optional<int> starts;
  std::string symmetric = "auto";
  MethodName method = MethodName::automatic;
  MethodFlags flags;
  std::string plan_file, save;
  std::string max_memory;
  bool strict = false;
  bool may_be_balanced = false;  ///< takes gw and fgw

  /// Whether target weights are given, or uniform: gw and fgw.
  [[nodiscard]] bool balanced() const { return divergence == "gw" || divergence == "fgw"; }
};

/// Defaults of a command. With `auto` the library chooses.
struct Defaults {
  const char* structure;
  const char* start;
  bool may_be_balanced = false;  ///< takes gw and fgw
};

/// Options that other commands have, too.
CLI::Option* add_divergence(CLI::App& app, std::string& divergence);
void add_alpha(CLI::App& app, double& alpha);
void add_loss(CLI::App& app, Loss& loss);
void add_sparsity(CLI::App& app, double& sparsity);
void add_start(CLI::App& app, std::string& start);

void add_solving(CLI::App& app, Solving& solving, const Defaults& defaults);

/// The parsed options.
struct Setup {
  StructureWord structure;
  WeightsWord weights;
  Method method;
  StartWord start;
  int starts = 1;
  double alpha = 1;
  bool balances_alpha = false;  ///< alpha is that of FusedTerms::balanced_alpha()
  double entropy = 0;
  Loss loss = Loss::square;
  std::optional<std::uint64_t> max_memory;
};
/// Throws a usage error for options that fit no input. Does not set structure, weights and starts.
[[nodiscard]] Setup set_up(const Solving& solving);

[[nodiscard]] Workload workload(const Graph& graph, Index columns, bool diagonal_target,
                                const Solving& solving, const Setup& setup);

/// The problem of a setup.
[[nodiscard]] Problem make_problem(const Source& source, const Structure& target,
                                   const Matrix& cost, const Solving& solving, const Setup& setup);

[[nodiscard]] Watched watched(const Solving& solving, const Setup& setup);

/// Prints notes about the start.
void note_start(const Solution& solution, const Solving& solving);

/// Solves from the start file, if there is one; `trace` keeps the values of all iterations.
[[nodiscard]] Solution run_solver(const Problem& problem, const std::optional<StartFile>& file,
                                  const Solving& solving, const Setup& setup, bool trace = false);

/// |x - y|^2 between rows.
[[nodiscard]] Matrix squared_distances(const Matrix& x, const Matrix& y);

[[nodiscard]] int exit_code(const Solution& solution, const Solving& solving);

}  // namespace srgw::cli
