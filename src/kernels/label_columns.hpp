// SPDX-License-Identifier: MIT
// The counts of a row's neighbours by column, and the minimum over columns: for each vector target.
#if defined(SRGW_KERNELS_LABEL_COLUMNS) == defined(HWY_TARGET_TOGGLE)
#ifdef SRGW_KERNELS_LABEL_COLUMNS
#undef SRGW_KERNELS_LABEL_COLUMNS
#else
#define SRGW_KERNELS_LABEL_COLUMNS
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "kernels/label_pass.hpp"
#include "kernels/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace srgw::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr Index few_columns = 64;  // up to here all columns are looked at, above only candidates

struct Best {
  NodeId column = std::numeric_limits<NodeId>::max();
  double cost = std::numeric_limits<double>::infinity();
  double second = std::numeric_limits<double>::infinity();  // cost of the next best column

  HWY_INLINE void offer(NodeId k, double v) {
    if (v < cost || (v == cost && k < column)) {
      second = cost;
      column = k;
      cost = v;
    } else if (v < second) {
      second = v;
    }
  }
};

template <class Label>
HWY_INLINE double cost_of(const LabelPass<Label>& pass, double factor, const double* counts,
                          NodeId k) {
  return pass.column_cost[k] - factor * pass.cross[k] * counts[k];
}

// The costs of a row, a vector at a time.
class Costs {
 public:
  template <class Label>
  HWY_INLINE Costs(const LabelPass<Label>& pass, double factor, const double* counts)
      : cross_(pass.cross),
        column_cost_(pass.column_cost),
        counts_(counts),
        negative_factor_(hn::Set(Tag(), -factor)) {}

  HWY_INLINE hn::Vec<Tag> at(std::size_t k) const {
    const Tag d;
    const auto rc = hn::Mul(hn::LoadU(d, cross_ + k), hn::LoadU(d, counts_ + k));
    return hn::MulAdd(negative_factor_, rc, hn::LoadU(d, column_cost_ + k));
  }

 private:
  const double* cross_;
  const double* column_cost_;
  const double* counts_;
  hn::Vec<Tag> negative_factor_;
};

// The minimum of vectors that are offered twice, and the next best: the columns at the minimum are
// left out of the second search, and where they are several the next best is the minimum itself.
class Smallest {
 public:
  // Spelled out: a generated constructor is not compiled for the vector target.
  HWY_INLINE Smallest()
      : infinity_(hn::Set(Tag(), std::numeric_limits<double>::infinity())),
        smallest_(infinity_),
        second_(infinity_),
        minimum_(infinity_) {}

  HWY_INLINE void offer(hn::Vec<Tag> v) { smallest_ = hn::Min(smallest_, v); }
  HWY_INLINE void settle() { minimum_ = hn::MinOfLanes(Tag(), smallest_); }
  HWY_INLINE void offer_again(std::size_t k, hn::Vec<Tag> v) {
    const auto at_minimum = hn::Eq(v, minimum_);
    bits_ |= bits_of(at_minimum) << k;
    second_ = hn::Min(second_, hn::IfThenElse(at_minimum, infinity_, v));
  }
  HWY_INLINE Best best() const {
    Best best;
    best.column = static_cast<NodeId>(std::countr_zero(bits_));
    best.cost = hn::GetLane(minimum_);
    const double second = hn::GetLane(hn::MinOfLanes(Tag(), second_));
    best.second = std::has_single_bit(bits_) ? second : best.cost;
    return best;
  }

 private:
  static_assert(few_columns <= 64, "the columns at the minimum are the bits of a word");
  hn::Vec<Tag> infinity_, smallest_, second_, minimum_;
  std::uint64_t bits_ = 0;
};

// The minimum over all columns, which are few; where their number of vectors is known (not 0), the
// costs stay in registers between the two looks.
template <int vectors, class Label>
HWY_INLINE Best best_of_all(const LabelPass<Label>& pass, double factor, const double* counts) {
  const auto width = hn::Lanes(Tag());
  const Costs costs(pass, factor, counts);
  Smallest smallest;
  if constexpr (vectors > 0) {
    hn::Vec<Tag> v[vectors];
    for (std::size_t n = 0; n < vectors; ++n) smallest.offer(v[n] = costs.at(n * width));
    smallest.settle();
    for (std::size_t n = 0; n < vectors; ++n) smallest.offer_again(n * width, v[n]);
  } else {
    const std::size_t columns = pass.columns;
    for (std::size_t k = 0; k < columns; k += width) smallest.offer(costs.at(k));
    smallest.settle();
    for (std::size_t k = 0; k < columns; k += width) smallest.offer_again(k, costs.at(k));
  }
  return smallest.best();
}

