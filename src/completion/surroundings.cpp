// SPDX-License-Identifier: MIT
#include "completion/surroundings.hpp"

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "base/stop.hpp"
#include "completion/environments.hpp"

namespace srgw::detail {

namespace {

constexpr std::uint8_t far = 99;
constexpr int rings = 4;  // distances 2, 3, 4, 5 are counted apart
constexpr Index plain_graph = 14, plain_node = 15 + 2 * rings, plain_pair = 12;
constexpr Index widest = 24;  // features of more columns are not summed over distances

double share(double part, double whole) { return whole > 0 ? part / whole : 0.0; }

Index feature_rings(Index features) { return features <= widest ? 3 : 1; }

}  // namespace

void SeenGraph::add(const std::vector<NodeId>& its_neighbours, const Vector& its_features,
                    NodeId role) {
  const auto node = static_cast<NodeId>(neighbours.size());
  for (const NodeId i : its_neighbours) neighbours[i].push_back(node);
  neighbours.push_back(its_neighbours);
  if (features.cols() > 0) {
    features.conservativeResize(features.rows() + 1, Eigen::NoChange);
    features.bottomRows(1) = its_features.transpose();
  }
  roles.push_back(role);
  --hidden;
}

Surroundings::Surroundings(const SeenGraph& graph, const Atom& atom)
    : graph_(graph), atom_(atom), n_(graph.size()), degrees_(Vector::Zero(n_)) {
  for (Index i = 0; i < n_; ++i) {
    degrees_[i] = static_cast<double>(graph.neighbours[i].size());
  }
  measure_distances();
  count_triangles();
  compare_neighbourhoods();
  // (B q) at the role of each node: what the atom takes its degree for.
  Vector q = Vector::Zero(atom.size());
  for (const NodeId role : graph.roles) q[role] += 1.0 / static_cast<double>(n_);
  const Vector degrees_of_roles = atom.structure * q;
  role_degree_ = Vector(n_);
  for (Index i = 0; i < n_; ++i) {
    role_degree_[i] = degrees_of_roles[graph.roles[i]];
  }
  describe_graph();
}

void Surroundings::measure_distances() {
  distances_.assign(n_ * n_, far);
  component_ = Vector::Zero(n_);
  std::vector<NodeId> queue;
  for (Index s = 0; s < n_; ++s) {
    throw_if_stopped();
    std::uint8_t* row = distances_.data() + s * n_;
    row[s] = 0;
    queue.assign(1, static_cast<NodeId>(s));
    for (std::size_t at = 0; at < queue.size(); ++at) {
      const NodeId i = queue[at];
      for (const NodeId j : graph_.neighbours[i]) {
        if (row[j] != far) continue;
        row[j] = static_cast<std::uint8_t>(std::min(row[i] + 1, far - 1));
        queue.push_back(j);
      }
    }
    component_[s] = static_cast<double>(queue.size());
    components_ += 1 / component_[s];
  }
}

void Surroundings::count_triangles() {
  adjacent_.assign(n_ * n_, 0);
  for (Index i = 0; i < n_; ++i) {
    for (const NodeId j : graph_.neighbours[i]) {
      adjacent_[i * n_ + j] = 1;
    }
  }
  triangles_ = Vector::Zero(n_);
  clustering_ = Vector::Zero(n_);
  neighbour_degree_ = Vector::Zero(n_);
  for (Index i = 0; i < n_; ++i) {
    throw_if_stopped();
    const auto& near = graph_.neighbours[i];
    for (std::size_t a = 0; a < near.size(); ++a) {
      neighbour_degree_[i] += degrees_[near[a]];
      const std::uint8_t* row = adjacent_.data() + static_cast<Index>(near[a]) * n_;
      for (std::size_t b = a + 1; b < near.size(); ++b) triangles_[i] += row[near[b]];
    }
    clustering_[i] = share(triangles_[i], degrees_[i] * (degrees_[i] - 1) / 2);
    neighbour_degree_[i] = share(neighbour_degree_[i], degrees_[i]);
  }
}

// Nodes with the same closed neighbourhood, told by sums of random numbers; and with the same
// degree.
void Surroundings::compare_neighbourhoods() {
  std::vector<std::uint64_t> keys(n_);
  Random random(0x5eed, 0);
  for (auto& key : keys) key = random();
  closed_ = keys;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    for (const NodeId j : graph_.neighbours[i]) closed_[i] += keys[j];
  }
  twins_ = same_degree_ = lower_degree_ = Vector::Zero(n_);
  for (Index i = 0; i < n_; ++i) {
    throw_if_stopped();
    for (Index j = 0; j < n_; ++j) {
      const bool twin = closed_[i] == closed_[j];
      twins_[i] += static_cast<double>(twin);
      same_degree_[i] += static_cast<double>(degrees_[i] == degrees_[j]);
      lower_degree_[i] += static_cast<double>(degrees_[j] < degrees_[i]);
    }
  }
}

