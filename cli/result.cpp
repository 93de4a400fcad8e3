// SPDX-License-Identifier: MIT
#include "cli/result.hpp"

#include <cstdio>

#include "cli/exit_code.hpp"
#include "cli/sha256.hpp"
#include "srgw/io.hpp"
#include "srgw/version.hpp"

namespace srgw::cli {

namespace {

using Json = nlohmann::ordered_json;

std::vector<double> numbers(const Vector& vector) { return {vector.begin(), vector.end()}; }

Json inputs_json(const std::vector<std::string>& files) {
  Json inputs = Json::array();
  for (const std::string& file : files) {
    const std::string hash = sha256_of_file(file);
    inputs.push_back({{"file", file}, {"sha256", hash.empty() ? Json(nullptr) : Json(hash)}});
  }
  return inputs;
}

}  // namespace

Json solution_json(const Solution& solution, const Timing& timing, const Setup& setup) {
  return {
      {"value", solution.value},
      {"value_quad", solution.value_quad},
      {"value_linear", solution.value_linear},
      {"value_penalty", solution.value_penalty},
      {"value_entropy", solution.value_entropy},
      {"value_error", solution.value_error},
      {"gap", solution.gap},
      {"iterations", solution.iterations},
      {"rounds", solution.rounds},
      {"status", name(solution.status)},
      {"converged", solution.status == Status::converged},
      {"n", solution.plan.rows()},
      {"m", solution.plan.columns()},
      {"starts", setup.starts},
      {"best_start", solution.best_start},
      {"start_values", solution.start_values},
      {"softened_start", solution.softened_start},
      {"left_symmetric_start", solution.left_symmetric_start},
      {"seconds", timing.solve},
      {"seconds_read", timing.read},
      {"target_weights", numbers(solution.target_weights)},
  };
}

void print_solution(const Solution& solution, const Timing& timing) {
  const auto used = (solution.target_weights.array() > 0).count();
  fmt::print("value         {:.10g}\n", solution.value);
  if (solution.value_linear != 0) fmt::print("  structure   {:.10g}\n", solution.value_quad);
  if (solution.value_linear != 0) fmt::print("  features    {:.10g}\n", solution.value_linear);
  if (solution.value_penalty != 0) fmt::print("  penalty     {:.10g}\n", solution.value_penalty);
  if (solution.value_entropy != 0) fmt::print("  entropy     {:.10g}\n", solution.value_entropy);
  if (solution.value_error != 0) fmt::print("  off by      {:.1e} at most\n", solution.value_error);
  fmt::print("gap           {:.1e}\n", solution.gap);
  fmt::print("status        {} after {} iterations\n", name(solution.status), solution.iterations);
  fmt::print("target nodes  {} of {} are used\n", used, solution.plan.columns());
  fmt::print("seconds       {:.2f}, reading {:.2f}\n", timing.solve, timing.read);
}

void save_result(const Solution& solution, const NodeNames& names, const Assignment& labels,
                 const Json& result, const Origin& origin, const Timing& timing,
                 const Solving& solving, const Setup& setup, const ResultGraphs& graphs) {
  if (solving.save.empty()) return;
  io::Archive archive(result_kind, result_version);
  Json header{
      {"srgw", SRGW_VERSION},
      {"command", origin.command_line},
      {"seed", solving.seed},
      {"inputs", inputs_json(origin.inputs)},
      {"seconds", {{"read", timing.read}, {"solve", timing.solve}}},
      {"status", name(solution.status)},
      {"structure", setup.structure.text()},
      {"method", settings(setup.method)},
      {"result", result},
  };
  header["result"].erase("target_weights");  // an array below
  add_names(archive, header, "names", names);
  add_graphs(archive, header, graphs);
  // The plan as SciPy would store it: csr_matrix((data, indices, indptr), shape).
  ShortRows rows = solution.plan.short_rows();
  archive.add("plan_indptr", std::move(rows.offsets));
  archive.add("plan_indices", std::move(rows.columns));
  archive.add("plan_data", std::move(rows.masses));
  archive.add("plan_shape",
              std::vector<std::int64_t>{solution.plan.rows(), solution.plan.columns()});
  archive.add("weights", numbers(solution.plan.weights()));
  archive.add("target_weights", numbers(solution.target_weights));
  archive.add("start_values", solution.start_values);
  if (!labels.empty()) archive.add("labels", labels);
  archive.set_header(header.dump());
  archive.write(solving.save);
}

void write_plan(const Plan& plan, const NodeNames& names, const Solving& solving) {
  if (!solving.plan_file.empty()) io::write_features(plan.dense(), names, solving.plan_file);
}

int print_estimate(const Workload& work, const Common& common) {
  const Estimate needs = estimate(work);
  if (common.json) {
    print_json({{"bytes", static_cast<std::uint64_t>(needs.bytes())},
                {"bytes_graph", static_cast<std::uint64_t>(needs.graph)},
                {"bytes_structure", static_cast<std::uint64_t>(needs.structure)},
                {"bytes_solver", static_cast<std::uint64_t>(needs.solver)},
                {"seconds", needs.seconds},
                {"n", work.nodes},
                {"m", work.columns},
                {"entries", work.entries}});
    return exit_fine;
  }
  fmt::print("memory        {} (graph {}, structure {}, solver {})\n", size_text(needs.bytes()),
             size_text(needs.graph), size_text(needs.structure), size_text(needs.solver));
  fmt::print("seconds       {:.2g}, very roughly\n", needs.seconds);
  fmt::print("problem       {} nodes onto {}, {} stored entries\n", work.nodes, work.columns,
             work.entries);
  return exit_fine;
}

}  // namespace srgw::cli
