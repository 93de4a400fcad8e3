// SPDX-License-Identifier: MIT
//
// srgw_probe: solves problems that Python hands over, until there is a Python package.
//
//     srgw_probe problems.bundle solutions.bundle
//
// The document of problems.bundle (tools/bundle.hpp; <...> is an array):
//
//     {"method":   {"stopping": "change", "tolerance": 1e-9, ...},  fields of ConditionalGradient,
//     or
//                  with "name": "mirror-descent" of MirrorDescent
//      "threads":  1,
//      "repeats":  3,            each problem is timed that often, in turn with the others
//      "plans":    true,         whether the solutions hold dense plans
//      "problems": [{"source":  <n x n>, or {"offsets": <>, "columns": <>, "values": <>}; without
//                               values all entries are 1,
//                    "weights": <n>,
//                    "target":  <m x m>, or <m> for a diagonal one,
//                    "target_weights": <m>,                         absent: semi-relaxed
//                    "cost":    <n x m>, "alpha": 0.5,              both absent: no linear term
//                    "loss":    "kl",                               absent: square
//                    "entropy": 0.1,                                absent: 0
//                    "start":   "product" or {"labels": <n>} or {"plan": <n x m>}}, ...]}
//
// solutions.bundle has {"solutions": [...]}, one for each problem, with seconds for each repeat.
//
// A document with "transports": [{"cost": <n x m>, "row_masses": <n>, "column_masses": <m>}, ...]
// instead of problems asks for exact transports, which have no method and one thread.
#include <chrono>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <map>

#include "srgw/srgw.hpp"
#include "tools/bundle.hpp"

namespace srgw {

NLOHMANN_JSON_SERIALIZE_ENUM(Stopping, {{Stopping::gap, "gap"},
                                        {Stopping::change, "change"},
                                        {Stopping::change_of_former, "change_of_former"}})
NLOHMANN_JSON_SERIALIZE_ENUM(Loss, {{Loss::square, "square"}, {Loss::kl, "kl"}})
NLOHMANN_JSON_SERIALIZE_ENUM(Ties, {{Ties::share, "share"}, {Ties::first, "first"}})

namespace {

using nlohmann::json;
using test::Bundle;

struct Task {
  Structure source;
  Vector weights;
  Structure target;
  std::optional<Vector> target_weights = {};
  std::optional<Matrix> cost = {};
  double alpha = 1;
  std::optional<Plan> start = {};  // none: the product
  Loss loss = Loss::square;
  double entropy = 0;