// The amount of a neighbour in the counts: a_ij mass_j.
template <class Label>
HWY_INLINE double amount_of(const LabelPass<Label>& pass, SourceRows::Entries entries,
                            std::size_t e) {
  const double a = entries.values != nullptr ? entries.values[e] : 1.0;
  return pass.mass != nullptr ? a * pass.mass[entries.columns[e]] : a;
}

// Calls `add(label, amount)` for each layer and neighbour of a row; those with a list count as the
// column past the last one.
template <class Label, class Add>
HWY_INLINE void for_each_label(const LabelPass<Label>& pass, SourceRows::Entries entries,
                               const Add& add) {
  const SparsePlan<Label>& plan = *pass.plan;
  const bool unit = entries.values == nullptr && pass.mass == nullptr;
  for (std::size_t l = 0; l < plan.layers(); ++l) {
    const Label* labels = plan.layer(l);
    const double weight = plan.layer_weight(l);
    if (unit) {
      for (const NodeId j : entries.columns) add(static_cast<NodeId>(labels[j]), weight);
    } else {
      for (std::size_t e = 0; e < entries.columns.size(); ++e) {
        add(static_cast<NodeId>(labels[entries.columns[e]]), weight * amount_of(pass, entries, e));
      }
    }
  }
}

// Lists of neighbours lie anywhere in memory: they are asked for before they are needed.
template <class Label>
HWY_INLINE void prefetch_list(const SparsePlan<Label>& plan, NodeId neighbour) {
  constexpr std::size_t shares_of_a_line = 4;
  if (!plan.is_listed(static_cast<Index>(neighbour))) return;
  const auto list = plan.list(static_cast<Index>(neighbour));
  for (std::size_t s = 0; s < list.size(); s += shares_of_a_line) hwy::Prefetch(&list[s]);
}

// Calls `add(column, amount)` for what is in the lists of neighbours.
template <class Label, class Add>
HWY_NOINLINE void for_each_listed(const LabelPass<Label>& pass, SourceRows::Entries entries,
                                  const Add& add) {
  constexpr std::size_t ahead = 6;
  const SparsePlan<Label>& plan = *pass.plan;
  const auto neighbours = entries.columns;
  for (std::size_t e = 0; e < neighbours.size(); ++e) {
    if (e + ahead < neighbours.size()) prefetch_list(plan, neighbours[e + ahead]);
    const auto j = static_cast<Index>(neighbours[e]);
    if (!plan.is_listed(j)) continue;
    const double amount = amount_of(pass, entries, e);
    const auto list = plan.list(j);
    if (std::ssize(list) == pass.columns) {  // all of them, in their order
      for (std::size_t k = 0; k < list.size(); ++k) {
        add(static_cast<NodeId>(k), amount * list[k].fraction);
      }
    } else {
      for (const auto& share : list) add(share.column, amount * share.fraction);
    }
  }
}

// SparsePlan::for_each_share, compiled for the vector target so that it can be inlined.
template <class Label, class Visit>
HWY_INLINE void for_each_share(const SparsePlan<Label>& plan, Index row, const Visit& visit) {
  if (plan.is_listed(row)) {
    for (const auto& share : plan.list(row)) visit(share.column, share.fraction);
    return;
  }
  for (std::size_t l = 0; l < plan.layers(); ++l) {
    visit(static_cast<NodeId>(plan.layer(l)[row]), plan.layer_weight(l));
  }
}

// How a row is counted and its minimum found. Each of the three has
//   count(entries)              the counts of the row's neighbours, into counts()
//   best(factor)                the minimum
//   for_each_candidate(visit)   visit(k) for the columns that may tie with it, at least
//   clear()                     before the next row

// Few columns, counted in memory.
template <class Label>
class FewColumns {
 public:
  FewColumns(const LabelPass<Label>& pass, LabelScratch& scratch)
      : pass_(pass), counts_(scratch.counts.data()) {}

