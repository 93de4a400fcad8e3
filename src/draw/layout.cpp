// SPDX-License-Identifier: MIT
#include "srgw/draw.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/message.hpp"
#include "base/stop.hpp"
#include "draw/layout_component.hpp"
#include "srgw/graph.hpp"

namespace srgw {

namespace {

/// A part of the drawing that is moved as a whole.
struct Box {
  Index component = 0;
  double width = 0, height = 0, x = 0, y = 0;
};

/// Shelves from bottom to top, about as wide as high; boxes come in falling height.
void pack(std::vector<Box>& boxes) {
  double area = 0, widest = 0;
  for (const Box& box : boxes) {
    area += box.width * box.height;
    widest = std::max(widest, box.width);
  }
  const double limit = std::max(widest, 1.1 * std::sqrt(area));
  double x = 0, y = 0, shelf = 0;
  for (Box& box : boxes) {
    if (x > 0 && x + box.width > limit) {
      y += shelf;
      x = 0;
      shelf = 0;
    }
    box.x = x;
    box.y = y;
    x += box.width;
    shelf = std::max(shelf, box.height);
  }
}

std::vector<std::vector<NodeId>> members(const Components& components) {
  std::vector<std::vector<NodeId>> result(components.sizes.size());
  for (std::size_t i = 0; i < components.labels.size(); ++i) {
    result[components.labels[i]].push_back(static_cast<NodeId>(i));
  }
  return result;
}

}  // namespace

Matrix layout(const Graph& graph, const LayoutOptions& options) {
  const Index n = graph.nodes();
  if (!options.blocks.empty() && std::ssize(options.blocks) != n) {
    detail::fail_argument("layout: blocks of {} nodes, expected {}", options.blocks.size(), n);
  }
  if (options.pivots < 1 || options.sweeps < 0 || options.between < 1) {
    detail::fail_argument("layout: {} pivots, {} sweeps, between {}, expected at least 1, 0 and 1",
                          options.pivots, options.sweeps, options.between);
  }
  Matrix points = Matrix::Zero(n, 2);
  const Graph undirected = graph.directed() ? graph.undirected() : graph;
  const auto parts = members(connected_components(undirected));
  std::vector<NodeId> numbers(n);
  for (const auto& nodes : parts) {
    for (std::size_t i = 0; i < nodes.size(); ++i) numbers[nodes[i]] = static_cast<NodeId>(i);
  }
  std::vector<Box> boxes;
  constexpr double gap = 1;
  for (std::size_t c = 0; c < parts.size(); ++c) {
    detail::throw_if_stopped();
    const std::vector<NodeId>& nodes = parts[c];
    Matrix local = Matrix::Zero(std::ssize(nodes), 2);
    if (nodes.size() > 1) local = detail::component_layout(undirected, nodes, numbers, options);
    const Eigen::RowVector2d low = local.colwise().minCoeff();
    const Eigen::RowVector2d size = local.colwise().maxCoeff() - low;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      points.row(nodes[i]) = local.row(static_cast<Index>(i)) - low;
    }
    boxes.push_back({static_cast<Index>(c), size[0] + gap, size[1] + gap});
  }
  std::ranges::stable_sort(boxes, [](const Box& a, const Box& b) { return a.height > b.height; });
  pack(boxes);
  for (const Box& box : boxes) {
    for (const NodeId i : parts[box.component]) {
      points(i, 0) += box.x;
      points(i, 1) += box.y;
    }
  }
  points.rowwise() -= points.colwise().mean();
  return points;
}

void separate(Matrix& points, std::span<const double> radii, int rounds) {
  const Index n = points.rows();
  if (std::ssize(radii) != n || (n > 0 && points.cols() != 2)) {
    detail::fail_argument("separate: {} radii of {} points, expected as many", radii.size(), n);
  }
  if (n < 2) return;
  const double cell = std::max(1e-12, 2 * *std::ranges::max_element(radii));
  for (int round = 0; round < rounds; ++round) {
    detail::throw_if_stopped();
    // Neighbours are found in a grid, as a list of nodes sorted by cell.
    const Eigen::RowVector2d low = points.colwise().minCoeff();
    const auto across = static_cast<Index>((points.col(0).maxCoeff() - low[0]) / cell) +
                        3;  // a margin on each side
    std::vector<std::pair<Index, Index>> cells;
    for (Index i = 0; i < n; ++i) {
      const auto column = static_cast<Index>((points(i, 0) - low[0]) / cell) + 1;
      const auto row = static_cast<Index>((points(i, 1) - low[1]) / cell) + 1;
      cells.emplace_back(row * across + column, i);
    }
    std::ranges::sort(cells);
    bool moved = false;
    const Matrix former = points;
    for (const auto& [place, i] : cells) {
      for (const Index step : {Index{0}, Index{1}, across - 1, across, across + 1}) {
        auto other = std::ranges::lower_bound(cells, std::pair{place + step, Index{-1}});
        for (; other != cells.end() && other->first == place + step; ++other) {
          const Index j = other->second;
          if (step == 0 && j <= i) continue;
          Eigen::RowVector2d apart = former.row(j) - former.row(i);
          const double wanted = radii[i] + radii[j];
          double distance = apart.norm();
          const double missing = wanted - distance;
          if (missing <= 1e-9 * wanted) continue;
          if (distance < 1e-9 * wanted) {  // at one place: the golden angle tells where to go
            const double angle = 2.399963229728653 * static_cast<double>(i + j + round);
            apart = {std::cos(angle), std::sin(angle)};
            distance = 1;
          }
          const Eigen::RowVector2d push = apart * (0.5 * missing / distance);
          points.row(i) -= push;
          points.row(j) += push;
          moved = true;
        }
      }
    }
    if (!moved) return;
  }
}

}  // namespace srgw
