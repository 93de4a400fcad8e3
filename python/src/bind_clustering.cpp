// SPDX-License-Identifier: MIT
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "models.hpp"
#include "samples.hpp"
#include "srgw/clustering.hpp"
#include "watch.hpp"

namespace srgw::python {

namespace {

using namespace nb::literals;

/// Defaults of cluster() as keywords of SRGWDictionary, and the scaling.
nb::tuple default_words() {
  const ClusterOptions options;
  nb::list coordinates;
  for (const Coordinate coordinate : options.embedding.coordinates) {
    coordinates.append(std::string(name(coordinate)));
  }
  nb::dict keywords;
  keywords["n_nodes"] = options.size;
  keywords["features"] = std::string(name(options.features.take));
  keywords["standardise"] = std::string(name(options.features.standardisation));
  keywords["atom_start"] = std::string(name(std::get<ClosedForm>(options.learner).start));
  keywords["n_atoms"] = options.atoms;
  keywords["coordinates"] = coordinates;
  keywords["random_starts"] = options.embedding.random_starts;
  return nb::make_tuple(keywords, std::string(name(options.scaling)));
}

/// Result of cluster() and cluster_points().
nb::dict found_in(const PointClusters& found) {
  nb::dict result;
  result["labels"] = to_numpy(std::vector<std::int64_t>(found.labels.begin(), found.labels.end()));
  result["centres"] = to_numpy(Matrix(found.centres));
  result["inertia"] = found.inertia;
  result["points"] = to_numpy(Matrix(found.points));
  result["scale"] =
      nb::make_tuple(to_numpy(Matrix(found.scale.sorted)), to_numpy(Vector(found.scale.means)),
                     to_numpy(Vector(found.scale.factors)));
  result["largest_share"] = found.largest_share();
  result["status"] = std::string(name(found.status));
  result["doubts"] = found.evidence ? found.evidence->doubts(static_cast<int>(found.centres.rows()))
                                    : std::vector<std::string>{};
  return result;
}

nb::dict cluster_graphs(const Samples& samples, const FeatureMap& features, int clusters, int tries,
                        const std::string& scaling, const RunGiven& given_run) {
  ClusterOptions options{.clusters = clusters, .tries = tries};
  if (!scaling.empty()) options.scaling = from_name<RowScaling>(scaling, "scale");
  GraphPartition found =
      watched(given_run, [&](const Run& run) { return cluster(samples.all, options, run); });
  nb::dict result = found_in(found);
  found.model.features = features;
  nb::list learned;
  for (Learned& one : found.learned) learned.append(std::move(one));
  result["learned"] = learned;
  result["alpha"] = found.model.projection.alpha;
  return result;
}

nb::dict cluster_rows(const Array2& rows, const std::vector<Index>& blocks,
                      const std::string& scaling, int clusters, int tries, std::uint64_t seed) {
  PointOptions options{.clusters = clusters, .tries = tries, .blocks = blocks};
  if (!scaling.empty()) options.scaling = from_name<RowScaling>(scaling, "scale");
  return found_in(watched([&] { return cluster_points(view(rows), options, {}, {.seed = seed}); }));
}

}  // namespace

void bind_clustering(nb::module_& module) {
  module.def("cluster_defaults", &default_words, "How graphs become points by default.");
  module.def("cluster", &cluster_graphs, "samples"_a, "features"_a, "clusters"_a, "tries"_a,
             "scaling"_a, "run"_a);
  module.def("cluster_points", &cluster_rows, "rows"_a, "blocks"_a, "scaling"_a, "clusters"_a,
             "tries"_a, "seed"_a);
  module.def(
      "scaled_rows",
      [](const Array2& rows, const Array2& sorted, const Array1<double>& means,
         const Array1<double>& factors) {
        return to_numpy(RowScale{view(sorted), view(means), view(factors)}.apply(view(rows)));
      },
      "rows"_a, "sorted"_a, "means"_a, "factors"_a);
}

}  // namespace srgw::python