void Surroundings::describe_graph() {
  const auto n = static_cast<double>(n_), hidden = static_cast<double>(graph_.hidden);
  const double mean = degrees_.mean();
  const double deviation = std::sqrt((degrees_.array() - mean).square().mean());
  const double edges = degrees_.sum() / 2;
  of_graph_ = {n,
               hidden,
               hidden / (n + hidden),
               mean,
               share(mean, n - 1),
               deviation,
               degrees_.maxCoeff() / n,
               static_cast<double>((degrees_.array() == 1).count()) / n,
               static_cast<double>((degrees_.array() == 0).count()) / n,
               static_cast<double>((degrees_.array() >= n - 1).count()) / n,
               components_,
               clustering_.mean(),
               edges - n + components_,
               graph_.fit};
}

Index Surroundings::graph_columns(Index features) { return plain_graph + features; }
Index Surroundings::node_columns(Index features) {
  return plain_graph + plain_node + environment_sizes(features) +
         features * (1 + feature_rings(features));
}
Index Surroundings::pair_columns(Index features) {
  return node_columns(features) + plain_pair + features;
}

void Surroundings::write_graph(double* row) const {
  row = std::ranges::copy(of_graph_, row).out;
  for (Index c = 0; c < graph_.features.cols(); ++c) *row++ = graph_.features.col(c).mean();
}

void Surroundings::write_node(Index node, double* row) const {
  const auto n = static_cast<double>(n_);
  row = std::ranges::copy(of_graph_, row).out;
  const auto& near = graph_.neighbours[node];
  double least = far, most = 0;
  for (const NodeId j : near) {
    least = std::min(least, degrees_[j]);
    most = std::max(most, degrees_[j]);
  }
  for (const double number :
       {degrees_[node], degrees_[node] / n, share(degrees_[node], degrees_.maxCoeff()),
        neighbour_degree_[node], neighbour_degree_[node] / n, clustering_[node],
        lower_degree_[node] / n, same_degree_[node] / n, twins_[node] / n, twins_[node],
        component_[node] / n, triangles_[node], least, most, role_degree_[node]}) {
    *row++ = number;
  }
  row = std::copy_n(graph_.remembered.row(node).data(), graph_.remembered.cols(), row);
  // How many nodes are so far, and how many of them are ends.
  double* ring = row;
  row += 2 * rings;
  std::fill(ring, row, 0.0);
  const Index d = graph_.features.cols(), sums = feature_rings(d);
  double* around = row + d;
  std::fill(around, around + sums * d, 0.0);
  for (Index j = 0; j < n_; ++j) {
    const int away = distance(node, j);
    if (away >= 2 && away < 2 + rings) {
      ring[away - 2] += 1;
      ring[rings + away - 2] += static_cast<double>(degrees_[j] <= 1);
    }
    if (away < 1 || away > sums) continue;
    for (Index c = 0; c < d; ++c) around[(away - 1) * d + c] += graph_.features(j, c);
  }
  for (Index c = 0; c < d; ++c) row[c] = graph_.features(node, c);
}

Index Surroundings::common_neighbours(Index i, Index j) const {
  const std::uint8_t *a = adjacent_.data() + i * n_, *b = adjacent_.data() + j * n_;
  Index count = 0;
  for (Index k = 0; k < n_; ++k) count += a[k] & b[k];
  return count;
}

void Surroundings::write_pair(Index node, Index from, double* row) const {
  write_node(node, row);
  write_view(node, from, row + node_columns(graph_.features.cols()));
}

void Surroundings::write_view(Index node, Index from, double* row) const {
  const auto n = static_cast<double>(n_);
  const Index d = graph_.features.cols();
  const auto common = static_cast<double>(common_neighbours(node, from));
  const std::size_t i = node, v = from;
  for (const double number :
       {static_cast<double>(distance(node, from)), common, share(common, degrees_[node]),
        share(common, degrees_[from]), static_cast<double>(closed_[i] == closed_[v]),
        atom_.structure(graph_.roles[i], graph_.roles[v]), degrees_[from], degrees_[from] / n,
        share(degrees_[from], degrees_.maxCoeff()), clustering_[from], neighbour_degree_[from],
        twins_[from] / n}) {
    *row++ = number;
  }
  for (Index c = 0; c < d; ++c) *row++ = graph_.features(from, c);
}

}  // namespace srgw::detail
