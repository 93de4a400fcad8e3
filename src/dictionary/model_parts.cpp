// SPDX-License-Identifier: MIT
#include "dictionary/model_parts.hpp"

#include "base/message.hpp"
#include "dictionary/checkpoint.hpp"

namespace srgw::detail {

namespace {

std::string atom_name(std::size_t number) { return "atom" + std::to_string(number); }

Vector vector_of(const nlohmann::json& values) {
  const auto list = values.get<std::vector<double>>();
  return Eigen::Map<const Vector>(list.data(), std::ssize(list));
}

}  // namespace

nlohmann::json feature_map_to_json(const FeatureMap& map) {
  return {{"take", static_cast<int>(map.take)},
          {"labels", map.labels},
          {"attributes", map.attributes},
          {"shift", std::vector<double>(map.shift.begin(), map.shift.end())},
          {"scale", std::vector<double>(map.scale.begin(), map.scale.end())}};
}

FeatureMap feature_map_from_json(const nlohmann::json& found) {
  return {.take = static_cast<NodeFeatures>(found.at("take").get<int>()),
          .labels = found.at("labels").get<std::vector<std::int64_t>>(),
          .attributes = found.at("attributes").get<Index>(),
          .shift = vector_of(found.at("shift")),
          .scale = vector_of(found.at("scale"))};
}

void add_atoms(const std::vector<Atom>& atoms, io::Archive& archive) {
  for (std::size_t a = 0; a < atoms.size(); ++a) add_atom(atom_name(a), atoms[a], archive);
}

std::vector<Atom> atoms_of(const io::Archive& archive, std::size_t count) {
  std::vector<Atom> atoms;
  for (std::size_t a = 0; a < count; ++a) atoms.push_back(atom_of(archive, atom_name(a)));
  return atoms;
}

void check_atoms(const std::vector<Atom>& atoms) {
  if (atoms.empty()) fail_argument("the dictionary has no atoms, expected one or more");
  for (std::size_t a = 0; a < atoms.size(); ++a) {
    const auto& [B, X] = atoms[a];
    if (B.rows() < 1 || B.rows() != B.cols() || !B.allFinite()) {
      fail_argument("structure of atom {} is {} x {}, expected a square matrix of finite numbers",
                    a, B.rows(), B.cols());
    }
    if (X.cols() != atoms.front().features.cols() || (X.cols() > 0 && X.rows() != B.rows()) ||
        !X.allFinite()) {
      fail_argument("features of atom {} are {} x {}, expected {} x {} finite numbers", a, X.rows(),
                    X.cols(), B.rows(), atoms.front().features.cols());
    }
  }
}

}  // namespace srgw::detail
