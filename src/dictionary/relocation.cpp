// SPDX-License-Identifier: MIT
#include "dictionary/relocation.hpp"

#include <algorithm>

#include "dictionary/plan_edits.hpp"

namespace srgw::detail {

namespace {

// An item with probability in proportion to its weight; none when all weights are 0.
template <class Weights>
std::optional<std::size_t> drawn(const Weights& weights, std::size_t count, Random& random) {
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += std::max(0.0, weights(i));
  if (!(sum > 0)) return std::nullopt;
  double rest = random.uniform() * sum;
  std::size_t last = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double weight = std::max(0.0, weights(i));
    if (weight > 0) last = i;
    if (rest < weight) return i;
    rest -= weight;
  }
  return last;
}

void copy_node(Index from, Index to, Atom& atom) {
  Matrix& B = atom.structure;
  B.row(to) = B.row(from);
  B.col(to) = B.col(from);
  B(to, to) = B(from, from);
  if (atom.features.cols() > 0) atom.features.row(to) = atom.features.row(from);
}

/// What the best atom gains from a pair of sums, sum^2 / uses.
double gain(double sum, double uses) { return uses > 0 ? sum * sum / uses : 0.0; }

class MergeCosts {
 public:
  MergeCosts(const AtomSums& sums, double alpha)
      : sums_(sums), alpha_(sums.features.cols() > 0 ? alpha : 1.0) {}

  [[nodiscard]] double of(Index a, Index b) const {
    double structure = 0;
    for (Index l = 0; l < sums_.masses.size(); ++l) {
      if (l != a && l != b) structure += pair(a, l, b, l) + pair(l, a, l, b);
    }
    structure += gain(N(a, a), U(a, a)) + gain(N(a, b), U(a, b)) + gain(N(b, a), U(b, a)) +
                 gain(N(b, b), U(b, b)) -
                 gain(N(a, a) + N(a, b) + N(b, a) + N(b, b), U(a, a) + U(a, b) + U(b, a) + U(b, b));
    return alpha_ * structure + (1 - alpha_) * linear(a, b);
  }

 private:
  [[nodiscard]] double N(Index k, Index l) const { return sums_.cross(k, l); }
  [[nodiscard]] double U(Index k, Index l) const { return sums_.uses(k, l); }
  /// What is lost when two entries become one.
  [[nodiscard]] double pair(Index k, Index l, Index i, Index j) const {
    return gain(N(k, l), U(k, l)) + gain(N(i, j), U(i, j)) -
           gain(N(k, l) + N(i, j), U(k, l) + U(i, j));
  }
  [[nodiscard]] double linear(Index a, Index b) const {
    if (sums_.features.cols() == 0) return 0;
    const double p = sums_.masses[a], q = sums_.masses[b];
    if (!(p > 0 && q > 0)) return 0;
    return p * q / (p + q) * (sums_.features.row(a) / p - sums_.features.row(b) / q).squaredNorm();
  }

  const AtomSums& sums_;
  double alpha_;
};

}  // namespace

bool revive(const Relocation& relocation, const Vector& masses, std::vector<Plan>& plans,
            Atom& atom) {
  bool changed = false;
  std::vector<bool> used(plans.size(), false);
  const double least = 1e-12 * static_cast<double>(plans.size());
  for (Index k = 0; k < masses.size(); ++k) {
    if (masses[k] > least) continue;
    const auto s = drawn([&](std::size_t i) { return used[i] ? 0.0 : relocation.values[i]; },
                         plans.size(), relocation.random);
    if (!s) return changed;
    used[*s] = true;
    const Vector losses = relocation.projector.node_losses(relocation.samples[*s], plans[*s]);
    const auto row = drawn([&](std::size_t i) { return losses[static_cast<Index>(i)]; },
                           static_cast<std::size_t>(losses.size()), relocation.random);
    if (!row) continue;
    copy_node(Index{plans[*s].labels()[*row]}, k, atom);
    plans[*s] = with_row_on(plans[*s], static_cast<Index>(*row), k);
    changed = true;
  }
  return changed;
}

Merge cheapest_merge(const AtomSums& sums, double alpha) {
  const MergeCosts costs(sums, alpha);
  Merge best{.cost = std::numeric_limits<double>::infinity()};
  for (Index a = 0; a < sums.masses.size(); ++a) {
    for (Index b = 0; b < a; ++b) {
      if (const double cost = costs.of(a, b); cost < best.cost) best = {a, b, cost};
    }
  }
  return best;
}

}  // namespace srgw::detail
