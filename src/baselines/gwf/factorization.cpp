// SPDX-License-Identifier: MIT
#include "srgw/factorization.hpp"

#include <nlohmann/json.hpp>
#include <numeric>

#include "base/parallel.hpp"
#include "baselines/gwf/factorer.hpp"
#include "dictionary/checkpoint.hpp"
#include "dictionary/model_parts.hpp"
#include "dictionary/options_json.hpp"

namespace srgw {

namespace {

using nlohmann::json;

constexpr const char* model_kind = "factorization";
constexpr int model_version = 1;

}  // namespace

void check(const Factorization& model) {
  detail::check_atoms(model.atoms);
  check_fields(model.factoring);
}

Factored factor(const Factorization& model, std::span<const Sample> samples, const Run& run) {
  check(model);
  check(samples, model.columns());
  detail::Factorer factorer(model.factoring, detail::resolve_threads(run.threads));
  factorer.set_atoms(model.atoms);
  Factored result{Matrix(std::ssize(samples), std::ssize(model.atoms)),
                  std::vector<double>(samples.size())};
  detail::parallel_for(std::ssize(samples), factorer.threads(), [&](Index i, int worker) {
    const std::size_t g = i;
    const detail::FactoredGraph factored = factorer.factor(worker, samples[g]);
    result.shares.row(i) = factored.shares.transpose();
    result.values[g] = factored.value;
  });
  if (samples.empty()) return result;
  result.mean_value = std::accumulate(result.values.begin(), result.values.end(), 0.0) /
                      static_cast<double>(samples.size());
  return result;
}

io::Archive to_archive(const Factorization& model) {
  check(model);
  io::Archive archive(model_kind, model_version);
  const json header{{"atoms", model.atoms.size()},
                    {"factoring", detail::options_to_json(model.factoring)},
                    {"features", detail::feature_map_to_json(model.features)},
                    {"structure", model.structure},
                    {"node_weights", model.node_weights}};
  archive.set_header(header.dump());
  detail::add_atoms(model.atoms, archive);
  return archive;
}

Factorization factorization_from(const io::Archive& archive) {
  Factorization model;
  detail::reading_header(archive, model_kind, [&](const json& header) {
    detail::options_from_json(header.at("factoring"), model.factoring);
    model.features = detail::feature_map_from_json(header.at("features"));
    model.structure = header.at("structure").get<std::string>();
    model.node_weights = header.at("node_weights").get<std::string>();
    model.atoms = detail::atoms_of(archive, header.at("atoms").get<std::size_t>());
  });
  check(model);
  return model;
}

void save(const Factorization& model, const std::filesystem::path& path) {
  to_archive(model).write(path);
}

Factorization load_factorization(const std::filesystem::path& path) {
  return factorization_from(io::Archive::read(path, model_kind, model_version));
}

}  // namespace srgw
