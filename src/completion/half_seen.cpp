// SPDX-License-Identifier: MIT
#include "completion/half_seen.hpp"

#include <algorithm>
#include <numeric>

#include "base/sampling.hpp"

namespace srgw::detail {

std::vector<std::vector<NodeId>> neighbours_of(const Matrix& structure) {
  std::vector<std::vector<NodeId>> neighbours(structure.rows());
  for (Index i = 0; i < structure.rows(); ++i) {
    for (Index j = 0; j < structure.cols(); ++j) {
      if (i != j && structure(i, j) != 0) {
        neighbours[i].push_back(static_cast<NodeId>(j));
      }
    }
  }
  return neighbours;
}

void set_roles(Projector& projector, int worker, SeenGraph& graph) {
  const Index n = graph.size();
  Matrix C = Matrix::Zero(n, n);
  for (Index i = 0; i < n; ++i) {
    for (const NodeId j : graph.neighbours[i]) C(i, j) = 1;
  }
  const Sample sample{{Structure::dense(std::move(C), true), uniform_weights(n)}, graph.features};
  const Solution& solution = projector.solve(worker, sample);
  graph.roles = solution.plan.labels();
  graph.fit = solution.value;
}

HalfSeen hide_nodes(const std::vector<std::vector<NodeId>>& neighbours, const Matrix& features,
                    Index count, Random& random) {
  const std::size_t n = neighbours.size();
  std::vector<NodeId> order(n);
  std::iota(order.begin(), order.end(), NodeId{0});
  draw_to_front(order, n - 1, random);
  HalfSeen half;
  half.hidden.assign(order.begin(), order.begin() + count);
  half.shown.assign(order.begin() + count, order.end());
  std::ranges::sort(half.shown);

  std::vector<NodeId> place(n, static_cast<NodeId>(n));
  for (std::size_t s = 0; s < half.shown.size(); ++s) {
    place[half.shown[s]] = static_cast<NodeId>(s);
  }
  half.seen.neighbours.resize(half.shown.size());
  for (std::size_t s = 0; s < half.shown.size(); ++s) {
    for (const NodeId j : neighbours[half.shown[s]]) {
      if (place[j] < n) half.seen.neighbours[s].push_back(place[j]);
    }
  }
  half.seen.hidden = count;
  if (features.cols() > 0) half.seen.features = features(half.shown, Eigen::all);
  return half;
}

}  // namespace srgw::detail
