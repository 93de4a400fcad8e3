// SPDX-License-Identifier: MIT
#include "dictionary/model_parts.hpp"
#include "srgw/baselines.hpp"

namespace srgw {

template <>
struct detail::ModelFile<LinearDictionary> {
  static constexpr const char* kind = "linear_dictionary";
  static void describe(auto& parts, auto& model) {
    parts.value("unmixing", model.unmixing);
    parts.array("weights", model.weights);
  }
};

template <>
struct detail::ModelFile<Factorization> {
  static constexpr const char* kind = "factorization";
  static void describe(auto& parts, auto& model) { parts.value("factoring", model.factoring); }
};

template <>
struct detail::ModelFile<GraphCentres> {
  static constexpr const char* kind = "graph_centres";
  static void describe(auto& parts, auto& model) { parts.value("alpha", model.alpha); }
};

template io::Archive to_archive(const LinearDictionary& model);
template LinearDictionary from_archive(const io::Archive& archive);
template LinearDictionary load(const std::filesystem::path& path);

template io::Archive to_archive(const Factorization& model);
template Factorization from_archive(const io::Archive& archive);
template Factorization load(const std::filesystem::path& path);

template io::Archive to_archive(const GraphCentres& model);
template GraphCentres from_archive(const io::Archive& archive);
template GraphCentres load(const std::filesystem::path& path);

namespace {

io::Archive read_model(const std::filesystem::path& path) {
  io::Archive archive = io::Archive::read(path, "", Learning::checkpoint_version);
  if (archive.kind().ends_with("checkpoint")) {
    throw Error(Error::Kind::format,
                fmt::format("{}: is a checkpoint of a run that has not ended, expected a model; "
                            "`srgw learn --resume` goes on with it",
                            path.string()));
  }
  if (archive.version() > detail::model_version) {
    archive = io::Archive::read(path, "", detail::model_version);  // says so
  }
  return archive;
}

}  // namespace

AnyModel load_model(const std::filesystem::path& path) {
  const io::Archive archive = read_model(path);
  const auto holds = [&](const char* kind) { return archive.kind() == kind; };
  if (holds(detail::ModelFile<LinearDictionary>::kind)) {
    return from_archive<LinearDictionary>(archive);
  }
  if (holds(detail::ModelFile<Factorization>::kind)) return from_archive<Factorization>(archive);
  if (holds(detail::ModelFile<GraphCentres>::kind)) return from_archive<GraphCentres>(archive);
  return load<Dictionary>(path);
}

}  // namespace srgw
