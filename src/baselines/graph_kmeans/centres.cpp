// SPDX-License-Identifier: MIT
#include <nlohmann/json.hpp>
#include <optional>

#include "base/message.hpp"
#include "base/parallel.hpp"
#include "dictionary/checkpoint.hpp"
#include "dictionary/model_parts.hpp"
#include "solve/closed_form.hpp"
#include "srgw/graph_kmeans.hpp"

namespace srgw {

namespace {

using nlohmann::json;

constexpr const char* model_kind = "graph_centres";
constexpr int model_version = 1;

}  // namespace

void check(const GraphCentres& centres) {
  detail::check_atoms(centres.atoms);
  if (!(centres.alpha >= 0 && centres.alpha <= 1)) {
    detail::fail_argument("alpha is {}, expected a number in [0, 1]", centres.alpha);
  }
}

Matrix divergences(const GraphCentres& centres, std::span<const Sample> samples, const Run& run) {
  check(centres);
  check(samples, centres.columns());
  std::vector<Structure> structures;
  std::vector<Vector> weights;
  for (const Atom& atom : centres.atoms) {
    structures.push_back(Structure::dense(atom.structure));
    weights.push_back(uniform_weights(atom.size()));
  }
  const int threads = detail::resolve_threads(run.threads);
  std::vector<Solver> solvers;
  solvers.reserve(threads);
  for (int t = 0; t < threads; ++t) solvers.emplace_back(ConditionalGradient{}, Run{.threads = 1});
  Matrix values(std::ssize(samples), std::ssize(centres.atoms));
  detail::parallel_for(values.rows(), threads, [&](Index g, int worker) {
    const Sample& sample = samples[g];
    for (std::size_t k = 0; k < structures.size(); ++k) {
      Problem problem{.source = sample.source.structure,
                      .weights = sample.source.weights,
                      .target = structures[k],
                      .target_weights = weights[k]};
      Matrix cost;
      if (centres.columns() > 0) {
        cost = detail::squared_distances(sample.features, centres.atoms[k].features);
        problem.features.emplace(FusedTerm{cost, centres.alpha});
      }
      const Plan start = Plan::from_product(sample.source.weights, weights[k]);
      Solver& solver = solvers[worker];
      values(g, static_cast<Index>(k)) = solver.solve(problem, start).value;
    }
  });
  return values;
}

io::Archive to_archive(const GraphCentres& centres) {
  check(centres);
  io::Archive archive(model_kind, model_version);
  const json header{{"atoms", centres.atoms.size()},
                    {"alpha", centres.alpha},
                    {"features", detail::feature_map_to_json(centres.features)},
                    {"structure", centres.structure},
                    {"node_weights", centres.node_weights}};
  archive.set_header(header.dump());
  detail::add_atoms(centres.atoms, archive);
  return archive;
}

GraphCentres graph_centres_from(const io::Archive& archive) {
  GraphCentres centres;
  detail::reading_header(archive, model_kind, [&](const json& header) {
    centres.alpha = header.at("alpha").get<double>();
    centres.features = detail::feature_map_from_json(header.at("features"));
    centres.structure = header.at("structure").get<std::string>();
    centres.node_weights = header.at("node_weights").get<std::string>();
    centres.atoms = detail::atoms_of(archive, header.at("atoms").get<std::size_t>());
  });
  check(centres);
  return centres;
}

void save(const GraphCentres& centres, const std::filesystem::path& path) {
  to_archive(centres).write(path);
}

GraphCentres load_graph_centres(const std::filesystem::path& path) {
  return graph_centres_from(io::Archive::read(path, model_kind, model_version));
}

}  // namespace srgw
