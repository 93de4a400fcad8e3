// SPDX-License-Identifier: MIT
#pragma once

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "srgw/types.hpp"
#include "support/data.hpp"

namespace srgw::test {

/// A JSON file of tests/data, read once.
inline const nlohmann::json& data_file(const char* name) {
  static std::map<std::string, nlohmann::json> files;
  auto& file = files[name];
  if (file.is_null()) file = nlohmann::json::parse(std::ifstream(test_data(name)));
  return file;
}

/// A case of cases.json: numbers that other programs computed.
inline const nlohmann::json& reference_case(const char* name) {
  return data_file("cases.json").at(name);
}

inline Vector to_vector(const nlohmann::json& json) {
  Vector vector(static_cast<Index>(json.size()));
  for (Index i = 0; i < vector.size(); ++i) vector[i] = json[static_cast<std::size_t>(i)];
  return vector;
}

inline Matrix to_matrix(const nlohmann::json& json) {
  Matrix matrix(static_cast<Index>(json.size()), static_cast<Index>(json.at(0).size()));
  for (Index i = 0; i < matrix.rows(); ++i) {
    matrix.row(i) = to_vector(json[static_cast<std::size_t>(i)]).transpose();
  }
  return matrix;
}

inline Assignment to_labels(const nlohmann::json& json) { return json.get<Assignment>(); }

}  // namespace srgw::test
