// SPDX-License-Identifier: MIT
#include <nlohmann/json.hpp>

#include "dictionary/checkpoint.hpp"
#include "dictionary/model_parts.hpp"
#include "dictionary/options_json.hpp"
#include "srgw/linear_dictionary.hpp"

namespace srgw {

namespace {

using nlohmann::json;

constexpr const char* model_kind = "linear_dictionary";
constexpr int model_version = 1;

}  // namespace

io::Archive to_archive(const LinearDictionary& dictionary) {
  check(dictionary);
  io::Archive archive(model_kind, model_version);
  const json header{{"atoms", dictionary.atoms.size()},
                    {"unmixing", detail::options_to_json(dictionary.unmixing)},
                    {"features", detail::feature_map_to_json(dictionary.features)},
                    {"structure", dictionary.structure},
                    {"node_weights", dictionary.node_weights}};
  archive.set_header(header.dump());
  detail::add_atoms(dictionary.atoms, archive);
  archive.add("weights", std::vector<double>(dictionary.weights.begin(), dictionary.weights.end()));
  return archive;
}

LinearDictionary linear_dictionary_from(const io::Archive& archive) {
  LinearDictionary dictionary;
  detail::reading_header(archive, model_kind, [&](const json& header) {
    detail::options_from_json(header.at("unmixing"), dictionary.unmixing);
    dictionary.features = detail::feature_map_from_json(header.at("features"));
    dictionary.structure = header.at("structure").get<std::string>();
    dictionary.node_weights = header.at("node_weights").get<std::string>();
    dictionary.atoms = detail::atoms_of(archive, header.at("atoms").get<std::size_t>());
    const auto& weights = archive.values<double>("weights");
    dictionary.weights = Eigen::Map<const Vector>(weights.data(), std::ssize(weights));
  });
  check(dictionary);
  return dictionary;
}

void save(const LinearDictionary& dictionary, const std::filesystem::path& path) {
  to_archive(dictionary).write(path);
}

LinearDictionary load_linear_dictionary(const std::filesystem::path& path) {
  return linear_dictionary_from(io::Archive::read(path, model_kind, model_version));
}

}  // namespace srgw
