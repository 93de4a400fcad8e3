// SPDX-License-Identifier: MIT
#include "dictionary/relocation.hpp"

#include <algorithm>
#include <optional>

#include "base/fixed_point.hpp"
#include "dictionary/plan_edits.hpp"

namespace srgw::detail {

namespace {

/// An item with probability in proportion to its weight, where `uniform` is drawn from [0, 1); none
/// when all weights are 0. Ranks have consecutive items; the answer is on that which has the item.
class Drawing {
 public:
  Drawing(Shard& shard, double largest_weight)
      : shard_(shard),
        scale_(shard.largest(std::max(0.0, largest_weight)) * static_cast<double>(shard.total())) {}

  struct Drawn {
    bool any = false;                      ///< on every rank
    std::optional<std::size_t> item = {};  ///< counted on its rank
  };
  template <class Weights>
  [[nodiscard]] Drawn operator()(const Weights& weights, std::size_t count, double uniform) {
    const auto fixed = [&](std::size_t i) { return scale_.from(std::max(0.0, weights(i))); };
    Fixed own = 0;
    for (std::size_t i = 0; i < count; ++i) own += fixed(i);
    const std::vector<Fixed> sums = shard_.gather(own);
    Fixed total = 0, before = 0;
    for (std::size_t r = 0; r < sums.size(); ++r) {
      if (shard_.ranks() != nullptr && static_cast<int>(r) == shard_.ranks()->rank())
        before = total;
      total += sums[r];
    }
    if (total <= 0) return {};
    Fixed rest = std::min<Fixed>(scale_.from(uniform * scale_.to(total)), total - 1) - before;
    Drawn drawn{.any = true};
    if (rest < 0 || rest >= own) return drawn;
    for (std::size_t i = 0; !drawn.item; ++i) {
      const Fixed weight = fixed(i);
      if (rest < weight) drawn.item = i;
      rest -= weight;
    }
    return drawn;
  }

 private:
  Shard& shard_;
  FixedPoint scale_;
};

void copy_node(Index from, Index to, Atom& atom) {
  Matrix& B = atom.structure;
  B.row(to) = B.row(from);
  B.col(to) = B.col(from);
  B(to, to) = B(from, from);
  if (atom.features.cols() > 0) atom.features.row(to) = atom.features.row(from);
}

/// The gain of the best atom from a pair of sums, sum^2 / uses.
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
  /// The loss when two entries become one.
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

namespace {
double least_mass(std::size_t graphs) { return 1e-12 * static_cast<double>(graphs); }
}  // namespace

bool has_unused(const Vector& masses, std::size_t graphs) {
  return !(masses.array() > least_mass(graphs)).all();
}

bool revive(const Relocation& relocation, const Vector& masses, std::vector<Plan>& plans,
            Atom& atom) {
  const auto& [samples, projector, values, random, shard] = relocation;
  const double least = least_mass(shard.total());
  Drawing draw_graph(shard, values.empty() ? 0.0 : *std::ranges::max_element(values));
  std::vector<bool> used(plans.size(), false);
  bool changed = false;
  for (Index k = 0; k < masses.size(); ++k) {
    if (masses[k] > least) continue;
    const double of_graph = random.uniform(), of_node = random.uniform();
    const auto graph =
        draw_graph([&used, &worth = values](std::size_t i) { return used[i] ? 0.0 : worth[i]; },
                   plans.size(), of_graph);
    if (!graph.any) return changed;
    std::int64_t copied = -1;  // the target node that the drawn one leaves, where it is
    if (graph.item) {
      const std::size_t s = *graph.item;
      used[s] = true;
      const Vector losses = projector.node_losses(samples[s], plans[s]);
      const std::size_t nodes = losses.size();
      Shard here(nodes);
      const auto row = Drawing(here, losses.maxCoeff())(
          [&](std::size_t i) { return losses[static_cast<Index>(i)]; }, nodes, of_node);
      if (row.item) {
        copied = plans[s].labels()[*row.item];
        plans[s] = with_row_on(plans[s], static_cast<Index>(*row.item), k);
      }
    }
    for (const std::int64_t from : shard.gather(copied)) copied = std::max(copied, from);
    if (copied < 0) continue;
    copy_node(copied, k, atom);
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
