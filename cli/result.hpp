// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/saved_result.hpp"
#include "cli/solving.hpp"
#include "srgw/graph.hpp"
#include "srgw/solve.hpp"

namespace srgw::cli {

/// Seconds of a run.
struct Timing {
  double read = 0;   ///< until the graph was read
  double solve = 0;  ///< after that, with structure and starts
};

/// The keys that `solve` and `partition` share.
[[nodiscard]] nlohmann::ordered_json solution_json(const Solution& solution, const Timing& timing,
                                                   const Setup& setup);
/// Prints them as text.
void print_solution(const Solution& solution, const Timing& timing);

/// Where a result came from.
struct Origin {
  const std::string& command_line;
  std::vector<std::string> inputs;  ///< files
};

/// Writes --save: the arrays of the solution and a manifest. `result` is what --json prints,
/// `labels` may be empty; with the graphs it can be drawn later.
void save_result(const Solution& solution, const NodeNames& names, const Assignment& labels,
                 const nlohmann::ordered_json& result, const Origin& origin, const Timing& timing,
                 const Solving& solving, const Setup& setup, const ResultGraphs& graphs = {});

/// Writes --plan, if given.
void write_plan(const Plan& plan, const NodeNames& names, const Solving& solving);

/// Prints the result of `estimate`.
int print_estimate(const Workload& work, const Common& common);

}  // namespace srgw::cli
