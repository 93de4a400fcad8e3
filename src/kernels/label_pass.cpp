// SPDX-License-Identifier: MIT
#include "kernels/label_pass.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/label_pass.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace srgw::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr Index few_columns = 64;  // up to here all columns are looked at, above only candidates

struct Best {
  NodeId column = 0;
  double cost = std::numeric_limits<double>::infinity();
  double second = std::numeric_limits<double>::infinity();  // cost of the next best column

  HWY_INLINE void offer(NodeId k, double v) {
    if (v < cost || (v == cost && k < column)) {
      if (k != column) second = cost;
      column = k;
      cost = v;
    } else if (v < second && k != column) {
      second = v;
    }
  }
};

template <class Label>
HWY_INLINE double cost_of(const LabelPass<Label>& pass, double factor, const double* counts,
                          NodeId k) {
  return pass.column_cost[k] - factor * pass.cross[k] * counts[k];
}

// The minimum over few columns, all of them in vectors.
template <class Label>
HWY_INLINE Best best_of_all(const LabelPass<Label>& pass, double factor, const double* counts) {
  const hn::ScalableTag<double> d;
  const auto width = static_cast<Index>(hn::Lanes(d));
  HWY_ALIGN double cost[few_columns + 16];
  const auto negative_factor = hn::Set(d, -factor);
  auto smallest = hn::Set(d, std::numeric_limits<double>::infinity());
  for (Index k = 0; k < pass.columns; k += width) {
    const auto rc = hn::Mul(hn::LoadU(d, pass.cross + k), hn::LoadU(d, counts + k));
    const auto v = hn::MulAdd(negative_factor, rc, hn::LoadU(d, pass.column_cost + k));
    hn::Store(v, d, cost + k);
    smallest = hn::Min(smallest, v);
  }
  const auto minimum = hn::MinOfLanes(d, smallest);
  Best best;
  best.cost = hn::GetLane(minimum);
  for (Index k = 0; k < pass.columns; k += width) {
    const auto found = hn::FindFirstTrue(d, hn::Eq(hn::Load(d, cost + k), minimum));
    if (found >= 0) {
      best.column = static_cast<NodeId>(k + found);
      break;
    }
  }
  cost[best.column] = std::numeric_limits<double>::infinity();
  smallest = hn::Set(d, std::numeric_limits<double>::infinity());
  for (Index k = 0; k < pass.columns; k += width)
    smallest = hn::Min(smallest, hn::Load(d, cost + k));
  best.second = hn::GetLane(hn::MinOfLanes(d, smallest));
  return best;
}

#if HWY_TARGET != HWY_SCALAR
// c_k += weight times the number of neighbours with label k: the one-hot vectors of labels are
// added up in registers, 255 at a time.
template <int vectors>
HWY_INLINE void count_in_registers(std::span<const NodeId> neighbours, const std::uint8_t* labels,
                                   const std::uint8_t* one_hot, double weight, double* counts) {
  const hn::Full128<std::uint8_t> d;
  constexpr std::size_t width = 16;
  constexpr std::size_t stride = width * vectors;
  for (std::size_t begin = 0; begin < neighbours.size(); begin += 255) {
    const std::size_t end = std::min(neighbours.size(), begin + 255);
    hn::Vec<decltype(d)> sum[vectors];
    for (auto& s : sum) s = hn::Zero(d);
    for (std::size_t e = begin; e < end; ++e) {
      const std::uint8_t* hot = one_hot + labels[neighbours[e]] * stride;
      for (std::size_t v = 0; v < vectors; ++v) {
        sum[v] = hn::Add(sum[v], hn::Load(d, hot + v * width));
      }
    }
    alignas(16) std::uint8_t bytes[stride];
    for (std::size_t v = 0; v < vectors; ++v) hn::Store(sum[v], d, bytes + v * width);
    for (std::size_t k = 0; k < stride; ++k) counts[k] += weight * bytes[k];
  }
}
#endif

// What a neighbour counts: a_ij mass_j.
template <class Label>
HWY_INLINE double amount_of(const LabelPass<Label>& pass, SourceRows::Entries entries,
                            std::size_t e) {
  const double a = entries.values != nullptr ? entries.values[e] : 1.0;
  return pass.mass != nullptr ? a * pass.mass[entries.columns[e]] : a;
}

