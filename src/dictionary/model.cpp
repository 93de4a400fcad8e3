// SPDX-License-Identifier: MIT
#include <nlohmann/json.hpp>

#include "dictionary/checkpoint.hpp"
#include "dictionary/options_json.hpp"
#include "message.hpp"
#include "srgw/dictionary.hpp"

namespace srgw {

namespace {

using detail::fail_argument;
using nlohmann::json;

constexpr const char* model_kind = "dictionary";
constexpr int model_version = 1;

std::string atom_name(std::size_t number) { return "atom" + std::to_string(number); }

json to_json(const FeatureMap& map) {
  return {{"take", static_cast<int>(map.take)},
          {"labels", map.labels},
          {"attributes", map.attributes},
          {"shift", std::vector<double>(map.shift.begin(), map.shift.end())},
          {"scale", std::vector<double>(map.scale.begin(), map.scale.end())}};
}

Vector vector_of(const json& values) {
  const auto list = values.get<std::vector<double>>();
  return Eigen::Map<const Vector>(list.data(), std::ssize(list));
}

FeatureMap feature_map_of(const json& found) {
  return {.take = static_cast<NodeFeatures>(found.at("take").get<int>()),
          .labels = found.at("labels").get<std::vector<std::int64_t>>(),
          .attributes = found.at("attributes").get<Index>(),
          .shift = vector_of(found.at("shift")),
          .scale = vector_of(found.at("scale"))};
}

}  // namespace

void check(const Dictionary& dictionary) {
  if (dictionary.atoms.empty()) fail_argument("the dictionary has no atoms, expected one or more");
  for (std::size_t a = 0; a < dictionary.atoms.size(); ++a) {
    const auto& [B, X] = dictionary.atoms[a];
    if (B.rows() < 1 || B.rows() != B.cols() || !B.allFinite()) {
      fail_argument("structure of atom {} is {} x {}, expected a square matrix of finite numbers",
                    a, B.rows(), B.cols());
    }
    if (X.cols() != dictionary.columns() || (X.cols() > 0 && X.rows() != B.rows()) ||
        !X.allFinite()) {
      fail_argument("features of atom {} are {} x {}, expected {} x {} finite numbers", a, X.rows(),
                    X.cols(), B.rows(), dictionary.columns());
    }
  }
}

io::Archive to_archive(const Dictionary& dictionary) {
  check(dictionary);
  io::Archive archive(model_kind, model_version);
  const json header{{"atoms", dictionary.atoms.size()},
                    {"projection", detail::projection_to_json(dictionary.projection)},
                    {"features", to_json(dictionary.features)},
                    {"structure", dictionary.structure},
                    {"node_weights", dictionary.node_weights}};
  archive.set_header(header.dump());
  for (std::size_t a = 0; a < dictionary.atoms.size(); ++a) {
    detail::add_atom(atom_name(a), dictionary.atoms[a], archive);
  }
  return archive;
}

Dictionary dictionary_from(const io::Archive& archive) {
  Dictionary dictionary;
  detail::reading_header(archive, model_kind, [&](const json& header) {
    dictionary.projection = detail::projection_from_json(header.at("projection"));
    dictionary.features = feature_map_of(header.at("features"));
    dictionary.structure = header.at("structure").get<std::string>();
    dictionary.node_weights = header.at("node_weights").get<std::string>();
    const auto atoms = header.at("atoms").get<std::size_t>();
    for (std::size_t a = 0; a < atoms; ++a) {
      dictionary.atoms.push_back(detail::atom_of(archive, atom_name(a)));
    }
  });
  check(dictionary);
  return dictionary;
}

void save(const Dictionary& dictionary, const std::filesystem::path& path) {
  to_archive(dictionary).write(path);
}

Dictionary load_dictionary(const std::filesystem::path& path) {
  return dictionary_from(io::Archive::read(path, model_kind, model_version));
}

}  // namespace srgw
