// SPDX-License-Identifier: MIT
#include "srgw/draw.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <vector>

#include "base/message.hpp"
#include "base/stop.hpp"
#include "draw/canvas.hpp"
#include "graph/csr_rows.hpp"
#include "srgw/graph.hpp"

namespace srgw {

namespace {

using detail::StopCounter;
using detail::throw_if_stopped;

using Distance = std::uint16_t;
constexpr Distance far_away = std::numeric_limits<Distance>::max();

/// Neighbours in the component's own numbers, self-loops left out, with the length of each edge.
struct Neighbours {
  std::vector<std::size_t> offsets{0};
  std::vector<NodeId> nodes;
  std::vector<std::uint8_t> lengths;

  [[nodiscard]] Index size() const { return std::ssize(offsets) - 1; }
};

Neighbours neighbours_of(const Graph& graph, std::span<const NodeId> nodes,
                         std::span<const NodeId> numbers, const LayoutOptions& options) {
  const auto between = static_cast<std::uint8_t>(std::clamp(options.between, 1, 255));
  Neighbours result;
  detail::with_rows(graph.adjacency(), [&](const auto& rows) {
    for (const NodeId i : nodes) {
      for (std::size_t entry = rows.begin(i); entry < rows.end(i); ++entry) {
        const NodeId j = rows.columns[entry];
        if (i == j) continue;
        const bool apart = !options.blocks.empty() && options.blocks[i] != options.blocks[j];
        result.nodes.push_back(numbers[j]);
        result.lengths.push_back(apart ? between : 1);
      }
      result.offsets.push_back(result.nodes.size());
    }
  });
  return result;
}

/// Shortest paths by Dial's buckets: lengths are small whole numbers.
class Paths {
 public:
  explicit Paths(const Neighbours& neighbours) : neighbours_(neighbours), buckets_(256) {}

  void from(Index source, std::span<Distance> distances) {
    std::ranges::fill(distances, far_away);
    distances[source] = 0;
    buckets_[0].push_back(static_cast<NodeId>(source));
    std::size_t waiting = 1;
    for (std::size_t d = 0; waiting > 0 && d + 256 < far_away; ++d) {
      std::vector<NodeId>& bucket = buckets_[d % 256];
      for (const NodeId i : bucket) {  // lengths are 1 to 255: none of them leads back into it
        stop_.throw_if_stopped();
        if (distances[i] != d) continue;  // was reached on a shorter way since
        for (std::size_t e = neighbours_.offsets[i]; e < neighbours_.offsets[i + 1]; ++e) {
          const NodeId j = neighbours_.nodes[e];
          const std::size_t reached = d + neighbours_.lengths[e];
          if (reached >= distances[j]) continue;
          distances[j] = static_cast<Distance>(reached);
          buckets_[reached % 256].push_back(j);
          ++waiting;
        }
      }
      waiting -= bucket.size();
      bucket.clear();
    }
    for (auto& bucket : buckets_) bucket.clear();
    // A path of tens of thousands of edges: beyond the end all is equally far.
    for (Distance& d : distances) d = std::min<Distance>(d, far_away - 256);
  }

 private:
  const Neighbours& neighbours_;
  std::vector<std::vector<NodeId>> buckets_;
  StopCounter stop_;
};

struct Pivots {
  std::vector<Index> nodes;
  std::vector<std::vector<Distance>> distances;  ///< of each pivot, to all nodes
  std::vector<std::uint32_t> nearest;            ///< of each node, its nearest pivot
};

/// The first is a node with most neighbours, each next one is as far from the former ones as can
/// be.
Pivots choose_pivots(const Neighbours& neighbours, int most) {
  const Index n = neighbours.size();
  const Index count = std::min<Index>(n, most);
  Pivots pivots;
  pivots.nearest.assign(n, 0);
  std::vector<Distance> closest(n, far_away);
  Index next = 0;
  for (Index i = 1; i < n; ++i) {
    const auto degree = [&](Index k) {
      const std::size_t at = k;
      return neighbours.offsets[at + 1] - neighbours.offsets[at];
    };
    if (degree(i) > degree(next)) next = i;
  }
  Paths paths(neighbours);
  for (Index p = 0; p < count; ++p) {
    pivots.nodes.push_back(next);
    std::vector<Distance>& row = pivots.distances.emplace_back(n);
    paths.from(next, row);
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i] < closest[i]) {
        closest[i] = row[i];
        pivots.nearest[i] = static_cast<std::uint32_t>(p);
      }
    }
    next = std::ranges::max_element(closest) - closest.begin();
  }
  return pivots;
}

/// Double-centred squared distances to the pivots, times their two leading right singular vectors.
Matrix pivot_scaling(const Pivots& pivots) {
  const Index n = std::ssize(pivots.nearest), p = std::ssize(pivots.nodes);
  Matrix centred(n, p);
  for (Index k = 0; k < p; ++k) {
    throw_if_stopped();
    const auto& row = pivots.distances[k];
    for (Index i = 0; i < n; ++i) {
      const double d = row[i];
      centred(i, k) = -0.5 * d * d;
    }
  }
  const double mean = centred.mean();
  const Eigen::RowVectorXd columns = centred.colwise().mean();
  const Eigen::VectorXd rows = centred.rowwise().mean();
  centred.rowwise() -= columns;
  centred.colwise() -= rows;
  centred.array() += mean;
  // C'C may have a thousand columns: two vectors by orthogonal iteration, as exact as is seen.
  const Matrix gram = centred.transpose() * centred;
  Eigen::MatrixXd basis(p, 2);
  for (Index k = 0; k < p; ++k) {
    const double angle = std::numbers::phi * static_cast<double>(k + 1);
    basis(k, 0) = std::cos(angle);
    basis(k, 1) = std::sin(angle);
  }
  for (int step = 0; step < 60; ++step) {
    basis = (gram * basis).eval();
    if (!(basis.col(0).norm() > 0)) break;
    basis.col(0).normalize();
    basis.col(1) -= basis.col(0) * basis.col(0).dot(basis.col(1));
    if (basis.col(1).norm() > 0) basis.col(1).normalize();
  }
  Matrix points = centred * basis;
  // Distances grow with the first root of the Gram matrix: fit one scale to the measured ones.
  double product = 0, square = 0;
  for (Index k = 0; k < p; ++k) {
    throw_if_stopped();
    const auto& row = pivots.distances[k];
    const Eigen::RowVector2d pivot = points.row(pivots.nodes[k]);
    for (Index i = 0; i < n; ++i) {
      const double drawn = (points.row(i) - pivot).norm();
      product += drawn * row[i];
      square += drawn * drawn;
    }
  }
  points *= square > 0 ? product / square : 1;
  return points;
}