// A neighbour that has a list.
template <class Label>
void add_list(const LabelPass<Label>& pass, SourceRows::Entries entries, std::size_t e,
              double* counts) {
  const double amount = amount_of(pass, entries, e);
  for (const auto& share : pass.plan->list(static_cast<Index>(entries.columns[e]))) {
    counts[share.column] += amount * share.fraction;
  }
}

template <class Label>
HWY_INLINE void count_any(const LabelPass<Label>& pass, SourceRows::Entries entries,
                          double* counts) {
  const SparsePlan<Label>& plan = *pass.plan;
  const bool unit = entries.values == nullptr && pass.mass == nullptr;
  for (std::size_t l = 0; l < plan.layers(); ++l) {
    const Label* labels = plan.layer(l);
    const double weight = plan.layer_weight(l);
    if (unit && !plan.has_lists()) {
      for (const NodeId j : entries.columns) counts[labels[j]] += weight;
      continue;
    }
    for (std::size_t e = 0; e < entries.columns.size(); ++e) {
      const Label label = labels[entries.columns[e]];
      if (label != SparsePlan<Label>::listed) {
        counts[label] += weight * amount_of(pass, entries, e);
      } else if (l == 0) {
        add_list(pass, entries, e, counts);
      }
    }
  }
}

// Calls `visit(column)` for each label among the neighbours, as often as it occurs.
template <class Label, class Visit>
HWY_INLINE void for_each_candidate(const LabelPass<Label>& pass, SourceRows::Entries entries,
                                   const Visit& visit) {
  const SparsePlan<Label>& plan = *pass.plan;
  for (std::size_t l = 0; l < plan.layers(); ++l) {
    const Label* labels = plan.layer(l);
    for (const NodeId j : entries.columns) {
      if (labels[j] != SparsePlan<Label>::listed) {
        visit(static_cast<NodeId>(labels[j]));
      } else if (l == 0) {
        for (const auto& share : plan.list(static_cast<Index>(j))) visit(share.column);
      }
    }
  }
}

// The minimum over the labels of neighbours and the cheapest columns beyond them.
template <class Label>
HWY_INLINE Best best_candidate(const LabelPass<Label>& pass, SourceRows::Entries entries,
                               double factor, const double* counts) {
  Best best;
  best.column = std::numeric_limits<NodeId>::max();
  for_each_candidate(pass, entries,
                     [&](NodeId k) { best.offer(k, cost_of(pass, factor, counts, k)); });
  int beyond = 0;
  for (Index rank = 0; rank < pass.columns && beyond < 2; ++rank) {
    const NodeId k = pass.cheapest[rank];
    if (counts[k] != 0) continue;
    best.offer(k, pass.column_cost[k]);
    ++beyond;
  }
  return best;
}

// Columns within the tolerance of the minimum, ascending. Columns without neighbours and without
// difference are interchangeable: the first of them stands for all.
template <class Label>
void collect_ties(const LabelPass<Label>& pass, SourceRows::Entries entries, double factor,
                  const double* counts, const Best& best, std::vector<NodeId>& ties) {
  ties.assign(1, best.column);
  const auto offer = [&](NodeId k) {
    if (cost_of(pass, factor, counts, k) <= best.cost + pass.tie_tolerance) ties.push_back(k);
  };
  for_each_candidate(pass, entries, offer);
  for (Index rank = 0; rank < pass.columns; ++rank) {
    const NodeId k = pass.cheapest[rank];
    if (pass.column_cost[k] > best.cost + pass.tie_tolerance) break;
    if (counts[k] != 0) continue;
    offer(k);
    break;
  }
  std::sort(ties.begin(), ties.end());
  ties.erase(std::unique(ties.begin(), ties.end()), ties.end());
}

// What the rows of a block share: the choice of how to count.
template <class Label>
class Rows {
 public:
  Rows(const LabelPass<Label>& pass, LabelScratch& scratch, std::vector<NodeId>& changed)
      : pass_(pass), scratch_(scratch), changed_(changed), counts_(scratch.counts.data()) {}

  HWY_INLINE bool needed(Index i) const {
    if (pass_.all_rows || pass_.flag[i] != 0 || !pass_.plan->is_single(i)) return true;
    if (pass_.former != nullptr && !pass_.plan->same_single(*pass_.former, i)) return true;
    return !(pass_.drift < static_cast<double>(pass_.safe_until[i]));
  }

