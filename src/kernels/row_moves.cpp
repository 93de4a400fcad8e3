// SPDX-License-Identifier: MIT
#include "kernels/row_moves.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <type_traits>

#include "base/stop.hpp"
#include "kernels/dispatch.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/row_moves.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>

#include "kernels/row_order-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace srgw::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// `vectors` hold a row; 0: any number of them.
template <std::size_t vectors>
class Mover {
 public:
  explicit Mover(const RowMoves& shared) : moves_(shared), stride_(shared.stride) {}

  // The change of the objective if row i leaves column c for another, from vectors z(0), z(1), ...
  // of its z; given to `use` as vectors, too.
  template <class Z, class Use>
  HWY_INLINE auto with_changes(std::size_t i, std::size_t c, const Z& z, const Use& use) const {
    const Tag d;
    const double* w = moves_.w;
    const double* bend = moves_.bend + c * length();
    const Lane h = hn::Set(d, moves_.weights[i]);
    const auto plain = [=](std::size_t v) HWY_ATTR {
      const std::size_t k = v * hn::Lanes(Tag());
      const Tag t;
      return hn::MulAdd(h, hn::LoadU(t, bend + k), hn::Sub(hn::LoadU(t, w + k), z(v)));
    };
    if (moves_.loops == nullptr || moves_.loops[i] == 0) return use(plain);
    const double* loop_bend = moves_.loop_bend + c * length();
    const Lane loop = hn::Set(d, moves_.weights[i] * moves_.loops[i]);
    return use([=](std::size_t v) HWY_ATTR {
      const Tag t;
      return hn::NegMulAdd(loop, hn::LoadU(t, loop_bend + v * hn::Lanes(t)), plain(v));
    });
  }

  // The column that row i would gain most by leaving column c for.
  template <class Z>
  HWY_INLINE std::size_t best(std::size_t i, std::size_t c, const Z& z) const {
    return with_changes(
        i, c, z, [&](const auto& at) HWY_ATTR { return first_smallest<vectors>(count(), at); });
  }

  // Loads vectors of z.
  [[nodiscard]] HWY_INLINE auto load_z(std::size_t i) const {
    const double* z = moves_.z + i * length();
    return [=](std::size_t v) HWY_ATTR {
      const Tag t;
      return hn::LoadU(t, z + v * hn::Lanes(t));
    };
  }

  // z of row i from the labels of its neighbours, given to `use` as vectors, too.
  template <class Use>
  HWY_INLINE auto with_gathered(std::size_t i, const Use& use) const {
    const Tag d;
    const double* linear = moves_.linear != nullptr ? moves_.linear[i] : nullptr;
    const Lane factor = hn::Set(d, -moves_.linear_factor);
    if constexpr (vectors > 0) {
      Lane sum[vectors];
      for (std::size_t v = 0; v < vectors; ++v) {
        sum[v] =
            linear != nullptr ? hn::Mul(factor, hn::LoadU(d, linear + v * width())) : hn::Zero(d);
      }
      for_each_mass(i, [&](std::size_t j, double amount) HWY_ATTR {
        const Tag t;
        const double* cross = moves_.cross + moves_.labels[j] * length();
        const Lane mass = hn::Set(t, amount);
        for (std::size_t v = 0; v < vectors; ++v) {
          sum[v] = hn::MulAdd(mass, hn::LoadU(t, cross + v * hn::Lanes(t)), sum[v]);
        }
      });
      return use([&](std::size_t v) HWY_ATTR { return sum[v]; });
    } else {
      double* z = moves_.z + i * length();
      for (std::size_t k = 0; k < length(); k += width()) {
        const Lane sum =
            linear != nullptr ? hn::Mul(factor, hn::LoadU(d, linear + k)) : hn::Zero(d);
        hn::StoreU(sum, d, z + k);
      }
      for_each_mass(i, [&](std::size_t j, double amount) HWY_ATTR {
        add_to(z, moves_.cross + moves_.labels[j] * length(), amount);
      });
      return use(load_z(i));
    }
  }

  [[nodiscard]] HWY_INLINE double smallest_entry(std::size_t i) const {
    const double* w = moves_.w;
    const double* z = moves_.z + i * length();
    const Tag d;
    Lane smallest = hn::Sub(hn::LoadU(d, w), hn::LoadU(d, z));
    for (std::size_t k = width(); k < length(); k += width()) {
      smallest = hn::Min(smallest, hn::Sub(hn::LoadU(d, w + k), hn::LoadU(d, z + k)));
    }
    return hn::GetLane(hn::MinOfLanes(d, smallest));
  }