/// Nodes that no distance tells apart must not lie on each other, or no sweep parts them.
void scatter(Matrix& points) {
  for (Index i = 0; i < points.rows(); ++i) {
    const double angle = detail::golden_angle * static_cast<double>(i);
    const double radius =
        0.3 * std::sqrt(static_cast<double>(i + 1) / static_cast<double>(points.rows()));
    points(i, 0) += radius * std::cos(angle);
    points(i, 1) += radius * std::sin(angle);
  }
}

/// How many nodes a pivot speaks for towards a node at distance d: those of its region that are at
/// most half as far from it.
class Regions {
 public:
  explicit Regions(const Pivots& pivots) : counts_(pivots.nodes.size()) {
    for (std::size_t i = 0; i < pivots.nearest.size(); ++i) {
      const std::uint32_t p = pivots.nearest[i];
      const std::size_t d = pivots.distances[p][i];
      if (counts_[p].size() <= d) counts_[p].resize(d + 1, 0);
      counts_[p][d] += 1;
    }
    for (auto& counts : counts_) {
      for (std::size_t d = 1; d < counts.size(); ++d) counts[d] += counts[d - 1];
    }
  }

  [[nodiscard]] double size(std::size_t pivot, Distance d) const {
    const auto& counts = counts_[pivot];
    return counts.empty() ? 1 : counts[std::min<std::size_t>(d / 2, counts.size() - 1)];
  }

 private:
  std::vector<std::vector<double>> counts_;
};

/// One node after the other goes where its terms, each majorised by a parabola, would have it.
void lower_stress(Matrix& points, const Neighbours& neighbours, const Pivots& pivots, int sweeps) {
  const Index n = neighbours.size();
  const Regions regions(pivots);
  StopCounter stop;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    double moved = 0;
    for (Index i = 0; i < n; ++i) {
      stop.throw_if_stopped();
      const std::size_t at = i;
      double weights = 0, sum_x = 0, sum_y = 0;
      const double x = points(i, 0), y = points(i, 1);
      const auto add = [&](Index j, double d, double count) {
        const double dx = x - points(j, 0), dy = y - points(j, 1);
        const double length = std::sqrt(dx * dx + dy * dy);
        const double stretch = length > 1e-12 ? d / length : 0;
        const double w = count / (d * d);
        weights += w;
        sum_x += w * (points(j, 0) + stretch * dx);
        sum_y += w * (points(j, 1) + stretch * dy);
      };
      for (std::size_t e = neighbours.offsets[at]; e < neighbours.offsets[at + 1]; ++e) {
        add(neighbours.nodes[e], neighbours.lengths[e], 1);
      }
      for (std::size_t p = 0; p < pivots.nodes.size(); ++p) {
        const Distance d = pivots.distances[p][at];
        if (d > 0) add(pivots.nodes[p], d, regions.size(p, d));
      }
      if (!(weights > 0)) continue;
      points(i, 0) = sum_x / weights;
      points(i, 1) = sum_y / weights;
      moved += std::abs(points(i, 0) - x) + std::abs(points(i, 1) - y);
    }
    if (moved < 1e-3 * static_cast<double>(n)) return;  // a thousandth of an edge: nobody sees it
  }
}

/// Turns the drawing so that it is widest from left to right.
void lay_flat(Matrix& points) {
  points.rowwise() -= points.colwise().mean();
  const Eigen::Matrix2d spread = points.transpose() * points;
  const double angle = 0.5 * std::atan2(2 * spread(0, 1), spread(0, 0) - spread(1, 1));
  Eigen::Matrix2d turn;
  turn << std::cos(angle), -std::sin(angle), std::sin(angle), std::cos(angle);
  points = (points * turn).eval();
}

/// The layout of the nodes of one connected component of an undirected graph (two or more).
/// `numbers` tells the place of each node of the graph in the list of its component.
Matrix component_layout(const Graph& graph, std::span<const NodeId> nodes,
                        std::span<const NodeId> numbers, const LayoutOptions& options) {
  const Neighbours neighbours = neighbours_of(graph, nodes, numbers, options);
  const Pivots pivots = choose_pivots(neighbours, options.pivots);
  Matrix points = pivot_scaling(pivots);
  scatter(points);
  lower_stress(points, neighbours, pivots, options.sweeps);
  lay_flat(points);
  return points;
}

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
    throw_if_stopped();
    const std::vector<NodeId>& nodes = parts[c];
    Matrix local = Matrix::Zero(std::ssize(nodes), 2);
    if (nodes.size() > 1) local = component_layout(undirected, nodes, numbers, options);
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
    throw_if_stopped();
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
            const double angle = detail::golden_angle * static_cast<double>(i + j + round);
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
