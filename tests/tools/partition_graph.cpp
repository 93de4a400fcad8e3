// SPDX-License-Identifier: MIT
//
// srgw_partition_probe: what partition() of the C++ library finds, for tests/python to compare with
// the command line and the Python package.
//
//     srgw_partition_probe graph.txt requests.json
//
// requests.json is a list of objects with the fields of PartitionOptions that are not at their
// defaults: names and numbers; "features" and "start" may be arrays. Prints a list of
// {"labels": [...], "value": x}, or {"error": "message"}.
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "srgw/io.hpp"
#include "srgw/partition.hpp"
#include "srgw/types.hpp"

namespace srgw {
namespace {

using nlohmann::json;

Matrix matrix_of(const json& rows) {
  Matrix matrix(static_cast<Index>(rows.size()), static_cast<Index>(rows[0].size()));
  for (Index i = 0; i < matrix.rows(); ++i) {
    for (Index k = 0; k < matrix.cols(); ++k) matrix(i, k) = rows[i][k];
  }
  return matrix;
}

PartitionOptions options_of(const json& request) {
  PartitionOptions options;
  for (const auto& [key, value] : request.items()) {
    if (key == "clusters") {
      options.clusters = value.get<Index>();
    } else if (key == "problem") {
      options.problem = from_name<PartitionProblem>(value.get<std::string>(), key);
    } else if (key == "structure") {
      options.structure = parse_partition_structure(value.get<std::string>());
    } else if (key == "weights") {
      options.weights = parse_partition_weights(value.get<std::string>());
    } else if (key == "target") {
      options.target = parse_partition_target(value.get<std::string>());
    } else if (key == "features") {
      options.features = PartitionFeatures{.rows = matrix_of(value)};
    } else if (key == "loss") {
      options.loss = from_name<Loss>(value.get<std::string>(), key);
    } else if (key == "entropy") {
      options.entropy = value;
    } else if (key == "sparsity") {
      options.sparsity = value;
    } else if (key == "start" && value.is_array()) {
      options.start = value.get<Assignment>();
    } else if (key == "start") {
      options.start = start_from_name(value.get<std::string>());
    } else if (key == "starts") {
      options.starts = value.get<int>();
    } else if (key == "epsilon") {
      options.method = MirrorDescent{.epsilon = value, .tolerance = request.at("tolerance")};
    } else if (key == "criterion") {
      options.criterion = from_name<PartitionCriterion>(value.get<std::string>(), key);
    } else if (key == "effort") {
      options.effort = from_name<PartitionEffort>(value.get<std::string>(), key);
    } else if (key == "select") {
      options.select.emplace();
    } else if (key != "tolerance") {
      throw Error(Error::Kind::argument, "unknown field " + key);
    }
  }
  return options;
}

json answer(const Graph& graph, const json& request) {
  try {
    const Partition found = partition(graph, options_of(request));
    return {{"labels", found.labels}, {"value", found.solution.value}};
  } catch (const Error& error) {
    return {{"error", error.what()}};
  }
}

}  // namespace
}  // namespace srgw

int main(int count, char** arguments) {
  if (count != 3) {
    std::cerr << "usage: srgw_partition_probe graph.txt requests.json\n";
    return 2;
  }
  const srgw::io::NamedGraph read = srgw::io::read_graph(arguments[1]);
  std::ifstream file(arguments[2]);
  nlohmann::json answers = nlohmann::json::array();
  for (const nlohmann::json& request : nlohmann::json::parse(file)) {
    answers.push_back(srgw::answer(read.graph, request));
  }
  std::cout << answers << '\n';
}