  template <class Count>
  LabelSums run(Index begin, Index end, const Count& count, bool all_columns) {
    LabelSums sums;
    for (Index i = begin; i < end; ++i) {
      if (pass_.weights[i] == 0) {
        pass_.minimisers->set_label(i, Label{0});
        continue;
      }
      if (!needed(i)) {
        pass_.minimisers->set_label(i, pass_.plan->label(i));
        continue;
      }
      const auto entries = pass_.source.sparse_row(i);
      count(entries, counts_);
      const double factor = 2 * pass_.row_factor[i];
      const Best best = all_columns ? best_of_all(pass_, factor, counts_)
                                    : best_candidate(pass_, entries, factor, counts_);
      finish(i, entries, factor, best, sums);
      if (!all_columns) for_each_candidate(pass_, entries, [&](NodeId k) { counts_[k] = 0; });
    }
    return sums;
  }

 private:
  HWY_INLINE void finish(Index i, SourceRows::Entries entries, double factor, const Best& best,
                         LabelSums& sums) {
    pass_.flag[i] = 2;
    const bool tie = best.second - best.cost <= pass_.tie_tolerance;
    pass_.safe_until[i] =
        tie ? -std::numeric_limits<float>::infinity()
            : static_cast<float>((pass_.drift + (best.second - best.cost)) * (1 - 1e-6));
    const double h = pass_.weights[i];
    const bool single = pass_.plan->is_single(i);
    const auto label = static_cast<NodeId>(pass_.plan->label(i));
    double cost = 0;   // <v, row of P> / h
    double cross = 0;  // <r s c, row of P> / h
    if (single) {
      cross = cross_at(factor, label);
      cost = cost_of(pass_, factor, counts_, label);
    } else {
      pass_.plan->for_each_share(i, [&](NodeId k, double fraction) {
        cross += fraction * cross_at(factor, k);
        cost += fraction * cost_of(pass_, factor, counts_, k);
      });
    }
    sums.cross += h * cross;
    if (pass_.former != nullptr && !pass_.plan->same_single(*pass_.former, i)) {
      double former = 0;
      pass_.former->for_each_share(
          i, [&](NodeId k, double fraction) { former += fraction * cross_at(factor, k); });
      sums.back += h * (cross - former);
    }
    if (tie) {
      share_tie(i, entries, factor, best, cost, cross, sums);
      return;
    }
    pass_.minimisers->set_label(i, static_cast<Label>(best.column));
    if (single && label == best.column) return;
    sums.slope += h * (best.cost - cost);
    sums.cross_slope += h * (cross_at(factor, best.column) - cross);
    move(i, best.column, 1.0);
    leave(i);
  }

  void share_tie(Index i, SourceRows::Entries entries, double factor, const Best& best, double cost,
                 double cross, LabelSums& sums) {
    collect_ties(pass_, entries, factor, counts_, best, scratch_.ties);
    const double h = pass_.weights[i];
    const double fraction = 1.0 / static_cast<double>(scratch_.ties.size());
    std::vector<typename SparsePlan<Label>::Share> shares;
    double tied_cross = 0;
    double tied_cost = 0;
    for (const NodeId k : scratch_.ties) {
      shares.push_back({k, fraction});
      tied_cross += fraction * cross_at(factor, k);
      tied_cost += fraction * cost_of(pass_, factor, counts_, k);
      move(i, k, fraction);
    }
    pass_.minimisers->set_list(i, shares);
    sums.slope += h * (tied_cost - cost);
    sums.cross_slope += h * (tied_cross - cross);
    leave(i);
  }

  HWY_INLINE double cross_at(double factor, NodeId k) const {
    return 0.5 * factor * pass_.cross[k] * counts_[k];
  }
  HWY_INLINE void move(Index i, NodeId column, double fraction) {
    scratch_.flow[column] += weight_as_integer(pass_.weights[i] * fraction);
  }
  HWY_INLINE void leave(Index i) {
    pass_.plan->for_each_share(i, [&](NodeId k, double fraction) {
      scratch_.flow[k] -= weight_as_integer(pass_.weights[i] * fraction);
    });
    changed_.push_back(static_cast<NodeId>(i));
  }
  const LabelPass<Label>& pass_;
  LabelScratch& scratch_;
  std::vector<NodeId>& changed_;
  double* counts_;
};

#if HWY_TARGET != HWY_SCALAR
// Listed neighbours have a one-hot vector of zeros: they are added here, where a row has some.
void add_listed_neighbours(const LabelPass<std::uint8_t>& pass, SourceRows::Entries entries,
                           double* counts) {
  const std::uint8_t* labels = pass.plan->layer(0);
  for (std::size_t e = 0; e < entries.columns.size(); ++e) {
    if (labels[entries.columns[e]] == SparsePlan<std::uint8_t>::listed) {
      add_list(pass, entries, e, counts);
    }
  }
}

