// SPDX-License-Identifier: MIT
#include "srgw/samples.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "base/message.hpp"
#include "base/parallel.hpp"
#include "base/stop.hpp"
#include "ranks/column_sums.hpp"
#include "ranks/parcel.hpp"
#include "structure/plain_rows.hpp"

namespace srgw {

namespace {

using detail::fail_argument;

/// The kinds of data that the graphs of a dataset have, on whatever rank they are.
struct Has {
  bool labels = false, attributes = false;
};
Has has_of(const Dataset& dataset, Ranks* ranks = nullptr) {
  std::array<std::int64_t, 2> some{dataset.node_labels.empty() ? 0 : 1,
                                   dataset.node_features.empty() ? 0 : 1};
  if (ranks != nullptr) ranks->sum(some);
  return {some[0] > 0, some[1] > 0};
}

NodeFeatures resolve(NodeFeatures take, const Has& has) {
  if (take != NodeFeatures::automatic) return take;
  if (has.attributes) return NodeFeatures::attributes;
  return has.labels ? NodeFeatures::labels : NodeFeatures::none;
}

bool takes_labels(NodeFeatures take) {
  return take == NodeFeatures::labels || take == NodeFeatures::both;
}
bool takes_attributes(NodeFeatures take) {
  return take == NodeFeatures::attributes || take == NodeFeatures::both;
}

void check_has(NodeFeatures take, const Has& has) {
  if (takes_labels(take) && !has.labels) {
    fail_argument("the dataset has no node labels, expected labels for features");
  }
  if (takes_attributes(take) && !has.attributes) {
    fail_argument("the dataset has no node attributes, expected attributes for features");
  }
}

std::vector<std::int64_t> distinct_labels(const Dataset& dataset, Ranks* ranks) {
  std::vector<std::int64_t> labels;
  for (const auto& of_graph : dataset.node_labels) {
    labels.insert(labels.end(), of_graph.begin(), of_graph.end());
    std::ranges::sort(labels);
    labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  }
  if (ranks == nullptr) return labels;
  const std::vector<Ranks::Bytes> of_ranks = ranks->gather(std::as_bytes(std::span(labels)));
  for (const Ranks::Bytes& bytes : of_ranks) {
    const std::size_t size = labels.size(), count = bytes.size() / sizeof(std::int64_t);
    labels.resize(size + count);
    if (count > 0) std::memcpy(labels.data() + size, bytes.data(), bytes.size());
  }
  std::ranges::sort(labels);
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  return labels;
}

/// Columns of attributes of the first graph of all.
Index attributes_of(const Dataset& dataset, Ranks* ranks) {
  const Index own = dataset.node_features.empty() ? -1 : dataset.node_features.front().cols();
  if (ranks == nullptr) return own;
  for (const Ranks::Bytes& bytes : ranks->gather(std::as_bytes(std::span(&own, 1)))) {
    Index columns = -1;
    std::memcpy(&columns, bytes.data(), sizeof(columns));
    if (columns >= 0) return columns;
  }
  return 0;
}

struct Moments {
  Vector mean, deviation;
};

/// For each attribute the power of two that brings it near 1, where squares are numbers.
Vector units_of(const Dataset& dataset, Index columns, Ranks* ranks) {
  Vector units = Vector::Zero(columns);
  for (const Matrix& features : dataset.node_features) {
    if (features.rows() > 0) {
      units = units.cwiseMax(Vector(features.cwiseAbs().colwise().maxCoeff().transpose()));
    }
  }
  for (double& unit : units) {
    if (ranks != nullptr) unit = detail::largest(*ranks, unit);
    const bool number = unit > 0 && std::isfinite(unit);
    unit = number ? std::ldexp(1.0, -std::clamp(std::ilogb(unit), -1000, 1000)) : 1.0;
  }
  return units;
}

// Mean and unbiased deviation of the rows that `each(visit)` shows on all ranks, times `units`.
template <class Each>
Moments moments(const Vector& units, Ranks* ranks, const Each& each) {
  detail::ColumnSums sum(units.size()), squares(units.size());
  std::int64_t rows = 0;
  each([&](const Vector& row) {
    sum.add(row.cwiseProduct(units));
    ++rows;
  });
  if (ranks != nullptr) ranks->sum(std::span(&rows, 1));
  const auto count = static_cast<double>(rows);
  const Vector mean = sum.values(ranks) / std::max(1.0, count);
  each([&](const Vector& row) { squares.add((row.cwiseProduct(units) - mean).cwiseAbs2()); });
  const Vector deviation = (squares.values(ranks) / std::max(1.0, count - 1)).cwiseSqrt();
  return {mean.cwiseQuotient(units), deviation.cwiseQuotient(units)};
}

Moments node_moments(const Dataset& dataset, const Vector& units, Ranks* ranks) {
  return moments(units, ranks, [&](const auto& visit) {
    for (const Matrix& features : dataset.node_features) {
      detail::throw_if_stopped();
      for (Index i = 0; i < features.rows(); ++i) visit(Vector(features.row(i)));
    }
  });
}

Moments graph_moments(const Dataset& dataset, const Vector& units, Ranks* ranks) {
  return moments(units, ranks, [&](const auto& visit) {
    for (const Matrix& features : dataset.node_features) {
      detail::throw_if_stopped();
      if (features.rows() > 0) visit(Vector(features.colwise().mean()));
    }
  });
}

void standardise(const Dataset& dataset, Standardisation standardisation, Ranks* ranks,
                 FeatureMap& map) {
  constexpr double suspicious = 1e3;
  const Vector units = units_of(dataset, map.attributes, ranks);
  const Moments nodes = node_moments(dataset, units, ranks);
  const Moments used =
      standardisation == Standardisation::nodes ? nodes : graph_moments(dataset, units, ranks);
  map.shift = used.mean;
  map.scale = Vector::Ones(map.attributes);
  for (Index a = 0; a < map.attributes; ++a) {
    if (used.deviation[a] > 0) map.scale[a] = 1 / used.deviation[a];
    const double spread = nodes.deviation[a] * map.scale[a];
    if (standardisation == Standardisation::graphs && spread > suspicious) {
      map.warnings.push_back(fmt::format(
          "attribute {}: the means of graphs deviate by {:.3g}, nodes by {:.3g}; standardised by "
          "graphs it grows to {:.3g}, consider standardisation by nodes",
          a, used.deviation[a], nodes.deviation[a], spread));
    }
  }
}

void check_width(const FeatureMap& map, const Dataset& dataset, std::size_t graph) {
  const Index columns = dataset.node_features[graph].cols();
  if (columns != map.attributes) {
    fail_argument("graph {} has {} attributes, expected {}", dataset.first + graph, columns,
                  map.attributes);
  }
}

void check_features(const Sample& sample, std::size_t graph, Index columns) {
  const Matrix& F = sample.features;
  const Index n = sample.source.structure.size();
  if (columns == 0 && F.cols() == 0) return;
  if (F.cols() != columns) {
    fail_argument("graph {} has {} feature columns, expected {}", graph, F.cols(), columns);
  }
  if (F.rows() != n) {
    fail_argument("graph {} has {} rows of features, expected {}, one for each node", graph,
                  F.rows(), n);
  }
  for (Index i = 0; i < n; ++i) {
    if (!F.row(i).allFinite()) {
      fail_argument("graph {}: features of node {} are not finite, expected numbers", graph, i);
    }
  }
}

void check_weights(const Source& source, std::size_t graph) {
  constexpr double tolerance = 1e-8;
  const Vector& h = source.weights;
  if (h.size() != source.structure.size()) {
    fail_argument("graph {} has {} weights, expected {}, one for each node", graph, h.size(),
                  source.structure.size());
  }
  if (!(h.minCoeff() >= 0 && std::abs(h.sum() - 1) <= tolerance)) {
    fail_argument("weights of graph {} sum to {}, expected numbers >= 0 with sum 1", graph,
                  h.sum());
  }
}

}  // namespace

void check(std::span<const Sample> samples, Index columns, std::size_t first) {
  for (std::size_t s = 0; s < samples.size(); ++s) {
    detail::throw_if_stopped();
    check_weights(samples[s].source, first + s);
    check_features(samples[s], first + s, columns);
  }
}

FeatureMap fit_features(const Dataset& dataset, const FeatureOptions& options, Ranks* ranks) {
  check(dataset);
  const Has has = has_of(dataset, ranks);
  FeatureMap map{.take = resolve(options.take, has)};
  check_has(map.take, has);
  if (takes_labels(map.take)) map.labels = distinct_labels(dataset, ranks);
  if (!takes_attributes(map.take)) return map;
  map.attributes = attributes_of(dataset, ranks);
  // Each graph is checked before rows of other widths are summed.
  for (std::size_t g = 0; g < dataset.node_features.size(); ++g) check_width(map, dataset, g);
  if (options.standardisation != Standardisation::none) {
    standardise(dataset, options.standardisation, ranks, map);
  }
  return map;
}

Matrix node_features(const FeatureMap& map, const Dataset& dataset, std::size_t graph) {
  check_has(map.take, has_of(dataset));
  const Index n = dataset.graphs[graph].nodes();
  const Index labels = std::ssize(map.labels);
  Matrix features = Matrix::Zero(n, map.columns());
  for (Index i = 0; labels > 0 && i < n; ++i) {
    const std::int64_t label = dataset.node_labels[graph][i];
    const auto found = std::ranges::lower_bound(map.labels, label);
    if (found == map.labels.end() || *found != label) continue;
    features(i, found - map.labels.begin()) = 1;
  }
  if (map.attributes == 0) return features;
  check_width(map, dataset, graph);
  const Matrix& given = dataset.node_features[graph];
  auto attributes = features.rightCols(map.attributes);
  attributes = given;
  if (map.scale.size() > 0) {
    attributes = (given.rowwise() - map.shift.transpose()) * map.scale.asDiagonal();
  }
  return features;
}

std::string unknown_labels(const FeatureMap& map, const Dataset& dataset) {
  std::vector<std::int64_t> strange;
  std::size_t nodes = 0, graphs = 0;
  for (std::size_t g = 0; !map.labels.empty() && g < dataset.node_labels.size(); ++g) {
    const std::size_t before = nodes;
    for (const std::int64_t label : dataset.node_labels[g]) {
      if (std::ranges::binary_search(map.labels, label)) continue;
      strange.push_back(label);
      ++nodes;
    }
    graphs += nodes > before ? 1 : 0;
  }
  if (nodes == 0) return {};
  std::ranges::sort(strange);
  strange.erase(std::unique(strange.begin(), strange.end()), strange.end());
  constexpr std::size_t shown = 5;
  const std::size_t count = std::min(shown, strange.size());
  return fmt::format(
      "{} node{} of {} graph{} {} labels that the model was not learned from ({}{}); their columns "
      "are 0",
      nodes, nodes == 1 ? "" : "s", graphs, graphs == 1 ? "" : "s", nodes == 1 ? "has" : "have",
      fmt::join(strange.begin(), strange.begin() + static_cast<std::ptrdiff_t>(count), ", "),
      strange.size() > shown ? ", ..." : "");
}

// Structures of small graphs are stored entry by entry, which is what row descent reads.
std::vector<Sample> make_samples(const Dataset& dataset, const FeatureMap& map,
                                 const Transform& transform, int threads) {
  constexpr Index small = 4096;  // nodes
  check(dataset);
  const auto graphs = static_cast<Index>(dataset.graphs.size());
  std::vector<std::optional<Sample>> made(dataset.graphs.size());
  detail::parallel_for(graphs, detail::resolve_threads(threads), [&](Index g, int) {
    const std::size_t graph = g;
    try {
      made[graph].emplace(Sample{transform(dataset.graphs[graph]), {}});
      Structure& structure = made[graph]->source.structure;
      if (structure.size() <= small && structure.has_rows()) {
        structure = detail::with_plain_rows(structure, false);
      }
    } catch (const Error& error) {
      throw Error(error.kind(), fmt::format("graph {}: {}", dataset.first + graph, error.what()));
    }
    made[graph]->features = node_features(map, dataset, graph);
  });
  std::vector<Sample> samples;
  samples.reserve(made.size());
  for (auto& sample : made) samples.push_back(std::move(*sample));
  return samples;
}

}  // namespace srgw
