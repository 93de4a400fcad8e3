// SPDX-License-Identifier: MIT
#include "kernels/label_pass.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "kernels/dispatch.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/label_pass.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>

#include "kernels/label_columns.hpp"

HWY_BEFORE_NAMESPACE();
namespace srgw::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Takes the minimum of each row of a block, and collects what its choice changes.
template <class Label, class Columns>
class Rows {
 public:
  Rows(const LabelPass<Label>& pass, LabelScratch& scratch, std::vector<NodeId>& changed)
      : pass_(pass),
        scratch_(scratch),
        changed_(changed),
        columns_(pass, scratch),
        own_(pass.plan->layer(0)),
        listed_(pass.plan->listed()),
        one_layer_(pass.plan->layers() == 1),
        former_(pass.former != nullptr ? pass.former->layer(0) : nullptr),
        former_one_layer_(pass.former != nullptr && pass.former->layers() == 1) {}

  LabelSums run(Index begin, Index end) {
    LabelSums sums;
    for (Index i = begin; i < end; ++i) {
      if (pass_.weights[i] == 0) {
        pass_.minimisers->set_label(i, Label{0});
        continue;
      }
      const bool single = is_single(i);
      const bool moved = former_ != nullptr && !(single && stayed(i));
      if (!pass_.all_rows && single && !moved && pass_.flag[i] == 0 &&
          pass_.drift < static_cast<double>(pass_.safe_until[i])) {
        pass_.minimisers->set_label(i, own_[i]);
        continue;
      }
      columns_.count(pass_.source.sparse_row(i));
      const double factor = 2 * pass_.row_factor[i];
      finish({i, factor, single, moved}, columns_.best(factor), sums);
      columns_.clear();
    }
    return sums;
  }

 private:
  struct Row {
    Index i;
    double factor;
    bool single;  // on one column
    bool moved;   // elsewhere than in the former plan
  };

  HWY_INLINE bool is_single(Index i) const {
    return one_layer_ ? own_[i] != listed_ : pass_.plan->is_single(i);
  }
  HWY_INLINE bool stayed(Index i) const {
    return former_[i] == own_[i] && (former_one_layer_ || pass_.former->is_single(i));
  }

  HWY_INLINE void finish(Row row, const Best& best, LabelSums& sums) {
    const Index i = row.i;
    const double margin = best.second - best.cost;
    const bool tie = margin <= pass_.tie_tolerance;
    pass_.flag[i] = 2;
    pass_.safe_until[i] = tie ? -std::numeric_limits<float>::infinity()
                              : static_cast<float>((pass_.drift + margin) * (1 - 1e-6));
    const double h = pass_.weights[i];
    const Share own =
        row.single ? share_of(row, static_cast<NodeId>(own_[i])) : share_of(row, *pass_.plan);
    sums.cross += h * own.cross;
    if (row.moved) sums.back += h * (own.cross - share_of(row, *pass_.former).cross);
    if (tie) {
      share_tie(row, best, own, sums);
      return;
    }
    pass_.minimisers->set_label(i, static_cast<Label>(best.column));
    if (row.single && static_cast<NodeId>(own_[i]) == best.column) return;
    sums.slope += h * (best.cost - own.cost);
    sums.cross_slope += h * (share_of(row, best.column).cross - own.cross);
    move(i, best.column, 1.0);
    leave(row);
  }

  // <v, row> / h and <r s c, row> / h, of a row of a plan.
  struct Share {
    double cost = 0, cross = 0;
  };
  HWY_INLINE Share share_of(Row row, NodeId k) const {
    const double product = row.factor * pass_.cross[k] * columns_.counts()[k];
    return {pass_.column_cost[k] - product, 0.5 * product};
  }
  HWY_NOINLINE Share share_of(Row row, const SparsePlan<Label>& plan) const {
    Share sum;
    for_each_share(plan, row.i, [&](NodeId k, double fraction) {
      const Share one = share_of(row, k);
      sum.cost += fraction * one.cost;
      sum.cross += fraction * one.cross;
    });
    return sum;
  }

