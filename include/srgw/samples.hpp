// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "srgw/fields.hpp"
#include "srgw/graph.hpp"
#include "srgw/ranks.hpp"
#include "srgw/structure.hpp"
#include "srgw/transform.hpp"
#include "srgw/types.hpp"

namespace srgw {

/// A graph as dictionaries see it.
struct Sample {
  Source source;         ///< C (n x n) and h (n)
  Matrix features = {};  ///< F (n x d); no columns: none
};

/// Throws, with the number of the graph, unless weights and features fit the structure and are
/// finite, and all samples have `columns` feature columns (0: none). They are counted from `first`.
void check(std::span<const Sample> samples, Index columns, std::size_t first = 0);

/// The source of node features.
enum class NodeFeatures {
  automatic,   ///< attributes where the dataset has them, else labels, else none
  none,        ///< the structure alone
  labels,      ///< a column for each label that occurs: 1 for nodes that have it
  attributes,  ///< the numbers of the dataset
  both,        ///< labels, then attributes
};
constexpr auto names_of(NodeFeatures) {
  return std::array{Named{NodeFeatures::automatic, "auto"}, Named{NodeFeatures::none, "none"},
                    Named{NodeFeatures::labels, "labels"},
                    Named{NodeFeatures::attributes, "attributes"},
                    Named{NodeFeatures::both, "both"}};
}

/// How attributes are standardised.
enum class Standardisation {
  none,
  graphs,  ///< mean 0 and deviation 1 of the mean of each graph (the authors' code)
  nodes,   ///< mean 0 and deviation 1 over all nodes
};
constexpr auto names_of(Standardisation) {
  return std::array{Named{Standardisation::none, "none"}, Named{Standardisation::graphs, "graphs"},
                    Named{Standardisation::nodes, "nodes"}};
}

struct FeatureOptions {
  NodeFeatures take = NodeFeatures::automatic;
  Standardisation standardisation = Standardisation::none;
};

/// How labels and attributes of nodes become features: fitted on one dataset, used for any other.
struct FeatureMap {
  NodeFeatures take = NodeFeatures::none;  ///< never automatic
  std::vector<std::int64_t> labels = {};   ///< a column for each, ascending
  Index attributes = 0;                    ///< columns that are attributes
  Vector shift = {}, scale = {};           ///< attribute a becomes (a - shift) * scale; empty: a
  std::vector<std::string> warnings = {};  ///< sentences about what looks wrong

  [[nodiscard]] Index columns() const { return std::ssize(labels) + attributes; }
};

/// Throws when the dataset lacks what is asked for. Warns when the means of graphs vary a thousand
/// times less than their nodes, so that Standardisation::graphs blows features up. Each rank gives
/// its graphs of a dataset that all ranks have read (io::read_share), and gets the map of all.
[[nodiscard]] FeatureMap fit_features(const Dataset& dataset, const FeatureOptions& options = {},
                                      Ranks* ranks = nullptr);
/// The features (n x d) of one graph. A label that the map does not know leaves the columns of
/// labels 0, see unknown_labels(). Throws, with the number of the graph, when the dataset does not
/// have what the map was fitted on.
[[nodiscard]] Matrix node_features(const FeatureMap& map, const Dataset& dataset,
                                   std::size_t graph);
/// A sentence about the nodes whose labels the map does not know; empty if it knows all.
[[nodiscard]] std::string unknown_labels(const FeatureMap& map, const Dataset& dataset);

/// Makes the structure of a graph: `adjacency` or any other transform.
using Transform = std::function<Source(const Graph&)>;

/// All graphs of a dataset. Errors of the transform gain the number of the graph.
[[nodiscard]] std::vector<Sample> make_samples(const Dataset& dataset, const FeatureMap& map = {},
                                               const Transform& transform = adjacency,
                                               int threads = 0);

}  // namespace srgw
