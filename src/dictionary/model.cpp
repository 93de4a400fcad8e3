// SPDX-License-Identifier: MIT
#include <nlohmann/json.hpp>

#include "dictionary/checkpoint.hpp"
#include "dictionary/model_parts.hpp"
#include "dictionary/options_json.hpp"
#include "srgw/dictionary.hpp"

namespace srgw {

namespace {

using nlohmann::json;

constexpr const char* model_kind = "dictionary";
constexpr int model_version = 1;

}  // namespace

void check(const Dictionary& dictionary) { detail::check_atoms(dictionary.atoms); }

io::Archive to_archive(const Dictionary& dictionary) {
  check(dictionary);
  io::Archive archive(model_kind, model_version);
  const json header{{"atoms", dictionary.atoms.size()},
                    {"projection", detail::projection_to_json(dictionary.projection)},
                    {"features", detail::feature_map_to_json(dictionary.features)},
                    {"structure", dictionary.structure},
                    {"node_weights", dictionary.node_weights}};
  archive.set_header(header.dump());
  detail::add_atoms(dictionary.atoms, archive);
  return archive;
}

Dictionary dictionary_from(const io::Archive& archive) {
  Dictionary dictionary;
  detail::reading_header(archive, model_kind, [&](const json& header) {
    dictionary.projection = detail::projection_from_json(header.at("projection"));
    dictionary.features = detail::feature_map_from_json(header.at("features"));
    dictionary.structure = header.at("structure").get<std::string>();
    dictionary.node_weights = header.at("node_weights").get<std::string>();
    dictionary.atoms = detail::atoms_of(archive, header.at("atoms").get<std::size_t>());
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