  HWY_NOINLINE void share_tie(Row row, const Best& best, Share own, LabelSums& sums) {
    std::vector<NodeId>& ties = scratch_.ties;
    ties.assign(1, best.column);
    columns_.for_each_candidate([&](NodeId k) {
      if (share_of(row, k).cost <= best.cost + pass_.tie_tolerance) ties.push_back(k);
    });
    std::sort(ties.begin(), ties.end());
    ties.erase(std::unique(ties.begin(), ties.end()), ties.end());

    const double h = pass_.weights[row.i];
    const double fraction = 1.0 / static_cast<double>(ties.size());
    shares_.clear();
    Share tied;
    for (const NodeId k : ties) {
      const Share one = share_of(row, k);
      shares_.push_back({k, fraction});
      tied.cross += fraction * one.cross;
      tied.cost += fraction * one.cost;
      move(row.i, k, fraction);
    }
    pass_.minimisers->set_list(row.i, shares_);
    sums.slope += h * (tied.cost - own.cost);
    sums.cross_slope += h * (tied.cross - own.cross);
    leave(row);
  }

  HWY_INLINE void move(Index i, NodeId column, double fraction) {
    scratch_.flow[column] += weight_as_integer(pass_.weights[i] * fraction);
  }
  HWY_INLINE void leave(Row row) {
    changed_.push_back(static_cast<NodeId>(row.i));
    if (row.single) {
      move(row.i, static_cast<NodeId>(own_[row.i]), -1.0);
      return;
    }
    for_each_share(*pass_.plan, row.i,
                   [&](NodeId k, double fraction) { move(row.i, k, -fraction); });
  }

  const LabelPass<Label> pass_;  // a copy: writes of labels may alias what it points at, not it
  LabelScratch& scratch_;
  std::vector<NodeId>& changed_;
  Columns columns_;
  const Label* own_;  // first layer of the plan
  Label listed_;
  bool one_layer_;
  const Label* former_;  // first layer of the former plan
  bool former_one_layer_;
  std::vector<typename SparsePlan<Label>::Share> shares_;  // of the row at hand
};

template <class Columns, class Label>
LabelSums run_pass(const LabelPass<Label>& pass, Index begin, Index end, LabelScratch& scratch,
                   std::vector<NodeId>& changed) {
  return Rows<Label, Columns>(pass, scratch, changed).run(begin, end);
}

template <class Label>
LabelSums choose_pass(const LabelPass<Label>& pass, Index begin, Index end, LabelScratch& scratch,
                      std::vector<NodeId>& changed) {
#if HWY_TARGET != HWY_SCALAR
  if constexpr (std::is_same_v<Label, std::uint8_t>) {
    const bool unit = pass.source.unit() && pass.mass == nullptr;
    if (unit && pass.columns <= 16) {
      return run_pass<FewColumnsOfUnits<1>>(pass, begin, end, scratch, changed);
    }
    if (unit && pass.columns <= 32) {
      return run_pass<FewColumnsOfUnits<2>>(pass, begin, end, scratch, changed);
    }
    if (unit && pass.columns <= 64) {
      return run_pass<FewColumnsOfUnits<4>>(pass, begin, end, scratch, changed);
    }
  }
#endif
  if (pass.columns <= few_columns) {
    return run_pass<FewColumns<Label>>(pass, begin, end, scratch, changed);
  }
  return run_pass<ManyColumns<Label>>(pass, begin, end, scratch, changed);
}

LabelSums label_pass(AnyLabelPass pass, Index begin, Index end, LabelScratch& scratch,
                     std::vector<NodeId>& changed) {
  return std::visit(
      [&](const auto* known) { return choose_pass(*known, begin, end, scratch, changed); }, pass);
}

}  // namespace srgw::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace srgw::detail {

SRGW_DISPATCH(LabelSums, label_pass,
              (AnyLabelPass pass, Index begin, Index end, LabelScratch& scratch,
               std::vector<NodeId>& changed),
              (pass, begin, end, scratch, changed))

}  // namespace srgw::detail
#endif