  HWY_INLINE void count(SourceRows::Entries entries) {
    std::fill_n(counts_, pass_.columns + 1, 0.0);
    for_each_label(pass_, entries, [&](NodeId k, double amount) { counts_[k] += amount; });
    if (pass_.plan->has_lists()) add_lists(entries);
  }
  [[nodiscard]] HWY_INLINE Best best(double factor) const {
    return best_of_all<0>(pass_, factor, counts_);
  }
  template <class Visit>
  void for_each_candidate(const Visit& visit) const {
    for (NodeId k = 0; k < static_cast<NodeId>(pass_.columns); ++k) visit(k);
  }
  [[nodiscard]] HWY_INLINE const double* counts() const { return counts_; }
  void clear() const {}

 protected:
  void add_lists(SourceRows::Entries entries) {
    for_each_listed(pass_, entries, [&](NodeId k, double amount) { counts_[k] += amount; });
  }

  const LabelPass<Label>& pass_;
  double* counts_;
};

#if HWY_TARGET != HWY_SCALAR
// Few columns and neighbours that all count the same: the one-hot vectors of their labels are added
// up in byte registers, 255 at a time.
template <int byte_vectors>
class FewColumnsOfUnits : public FewColumns<std::uint8_t> {
  static constexpr std::size_t byte_width = 16;
  static constexpr std::size_t stride = byte_width * byte_vectors;
  using Bytes = hn::Full128<std::uint8_t>;

 public:
  FewColumnsOfUnits(const LabelPass<std::uint8_t>& pass, LabelScratch& scratch)
      : FewColumns(pass, scratch) {
    for (std::size_t k = 0; k < stride; ++k) one_hot_[k * stride + k] = 1;
  }

  HWY_INLINE void count(SourceRows::Entries entries) {
    const SparsePlan<std::uint8_t>& plan = *pass_.plan;
    bool first = true;
    for (std::size_t l = 0; l < plan.layers(); ++l) {
      const double weight = plan.layer_weight(l);
      std::size_t begin = 0;
      do {
        const std::size_t end = std::min<std::size_t>(entries.columns.size(), begin + 255);
        add(entries.columns.subspan(begin, end - begin), plan.layer(l));
        convert(weight, first);
        first = false;
        begin = end;
      } while (begin < entries.columns.size());
    }
    if (plan.has_lists()) add_lists(entries);
  }
  [[nodiscard]] HWY_INLINE Best best(double factor) const {
#if HWY_HAVE_SCALABLE
    return best_of_all<0>(pass_, factor, counts_);
#else
    constexpr std::size_t vectors = stride / hn::MaxLanes(Tag());
    return best_of_all<(vectors <= 8 ? static_cast<int>(vectors) : 0)>(pass_, factor, counts_);
#endif
  }

 private:
  HWY_INLINE const std::uint8_t* hot(std::uint8_t label) const { return one_hot_ + label * stride; }

  HWY_INLINE void add(std::span<const NodeId> neighbours, const std::uint8_t* labels) {
    const Bytes d;
    hn::Vec<Bytes> even[byte_vectors], odd[byte_vectors];
    for (std::size_t v = 0; v < byte_vectors; ++v) even[v] = odd[v] = hn::Zero(d);
    std::size_t e = 0;
    for (; e + 2 <= neighbours.size(); e += 2) {
      const std::uint8_t* first = hot(labels[neighbours[e]]);
      const std::uint8_t* second = hot(labels[neighbours[e + 1]]);
      for (std::size_t v = 0; v < byte_vectors; ++v) {
        even[v] = hn::Add(even[v], hn::Load(d, first + v * byte_width));
        odd[v] = hn::Add(odd[v], hn::Load(d, second + v * byte_width));
      }
    }
    if (e < neighbours.size()) {
      const std::uint8_t* last = hot(labels[neighbours[e]]);
      for (std::size_t v = 0; v < byte_vectors; ++v) {
        even[v] = hn::Add(even[v], hn::Load(d, last + v * byte_width));
      }
    }
    for (std::size_t v = 0; v < byte_vectors; ++v) {
      hn::Store(hn::Add(even[v], odd[v]), d, bytes_ + v * byte_width);
    }
  }