  [[nodiscard]] Problem problem() const {
    Problem result{
        .source = source, .weights = weights, .target = target, .loss = loss, .entropy = entropy};
    if (target_weights) result.target_weights.emplace(*target_weights);
    if (cost) result.features.emplace(FusedTerm{.cost = *cost, .alpha = alpha});
    return result;
  }
};

Structure read_source(const Bundle& bundle, const json& source) {
  if (source.contains("array")) return Structure::dense(bundle.matrix(source));
  Csr csr{.offsets = SharedArray<std::uint32_t>(bundle.ids(source["offsets"])),
          .columns = bundle.ids(source["columns"]),
          .values = {}};
  if (source.contains("values")) {
    const Vector values = bundle.vector(source["values"]);
    csr.values = std::vector<double>(values.begin(), values.end());
  }
  return Structure::csr(std::move(csr));
}

// Problems that name the same array share one target, of which a solver remembers what it knows.
using Targets = std::map<json, Structure>;

const Structure& read_target(const Bundle& bundle, const json& target, Targets& targets) {
  const auto known = targets.find(target);
  if (known != targets.end()) return known->second;
  return targets
      .emplace(target, target["shape"].size() == 1 ? Structure::diagonal(bundle.vector(target))
                                                   : Structure::dense(bundle.matrix(target)))
      .first->second;
}

std::optional<Plan> read_start(const Bundle& bundle, const json& start, const Vector& weights,
                               Index columns) {
  if (start == "product") return {};
  if (start.contains("labels")) {
    return Plan::from_labels(weights, bundle.ids(start["labels"]), columns);
  }
  return Plan::from_dense(weights, bundle.matrix(start.at("plan")));
}

Task read_task(const Bundle& bundle, const json& problem, Targets& targets) {
  Task task{.source = read_source(bundle, problem.at("source")),
            .weights = bundle.vector(problem.at("weights")),
            .target = read_target(bundle, problem.at("target"), targets)};
  if (problem.contains("target_weights")) {
    task.target_weights = bundle.vector(problem["target_weights"]);
  }
  if (problem.contains("cost")) {
    task.cost = bundle.matrix(problem["cost"]);
    task.alpha = problem.at("alpha");
  }
  task.entropy = problem.value("entropy", 0.0);
  task.loss = problem.value("loss", Loss::square);
  task.start = read_start(bundle, problem.at("start"), task.weights, task.target.size());
  return task;
}

template <class Options>
Options read_options(const json& given) {
  Options method;
  for_each_field(method, [&](const auto& field, auto& value) {
    const std::string name(field.name);
    if (given.contains(name)) given[name].get_to(value);
  });
  return method;
}

Method read_method(const json& given) {
  if (given.value("name", "") == "mirror-descent") return read_options<MirrorDescent>(given);
  return read_options<ConditionalGradient>(given);
}

const Solution& solve_task(Solver& solver, const Task& task) {
  return task.start ? solver.solve(task.problem(), *task.start) : solver.solve(task.problem());
}

json write_solution(Bundle& bundle, const Solution& solution, bool with_plan) {
  json result{{"value", solution.value},
              {"value_linear", solution.value_linear},
              {"value_entropy", solution.value_entropy},
              {"gap", solution.gap},
              {"iterations", solution.iterations},
              {"status", name(solution.status)},
              {"target_weights", bundle.store(solution.target_weights)}};
  if (with_plan) result["plan"] = bundle.store(solution.plan.dense());
  return result;
}

std::vector<Task> read_tasks(const Bundle& bundle) {
  Targets targets;
  std::vector<Task> tasks;
  for (const json& problem : bundle.document.at("problems")) {
    tasks.push_back(read_task(bundle, problem, targets));
  }
  return tasks;
}

Bundle solve_bundle(const Bundle& in) {
  const std::vector<Task> tasks = read_tasks(in);
  Solver solver(read_method(in.document.at("method")), {.threads = in.document.at("threads")});
  const int repeats = in.document.at("repeats");
  const bool with_plans = in.document.at("plans");

  Bundle out;
  json& solutions = out.document["solutions"] = json::array();
  for (int repeat = 0; repeat < repeats; ++repeat) {
    for (std::size_t t = 0; t < tasks.size(); ++t) {
      const auto begin = std::chrono::steady_clock::now();
      const Solution& solution = solve_task(solver, tasks[t]);
      const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
      if (repeat == 0) solutions.push_back(write_solution(out, solution, with_plans));
      solutions[t]["seconds"].push_back(elapsed.count());
    }
  }
  return out;
}

Bundle solve_transports(const Bundle& in) {
  Bundle out;
  json& solutions = out.document["solutions"] = json::array();
  for (const json& given : in.document["transports"]) {
    const Matrix cost = in.matrix(given.at("cost"));
    const Vector a = in.vector(given.at("row_masses")), b = in.vector(given.at("column_masses"));
    std::vector<double> seconds;
    Transport answer;
    for (int repeat = 0; repeat < in.document.at("repeats"); ++repeat) {
      const auto begin = std::chrono::steady_clock::now();
      answer = transport(cost, a, b);
      const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
      seconds.push_back(elapsed.count());
    }
    solutions.push_back({{"cost", answer.cost},
                         {"gap", answer.gap},
                         {"steps", answer.steps},
                         {"plan", out.store(answer.plan.dense())},
                         {"seconds", seconds}});
  }
  return out;
}

Bundle answer(const Bundle& in) {
  return in.document.contains("transports") ? solve_transports(in) : solve_bundle(in);
}

}  // namespace

}  // namespace srgw

int main(int count, char** arguments) {
  if (count != 3) {
    std::cerr << "usage: srgw_probe problems.bundle solutions.bundle\n";
    return EXIT_FAILURE;
  }
  try {
    srgw::answer(srgw::test::Bundle::read(arguments[1])).write(arguments[2]);
  } catch (const std::exception& error) {
    std::cerr << "srgw_probe: " << error.what() << '\n';
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