  [[nodiscard]] HWY_INLINE double entry(std::size_t i, std::size_t k) const {
    return moves_.w[k] - moves_.z[i * length() + k];
  }

  // Mass of row i goes from one column to another.
  HWY_INLINE void move(std::size_t i, double amount, std::size_t from, std::size_t to) const {
    const Tag d;
    const Lane mass = hn::Set(d, amount);
    change_w(amount, from, to);
    const double* cross_to = moves_.cross + to * length();
    const double* cross_from = moves_.cross + from * length();
    const auto change = [=](std::size_t v) HWY_ATTR {
      const Tag t;
      const std::size_t k = v * hn::Lanes(t);
      return hn::Sub(hn::LoadU(t, cross_to + k), hn::LoadU(t, cross_from + k));
    };
    Lane kept[vectors > 0 ? vectors : 1];
    for (std::size_t v = 0; v < vectors; ++v) kept[v] = hn::Mul(mass, change(v));
    for_each_neighbour(i, [&](std::size_t j, double a) HWY_ATTR {
      const Tag t;
      double* z = moves_.z + j * length();
      const Lane entry = hn::Set(t, vectors > 0 ? a : a * amount);
      for (std::size_t v = 0; v < count(); ++v, z += hn::Lanes(t)) {
        const Lane by = vectors > 0 ? kept[v] : change(v);
        hn::StoreU(hn::MulAdd(entry, by, hn::LoadU(t, z)), t, z);
      }
    });
  }

  // Neighbours j with C_ij h_j, and some with 0.
  template <class Visit>
  HWY_INLINE void for_each_mass(std::size_t i, const Visit& visit) const {
    if (moves_.source.dense()) {
      const double* c = moves_.source.dense_row(static_cast<Index>(i));
      const std::size_t n = moves_.source.size();
      for (std::size_t j = 0; j < n; ++j) visit(j, c[j] * moves_.weights[j]);
      return;
    }
    constexpr std::size_t group = RowNeighbours::group;
    const RowNeighbours& all = moves_.neighbours;
    const std::size_t end = all.first[i + 1] * group;
    for (std::size_t begin = all.first[i] * group; begin < end; begin += group) {
      for (std::size_t e = begin; e < begin + group; ++e) {
        visit(std::size_t{all.nodes[e]}, all.masses[e]);
      }
    }
  }

  template <class Visit>
  HWY_INLINE void for_each_neighbour(std::size_t i, const Visit& visit) const {
    const auto row = static_cast<Index>(i);
    if (moves_.source.dense()) {
      const double* c = moves_.source.dense_row(row);
      const std::size_t n = moves_.source.size();
      for (std::size_t j = 0; j < n; ++j) visit(j, c[j]);
      return;
    }
    const auto entries = moves_.source.sparse_row(row);
    if (entries.values == nullptr) {
      for (const NodeId j : entries.columns) visit(std::size_t{j}, 1.0);
      return;
    }
    for (std::size_t e = 0; e < entries.columns.size(); ++e) {
      visit(std::size_t{entries.columns[e]}, entries.values[e]);
    }
  }

  HWY_INLINE void place(std::size_t i) const {
    const std::size_t product = moves_.columns;
    const std::size_t k =
        with_gathered(i, [&](const auto& z) HWY_ATTR { return best(i, product, z); });
    change_w(moves_.weights[i], product, k);
    moves_.labels[i] = static_cast<NodeId>(k);
  }

  HWY_INLINE void start_at_product() const {
    const std::size_t product = moves_.columns;
    write_w(moves_.square + product * length());
    std::fill_n(moves_.labels, moves_.source.size(), static_cast<NodeId>(product));
  }

  void clear() const {
    const std::size_t nowhere = static_cast<std::size_t>(moves_.columns) + 1;
    write_w(moves_.square + nowhere * length());
    const std::size_t n = moves_.source.size();
    std::fill_n(moves_.z, n * length(), 0.0);
    for (std::size_t i = 0; moves_.linear != nullptr && i < n; ++i) {
      add_to(moves_.z + i * length(), moves_.linear[i], -moves_.linear_factor);
    }
  }

  // z from the labels.
  HWY_INLINE void gather() const {
    const std::size_t n = moves_.source.size();
    for (std::size_t i = 0; i < n; ++i) {
      with_gathered(i, [&](const auto& z) HWY_ATTR {
        const Tag t;
        double* row = moves_.z + i * length();
        for (std::size_t v = 0; v * hn::Lanes(t) < length(); ++v) {
          hn::StoreU(z(v), t, row + v * hn::Lanes(t));
        }
      });
    }
  }