  // counts = weight bytes, or counts += weight bytes
  HWY_INLINE void convert(double weight, bool first) {
    const Tag d;
    const hn::Rebind<std::int32_t, Tag> integer;
    const hn::Rebind<std::uint8_t, Tag> byte;
    const auto w = hn::Set(d, weight);
    for (std::size_t k = 0; k < stride; k += hn::Lanes(d)) {
      const auto number = hn::PromoteTo(d, hn::PromoteTo(integer, hn::LoadU(byte, bytes_ + k)));
      const auto before = first ? hn::Zero(d) : hn::LoadU(d, counts_ + k);
      hn::StoreU(hn::MulAdd(w, number, before), d, counts_ + k);
    }
  }

  alignas(16) std::uint8_t one_hot_[256 * stride] = {};
  alignas(16) std::uint8_t bytes_[stride];
};
#endif

// Many columns: only those that neighbours hold are looked at, and the cheapest beyond them.
template <class Label>
class ManyColumns {
 public:
  ManyColumns(const LabelPass<Label>& pass, LabelScratch& scratch)
      : pass_(pass), counts_(scratch.counts.data()), touched_(scratch.touched) {}

  HWY_INLINE void count(SourceRows::Entries entries) {
    const std::size_t most = entries.columns.size() * pass_.plan->layers();
    if (touched_.size() < most) touched_.resize(2 * most);
    // A column enters the list when its count leaves 0; without a branch, which nobody can predict.
    NodeId* touched = touched_.data();
    std::size_t n = 0;
    for_each_label(pass_, entries, [&](NodeId k, double amount) {
      touched[n] = k;
      n += counts_[k] == 0 ? 1 : 0;
      counts_[k] += amount;
    });
    touched_count_ = n;
    if (pass_.plan->has_lists()) add_lists(entries);
  }
  [[nodiscard]] HWY_INLINE Best best(double factor) const {
    Best best;
    for (std::size_t t = 0; t < touched_count_; ++t) {
      // Entries of both signs may bring a count back to 0 on the way: then a column comes twice.
      const NodeId k = touched_[t];
      if (k != best.column) best.offer(k, cost_of(pass_, factor, counts_, k));
    }
    int beyond = 0;
    for (Index rank = 0; rank < pass_.columns && beyond < 2; ++rank) {
      const NodeId k = pass_.cheapest[rank];
      if (counts_[k] != 0) continue;
      if (k != best.column) best.offer(k, pass_.column_cost[k]);
      ++beyond;
    }
    return best;
  }
  // Columns without neighbours and without difference are interchangeable: the first of them stands
  // for all.
  template <class Visit>
  void for_each_candidate(const Visit& visit) const {
    for (std::size_t t = 0; t < touched_count_; ++t) visit(touched_[t]);
    for (Index rank = 0; rank < pass_.columns; ++rank) {
      const NodeId k = pass_.cheapest[rank];
      if (counts_[k] != 0) continue;
      visit(k);
      break;
    }
  }
  [[nodiscard]] HWY_INLINE const double* counts() const { return counts_; }
  HWY_INLINE void clear() {
    for (std::size_t t = 0; t < touched_count_; ++t) counts_[touched_[t]] = 0;
  }

 private:
  HWY_INLINE void add_lists(SourceRows::Entries entries) {
    // Units do not cancel: where no label was that of a list, there is none.
    const auto listed = static_cast<NodeId>(pass_.plan->listed());
    const bool unit = entries.values == nullptr && pass_.mass == nullptr;
    if (unit && counts_[listed] == 0) return;
    counts_[listed] = 0;
    touched_count_ = static_cast<std::size_t>(
        std::remove(touched_.data(), touched_.data() + touched_count_, listed) - touched_.data());
    for_each_listed(pass_, entries, [&](NodeId k, double amount) {
      if (touched_count_ == touched_.size()) touched_.resize(2 * touched_count_ + 1);
      touched_[touched_count_] = k;
      touched_count_ += counts_[k] == 0 ? 1 : 0;
      counts_[k] += amount;
    });
  }

  const LabelPass<Label>& pass_;
  double* counts_;
  std::vector<NodeId>& touched_;
  std::size_t touched_count_ = 0;
};

}  // namespace srgw::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
