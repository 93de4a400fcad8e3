// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/memory.hpp"
#include "cli/solving.hpp"
#include "cli/target_word.hpp"

namespace srgw::cli {

/// Options of `solve` that restrict the plan or add relations.
struct PlanConstraints {
  std::string forbidden, anchors;  ///< files of pairs
  double share = 1;
  std::vector<std::string> relations;  ///< source and target of each
  std::vector<double> relation_weights;

  /// Adds the constraints to the memory and the time of a run.
  void count(Workload& work) const;
  [[nodiscard]] bool restrict_pairs() const { return !forbidden.empty() || !anchors.empty(); }
  /// The files that are read.
  [[nodiscard]] std::vector<std::string> files() const;
};
void add_plan_constraints(CLI::App& app, PlanConstraints& constraints);
/// Throws a usage error for options that fit no input.
void check(const PlanConstraints& constraints, const Solving& solving);

/// The graphs of a problem, as they were read.
struct ProblemGraphs {
  const NodeNames& sources;
  const NodeNames& targets;
  const StructureWord& structure;
  const io::ReadOptions& options;
  int threads = 0;
};
/// Reads the files and adds what they say to the problem.
void add_plan_constraints(const PlanConstraints& constraints, const ProblemGraphs& graphs,
                          Problem& problem);

}  // namespace srgw::cli