template <int vectors>
LabelSums counting_pass(const LabelPass<std::uint8_t>& pass, Index begin, Index end,
                        LabelScratch& scratch, std::vector<NodeId>& changed) {
  constexpr std::size_t stride = 16 * vectors;
  alignas(16) std::uint8_t one_hot[256 * stride] = {};
  for (std::size_t k = 0; k < stride; ++k) one_hot[k * stride + k] = 1;
  const SparsePlan<std::uint8_t>& plan = *pass.plan;
  return Rows(pass, scratch, changed)
      .run(
          begin, end,
          [&](SourceRows::Entries entries, double* counts) {
            std::fill_n(counts, stride, 0.0);
            for (std::size_t l = 0; l < plan.layers(); ++l) {
              count_in_registers<vectors>(entries.columns, plan.layer(l), one_hot,
                                          plan.layer_weight(l), counts);
            }
            if (plan.has_lists()) add_listed_neighbours(pass, entries, counts);
          },
          true);
}
#endif

template <class Label>
LabelSums any_pass(const LabelPass<Label>& pass, Index begin, Index end, LabelScratch& scratch,
                   std::vector<NodeId>& changed) {
  const bool all_columns = pass.columns <= few_columns;
  return Rows(pass, scratch, changed)
      .run(
          begin, end,
          [&](SourceRows::Entries entries, double* counts) {
            if (all_columns) std::fill_n(counts, few_columns, 0.0);
            count_any(pass, entries, counts);
          },
          all_columns);
}

LabelSums narrow_pass(const LabelPass<std::uint8_t>& pass, Index begin, Index end,
                      LabelScratch& scratch, std::vector<NodeId>& changed) {
#if HWY_TARGET != HWY_SCALAR
  const bool counting = pass.source.unit() && pass.mass == nullptr;
  if (counting && pass.columns <= 16) return counting_pass<1>(pass, begin, end, scratch, changed);
  if (counting && pass.columns <= 32) return counting_pass<2>(pass, begin, end, scratch, changed);
  if (counting && pass.columns <= 64) return counting_pass<4>(pass, begin, end, scratch, changed);
#endif
  return any_pass(pass, begin, end, scratch, changed);
}
LabelSums middle_pass(const LabelPass<std::uint16_t>& pass, Index begin, Index end,
                      LabelScratch& scratch, std::vector<NodeId>& changed) {
  return any_pass(pass, begin, end, scratch, changed);
}
LabelSums wide_pass(const LabelPass<std::uint32_t>& pass, Index begin, Index end,
                    LabelScratch& scratch, std::vector<NodeId>& changed) {
  return any_pass(pass, begin, end, scratch, changed);
}

}  // namespace srgw::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace srgw::detail {

HWY_EXPORT(narrow_pass);
HWY_EXPORT(middle_pass);
HWY_EXPORT(wide_pass);

template <>
LabelSums label_pass(const LabelPass<std::uint8_t>& pass, Index begin, Index end,
                     LabelScratch& scratch, std::vector<NodeId>& changed) {
  return HWY_DYNAMIC_DISPATCH(narrow_pass)(pass, begin, end, scratch, changed);
}
template <>
LabelSums label_pass(const LabelPass<std::uint16_t>& pass, Index begin, Index end,
                     LabelScratch& scratch, std::vector<NodeId>& changed) {
  return HWY_DYNAMIC_DISPATCH(middle_pass)(pass, begin, end, scratch, changed);
}
template <>
LabelSums label_pass(const LabelPass<std::uint32_t>& pass, Index begin, Index end,
                     LabelScratch& scratch, std::vector<NodeId>& changed) {
  return HWY_DYNAMIC_DISPATCH(wide_pass)(pass, begin, end, scratch, changed);
}

template <class Label>
void count_row(const LabelPass<Label>& pass, Index row, double* counts) {
  pass.source.for_each(row, [&](Index j, double a) {
    const double amount = pass.mass != nullptr ? a * pass.mass[j] : a;
    pass.plan->for_each_share(j,
                              [&](NodeId k, double fraction) { counts[k] += amount * fraction; });
  });
}

template void count_row(const LabelPass<std::uint8_t>&, Index, double*);
template void count_row(const LabelPass<std::uint16_t>&, Index, double*);
template void count_row(const LabelPass<std::uint32_t>&, Index, double*);

}  // namespace srgw::detail
#endif