  // Whether the row moved.
  HWY_INLINE bool settle_row(std::size_t i) const {
    const std::size_t c = moves_.labels[i];
    const double bound = entry(i, c) - moves_.tolerance;
    const bool gains = with_changes(i, c, load_z(i), [&](const auto& at) HWY_ATTR {
      const Tag t;
      const Lane most = hn::Set(t, bound);
      auto found = hn::Lt(at(0), most);
      for (std::size_t v = 1; v * hn::Lanes(t) < length(); ++v) {
        found = hn::Or(found, hn::Lt(at(v), most));
      }
      return !hn::AllFalse(t, found);
    });
    if (!gains) return false;
    const std::size_t k = best(i, c, load_z(i));
    if (k == c) return false;
    move(i, moves_.weights[i], c, k);
    moves_.labels[i] = static_cast<NodeId>(k);
    return true;
  }

  [[nodiscard]] double smallest() const {
    const std::size_t n = moves_.source.size();
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += moves_.weights[i] * smallest_entry(i);
    return sum;
  }

  // <g, T> of one row.
  [[nodiscard]] HWY_INLINE double form_of(std::size_t i, const double* masses) const {
    const Tag d;
    const double* z = moves_.z + i * length();
    const double* t = masses + i * length();
    Lane sum = hn::Zero(d);
    for (std::size_t k = 0; k < length(); k += width()) {
      const Lane mass = hn::LoadU(d, t + k);
      const Lane g = hn::Sub(hn::LoadU(d, moves_.w + k), hn::LoadU(d, z + k));
      // Where there is no mass the product is 0, even in the padding, where g is infinite.
      sum = hn::Add(sum, hn::IfThenZeroElse(hn::Eq(mass, hn::Zero(d)), hn::Mul(mass, g)));
    }
    return hn::GetLane(hn::SumOfLanes(d, sum));
  }

  [[nodiscard]] double form(const double* masses) const {
    const std::size_t n = moves_.source.size();
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += form_of(i, masses);
    return sum;
  }

  std::size_t next_to_spread(const double* masses, const NodeId* order, std::size_t place,
                             double target) const {
    const std::size_t n = moves_.source.size();
    for (; place < n; ++place) {
      const std::size_t i = order[place];
      const double h = moves_.weights[i];
      if (form_of(i, masses) - h * smallest_entry(i) > target * h) break;
    }
    return place;
  }

 private:
  [[nodiscard]] HWY_INLINE std::size_t length() const {
    return vectors > 0 ? vectors * width() : stride_;
  }
  [[nodiscard]] HWY_INLINE std::size_t count() const { return length() / width(); }
  // w of mass that goes from one column to another.
  HWY_INLINE void change_w(double amount, std::size_t from, std::size_t to) const {
    const Tag d;
    const Lane mass = hn::Set(d, amount);
    const double* square_to = moves_.square + to * length();
    const double* square_from = moves_.square + from * length();
    for (std::size_t k = 0; k < length(); k += width()) {
      const Lane change = hn::Sub(hn::LoadU(d, square_to + k), hn::LoadU(d, square_from + k));
      hn::StoreU(hn::MulAdd(mass, change, hn::LoadU(d, moves_.w + k)), d, moves_.w + k);
    }
  }
  HWY_INLINE void write_w(const double* row) const {
    const std::size_t m = moves_.columns;
    std::copy_n(row, m, moves_.w);
    std::fill(moves_.w + m, moves_.w + length(), std::numeric_limits<double>::infinity());
  }
  HWY_INLINE void add_to(double* sums, const double* row, double factor) const {
    const Tag d;
    const Lane by = hn::Set(d, factor);
    for (std::size_t k = 0; k < length(); k += width()) {
      hn::StoreU(hn::MulAdd(by, hn::LoadU(d, row + k), hn::LoadU(d, sums + k)), d, sums + k);
    }
  }
  const RowMoves moves_;  // out of reach of the stores: fields stay in registers
  const std::size_t stride_;
};

// Calls `work` with the mover for rows of this length.
template <class Work>
auto with_mover(const RowMoves& moves, const Work& work) {
  return with_vectors(static_cast<std::size_t>(moves.stride) / width(),
                      [&]<std::size_t vectors>() HWY_ATTR { return work(Mover<vectors>(moves)); });
}

PaddedOrder padded_order(Index rows) {
  const auto lanes = static_cast<Index>(width());
#if !HWY_HAVE_SCALABLE
  for (const std::size_t blocks : {few_blocks, some_blocks}) {
    const Index most = static_cast<Index>(blocks) * lanes;
    if (rows <= most) return {most, true};
  }
#endif
  return {(rows + lanes - 1) / lanes * lanes, false};
}

constexpr std::size_t few_rows = 256;  // of which a sweep takes microseconds

