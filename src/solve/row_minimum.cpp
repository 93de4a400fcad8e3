// SPDX-License-Identifier: MIT
#include "solve/row_minimum.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace srgw::detail {

namespace {

// Concave in some columns: moves between pairs, with W diagonal.
void minimise_pairs(std::span<const double> w, std::span<double> t, std::span<double> g) {
  for (std::size_t round = 0; round < 4 * g.size(); ++round) {
    const RowMove move = steepest_move(t, [&](std::size_t k) { return g[k]; });
    const auto [from, to, mean] = move;
    if (!(g[from] > g[to])) return;
    const double amount = make_move(move, g[to] - g[from], w[from] + w[to], t);
    g[from] -= 2 * w[from] * amount;
    g[to] += 2 * w[to] * amount;
  }
}

}  // namespace

double row_gap(std::span<const double> t, std::span<const double> g) {
  const double smallest = *std::ranges::min_element(g);
  double gap = 0;
  for (std::size_t k = 0; k < t.size(); ++k) {
    if (t[k] > 0) gap += t[k] * (g[k] - smallest);  // g may be infinite elsewhere
  }
  return gap;
}

void RowMinimiser::minimise_diagonal(std::span<const double> w, std::span<double> t,
                                     std::span<double> g) {
  if (*std::ranges::min_element(w) <= 0) {
    minimise_pairs(w, t, g);
    return;
  }
  const double mass = std::accumulate(t.begin(), t.end(), 0.0);
  // g at t = 0, which is the linear part l.
  for (std::size_t k = 0; k < t.size(); ++k) g[k] -= 2 * w[k] * t[k];
  order_.resize(t.size());
  std::iota(order_.begin(), order_.end(), NodeId{0});
  std::ranges::sort(order_,
                    [&](NodeId a, NodeId b) { return g[a] < g[b] || (g[a] == g[b] && a < b); });
  // theta rises until the columns below it hold the whole mass: sum (theta - l_k)/(2 W_k) = mass.
  double inverse = 0;
  double weighted = 0;
  double theta = 0;
  for (std::size_t r = 0; r < order_.size(); ++r) {
    const NodeId k = order_[r];
    inverse += 1 / (2 * w[k]);
    weighted += g[k] / (2 * w[k]);
    theta = (mass + weighted) / inverse;
    if (r + 1 == order_.size() || theta <= g[order_[r + 1]]) break;
  }
  double sum = 0;
  for (std::size_t k = 0; k < t.size(); ++k) {
    t[k] = std::max(0.0, (theta - g[k]) / (2 * w[k]));
    sum += t[k];
  }
  const double factor = mass / sum;
  if (sum > 0 && std::isfinite(factor)) {
    for (double& x : t) x *= factor;
  } else {  // the mass is lost in the rounding of theta: any share of it costs the same
    std::ranges::fill(t, 0.0);
    t[order_.front()] = mass;
  }
}

void RowMinimiser::minimise(const Matrix& w, std::span<double> t, std::span<double> g,
                            double tolerance) {
  const auto m = static_cast<Index>(t.size());
  for (Index round = 0; round < 4 * m && row_gap(t, g) > tolerance; ++round) {
    const RowMove move = steepest_move(t, [&](std::size_t k) { return g[k]; });
    const auto f = static_cast<Index>(move.from), o = static_cast<Index>(move.to);
    if (!(g[f] > g[o])) return;
    const double amount = make_move(move, g[o] - g[f], w(f, f) + w(o, o) - 2 * w(f, o), t);
    for (Index k = 0; k < m; ++k) g[k] += 2 * amount * (w(o, k) - w(f, k));
  }
}

}  // namespace srgw::detail
