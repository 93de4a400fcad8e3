// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <limits>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "srgw/dictionary.hpp"
#include "srgw/fields.hpp"
#include "srgw/io.hpp"
#include "srgw/run.hpp"
#include "srgw/samples.hpp"
#include "srgw/solve.hpp"
#include "srgw/types.hpp"

namespace srgw {

/// k-means whose points are graphs, whose distance is GW (FGW with features) and whose means are
/// barycenters.
struct GraphKMeans {
  int clusters = 2;
  int size = 0;              ///< nodes of the centres; 0: the median of the graphs
  double alpha = 0.5;        ///< read where there are features
  int max_rounds = 300;      ///< of assignment and means
  double tolerance = 1e-3;   ///< on the relative change of the loss in a round
  int seeding_graphs = 100;  ///< drawn at random, among which k-means++ looks for first centres
  int mean_turns = 100;      ///< of a barycenter
  double mean_tolerance = 1e-3;
};

constexpr auto fields(const GraphKMeans&) {
  using O = GraphKMeans;
  constexpr double inf = std::numeric_limits<double>::infinity();
  return std::tuple{
      Field{"clusters", &O::clusters, 1, 1e9, "centres"},
      Field{"size", &O::size, 0, 1e6, "nodes of a centre; 0: the median of the graphs"},
      Field{"alpha", &O::alpha, 0, 1, "weight of the structure against the features"},
      Field{"max_rounds", &O::max_rounds, 1, 1e9, "rounds of assignment and means at most"},
      Field{"tolerance", &O::tolerance, 0, inf, "relative change of the loss in a round"},
      Field{"seeding_graphs", &O::seeding_graphs, 1, 1e9, "graphs that first centres come from"},
      Field{"mean_turns", &O::mean_turns, 1, 1e9, "turns of a barycenter at most"},
      Field{"mean_tolerance", &O::mean_tolerance, 0, inf, "relative change in such a turn"},
  };
}

/// Centres that graphs are compared with; the nodes of a centre all weigh the same.
struct GraphCentres {
  std::vector<Atom> atoms = {};
  double alpha = 0.5;
  FeatureMap features = {};       ///< how features are made of a dataset
  std::string structure = {};     ///< what the structures are, in the words of the program
  std::string node_weights = {};  ///< the same of the weights

  /// d, the columns of features; 0: none.
  [[nodiscard]] Index columns() const { return atoms.empty() ? 0 : atoms.front().features.cols(); }
};

/// Throws unless there are centres, finite and with the same number of feature columns.
void check(const GraphCentres& centres);

/// (F)GW values of graphs (rows) to centres, in parallel. Errors name the graph.
[[nodiscard]] Matrix divergences(const GraphCentres& centres, std::span<const Sample> samples,
                                 const Run& run = {});

struct GraphClusters {
  GraphCentres centres;
  Assignment labels;
  Matrix values;                    ///< graphs x clusters: divergences to the centres
  double inertia = 0;               ///< their sum over graphs, each to its own centre
  std::vector<double> losses = {};  ///< inertia at each assignment
  int rounds = 0;
  Status status = Status::iteration_limit;
};

/// First centres by k-means++ on a random part of the graphs; then assignment and barycenters take
/// turns, a barycenter going on from the last one. A cluster that loses all graphs starts again
/// from the graph that fits worst in the largest one. The result does not depend on the threads.
[[nodiscard]] GraphClusters cluster_graphs(std::span<const Sample> samples,
                                           const GraphKMeans& options, const Run& run = {});

/// Centres as named arrays with a header, and back. Throws when the archive holds none.
[[nodiscard]] io::Archive to_archive(const GraphCentres& centres);
[[nodiscard]] GraphCentres graph_centres_from(const io::Archive& archive);
void save(const GraphCentres& centres, const std::filesystem::path& path);
[[nodiscard]] GraphCentres load_graph_centres(const std::filesystem::path& path);

}  // namespace srgw