// Movers and orders are copies, so that the compiler knows that no store changes them.
template <std::size_t vectors, class Orders>
void place_in_turn(Orders turns, const Mover<vectors> first, const Mover<vectors> second,
                   const RowOrders& orders) {
  first.start_at_product();
  second.start_at_product();
  turns.start();
  NodeId* const first_rows = orders.rows[0];
  NodeId* const second_rows = orders.rows[1];
  const std::size_t n = orders.source.size();
  for (std::size_t step = 0; step < n; ++step) {
    const std::array<NodeId, 2> rows = turns.next(step);
    first_rows[step] = rows[0];
    second_rows[step] = rows[1];
    first.place(rows[0]);
    second.place(rows[1]);
  }
}

template <std::size_t vectors>
void settle_in_turn(const Mover<vectors> first, const Mover<vectors> second,
                    const std::array<NodeId*, 2>& orders, std::size_t n, int sweeps) {
  first.gather();
  second.gather();
  const NodeId* const first_rows = orders[0];
  const NodeId* const second_rows = orders[1];
  std::size_t first_quiet = 0, second_quiet = 0;  // rows in turn that stayed
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (std::size_t at = 0; at < n; ++at) {
      if (first_quiet < n) first_quiet = first.settle_row(first_rows[at]) ? 0 : first_quiet + 1;
      if (second_quiet < n)
        second_quiet = second.settle_row(second_rows[at]) ? 0 : second_quiet + 1;
    }
    if (first_quiet >= n && second_quiet >= n) return;
    if (n > few_rows && stop_requested()) return;
  }
}

void place_rows(const std::array<RowMoves, 2>& moves, const RowOrders& orders) {
  with_mover(moves[0], [&](const auto& first) HWY_ATTR {
    const std::decay_t<decltype(first)> second(moves[1]);
#if !HWY_HAVE_SCALABLE
    if (orders.entries != nullptr) {
      const std::size_t blocks = static_cast<std::size_t>(orders.padded_rows) / width();
      if (blocks == few_blocks) {
        return place_in_turn(FewRowOrders<few_blocks>(orders), first, second, orders);
      }
      return place_in_turn(FewRowOrders<some_blocks>(orders), first, second, orders);
    }
#endif
    place_in_turn(ManyRowOrders(orders), first, second, orders);
  });
}

void settle_rows(const std::array<RowMoves, 2>& moves, const std::array<NodeId*, 2>& orders,
                 int sweeps) {
  with_mover(moves[0], [&](const auto& first) HWY_ATTR {
    const std::size_t n = moves[0].source.size();
    settle_in_turn(first, std::decay_t<decltype(first)>(moves[1]), orders, n, sweeps);
  });
}

void push_move(const RowMoves& moves, Index row, double amount, NodeId from, NodeId to) {
  with_mover(moves, [&](const auto& mover) HWY_ATTR { mover.move(row, amount, from, to); });
}

// The others are called once for a graph, or only where rows are spread: any length will do.
void clear_rows(const RowMoves& moves) { Mover<0>(moves).clear(); }

double sum_smallest(const RowMoves& moves) { return Mover<0>(moves).smallest(); }

Index next_to_spread(const RowMoves& moves, const double* masses, const NodeId* order, Index place,
                     double target) {
  return static_cast<Index>(Mover<0>(moves).next_to_spread(masses, order, place, target));
}

double spread_form(const RowMoves& moves, const double* masses) {
  return Mover<0>(moves).form(masses);
}

}  // namespace srgw::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace srgw::detail {

SRGW_DISPATCH(PaddedOrder, padded_order, (Index rows), (rows))
SRGW_DISPATCH(void, place_rows, (const std::array<RowMoves, 2>& moves, const RowOrders& orders),
              (moves, orders))
SRGW_DISPATCH(void, settle_rows,
              (const std::array<RowMoves, 2>& moves, const std::array<NodeId*, 2>& orders,
               int sweeps),
              (moves, orders, sweeps))
SRGW_DISPATCH(void, clear_rows, (const RowMoves& moves), (moves))
SRGW_DISPATCH(void, push_move,
              (const RowMoves& moves, Index row, double amount, NodeId from, NodeId to),
              (moves, row, amount, from, to))
SRGW_DISPATCH(double, sum_smallest, (const RowMoves& moves), (moves))
SRGW_DISPATCH(Index, next_to_spread,
              (const RowMoves& moves, const double* masses, const NodeId* order, Index place,
               double target),
              (moves, masses, order, place, target))
SRGW_DISPATCH(double, spread_form, (const RowMoves& moves, const double* masses), (moves, masses))

}  // namespace srgw::detail
#endif
