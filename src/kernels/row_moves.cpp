// SPDX-License-Identifier: MIT
#include "kernels/row_moves.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/row_moves.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace srgw::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::ScalableTag<double>;
using Lane = hn::Vec<Tag>;

// Ends the order of neighbours: what the hundredth row adds is not seen beside the first, and
// behind `followed` rows priorities stand.
constexpr double fading = 0.625;
constexpr std::size_t followed = 128;

HWY_INLINE std::size_t width() { return hn::Lanes(Tag()); }

HWY_INLINE std::uint64_t bits_of(hn::Mask<Tag> mask) {
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(Tag(), mask, bytes);
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes, sizeof(bits));
  return bits;
}

struct Minimum {
  std::size_t place = 0;
  double value = 0;
};

// The first smallest of `count` vectors at(0), at(1), ...
template <class At>
HWY_INLINE Minimum minimum_of(std::size_t count, const At& at) {
  const Tag d;
  Lane smallest = at(0);
  for (std::size_t v = 1; v < count; ++v) smallest = hn::Min(smallest, at(v));
  const Lane all = hn::MinOfLanes(d, smallest);
  for (std::size_t v = 0;; ++v) {
    const std::uint64_t bits = bits_of(hn::Eq(at(v), all));
    if (bits != 0 || v + 1 == count) {
      const auto lane = static_cast<std::size_t>(bits != 0 ? std::countr_zero(bits) : 0);
      return {v * width() + lane, hn::GetLane(all)};
    }
  }
}

// The same with all vectors in registers, and without a branch.
template <std::size_t vectors, class At>
HWY_INLINE Minimum minimum_of_few(const At& at) {
  const Tag d;
  Lane f[vectors];
  for (std::size_t v = 0; v < vectors; ++v) f[v] = at(v);
  Lane smallest = f[0];
  for (std::size_t v = 1; v < vectors; ++v) smallest = hn::Min(smallest, f[v]);
  const Lane all = hn::MinOfLanes(d, smallest);
  std::uint64_t bits = 0;
  for (std::size_t v = 0; v < vectors; ++v) bits |= bits_of(hn::Eq(f[v], all)) << (v * width());
  return {static_cast<std::size_t>(std::countr_zero(bits)), hn::GetLane(all)};
}

// `vectors` hold a row; 0: any number of them.
template <std::size_t vectors>
class Mover {
 public:
  explicit Mover(const RowMoves& shared)
      : moves_(shared), stride_(static_cast<std::size_t>(shared.stride)) {}

  // The column that row i would gain most by leaving column c for.
  HWY_INLINE Minimum best(std::size_t i, std::size_t c) const {
    const Tag d;
    const double* w = moves_.w;
    const double* z = moves_.z + i * stride_;
    const double* bend = moves_.bend + c * stride_;
    const Lane h = hn::Set(d, moves_.weights[i]);
    const auto plain = [=](std::size_t v) HWY_ATTR {
      const std::size_t k = v * hn::Lanes(Tag());
      const Tag t;
      const Lane g = hn::Sub(hn::LoadU(t, w + k), hn::LoadU(t, z + k));
      return hn::MulAdd(h, hn::LoadU(t, bend + k), g);
    };
    if (moves_.loops == nullptr || moves_.loops[i] == 0) return minimum(plain);
    const double* loop_bend = moves_.loop_bend + c * stride_;
    const Lane loop = hn::Set(d, moves_.weights[i] * moves_.loops[i]);
    return minimum([=](std::size_t v) HWY_ATTR {
      const Tag t;
      return hn::NegMulAdd(loop, hn::LoadU(t, loop_bend + v * hn::Lanes(t)), plain(v));
    });
  }

  [[nodiscard]] HWY_INLINE double smallest_entry(std::size_t i) const {
    const double* w = moves_.w;
    const double* z = moves_.z + i * stride_;
    return minimum([=](std::size_t v) HWY_ATTR {
             const Tag t;
             const std::size_t k = v * hn::Lanes(t);
             return hn::Sub(hn::LoadU(t, w + k), hn::LoadU(t, z + k));
           })
        .value;
  }

  [[nodiscard]] HWY_INLINE double entry(std::size_t i, std::size_t k) const {
    return moves_.w[k] - moves_.z[i * stride_ + k];
  }

  // Mass of row i goes from one column to another.
  HWY_INLINE void move(std::size_t i, double amount, std::size_t from, std::size_t to) const {
    const Tag d;
    const Lane mass = hn::Set(d, amount);
    const double* square_to = moves_.square + to * stride_;
    const double* square_from = moves_.square + from * stride_;
    for (std::size_t k = 0; k < length(); k += width()) {
      const Lane change = hn::Sub(hn::LoadU(d, square_to + k), hn::LoadU(d, square_from + k));
      hn::StoreU(hn::MulAdd(mass, change, hn::LoadU(d, moves_.w + k)), d, moves_.w + k);
    }
    const double* cross_to = moves_.cross + to * stride_;
    const double* cross_from = moves_.cross + from * stride_;
    if constexpr (vectors > 0) {
      Lane change[vectors];
      for (std::size_t v = 0; v < vectors; ++v) {
        const std::size_t k = v * width();
        change[v] =
            hn::Mul(mass, hn::Sub(hn::LoadU(d, cross_to + k), hn::LoadU(d, cross_from + k)));
      }
      for_each_neighbour(i, [&](std::size_t j, double a) HWY_ATTR {
        const Tag t;
        double* z = moves_.z + j * stride_;
        const Lane entry = hn::Set(t, a);
        for (std::size_t v = 0; v < vectors; ++v) {
          const std::size_t k = v * hn::Lanes(t);
          hn::StoreU(hn::MulAdd(entry, change[v], hn::LoadU(t, z + k)), t, z + k);
        }
      });
    } else {
      for_each_neighbour(i, [&](std::size_t j, double a) HWY_ATTR {
        const Tag t;
        double* z = moves_.z + j * stride_;
        const Lane entry = hn::Set(t, a * amount);
        for (std::size_t k = 0; k < stride_; k += hn::Lanes(t)) {
          const Lane change = hn::Sub(hn::LoadU(t, cross_to + k), hn::LoadU(t, cross_from + k));
          hn::StoreU(hn::MulAdd(entry, change, hn::LoadU(t, z + k)), t, z + k);
        }
      });
    }
  }

  template <class Visit>
  HWY_INLINE void for_each_neighbour(std::size_t i, const Visit& visit) const {
    const auto row = static_cast<Index>(i);
    if (moves_.source.dense()) {
      const double* c = moves_.source.dense_row(row);
      const auto n = static_cast<std::size_t>(moves_.source.size());
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

  // The row with the smallest priority goes to its best column.
  HWY_INLINE void place_next(const RowOrder& order, std::size_t step, double pull) const {
    const double* priority = order.priority;
    const auto blocks = static_cast<std::size_t>(order.padded_rows) / width();
    const std::size_t i = minimum_of(blocks, [=](std::size_t v) HWY_ATTR {
                            const Tag t;
                            return hn::LoadU(t, priority + v * hn::Lanes(t));
                          }).place;
    order.rows[step] = static_cast<NodeId>(i);
    order.priority[i] = std::numeric_limits<double>::infinity();
    for_each_neighbour(i, [&](std::size_t j, double a) HWY_ATTR { order.priority[j] -= pull * a; });
    place(i);
  }

  // Rows that were not placed, from this step of the order on, by their priority.
  void sort_rest(const RowOrder& order, std::size_t step) const {
    NodeId* next = order.rows + step;
    const auto n = static_cast<std::size_t>(moves_.source.size());
    for (std::size_t i = 0; i < n; ++i) {
      if (!std::isinf(order.priority[i])) *next++ = static_cast<NodeId>(i);
    }
    std::sort(order.rows + step, next, [&](NodeId a, NodeId b) {
      const double first = order.priority[a], second = order.priority[b];
      return first < second || (first == second && a < b);
    });
  }

  HWY_INLINE void place(std::size_t i) const {
    const auto product = static_cast<std::size_t>(moves_.columns);
    const std::size_t k = best(i, product).place;
    move(i, moves_.weights[i], product, k);
    moves_.labels[i] = static_cast<NodeId>(k);
  }

  void start(const Mover& second, const ProductStart& from) const {
    const Tag d;
    const auto n = static_cast<std::size_t>(moves_.source.size());
    const auto product = static_cast<std::size_t>(moves_.columns);
    const double* cross = moves_.cross + product * stride_;
    const Lane factor = hn::Set(d, from.linear_factor);
    for (std::size_t i = 0; i < n; ++i) {
      const Lane sum = hn::Set(d, from.sums[i]);
      const double* linear = from.linear != nullptr ? from.linear[i] : nullptr;
      for (std::size_t k = 0; k < length(); k += width()) {
        Lane z = hn::Mul(sum, hn::LoadU(d, cross + k));
        if (linear != nullptr) z = hn::NegMulAdd(factor, hn::LoadU(d, linear + k), z);
        hn::StoreU(z, d, moves_.z + i * stride_ + k);
        if (second.moves_.z != nullptr) hn::StoreU(z, d, second.moves_.z + i * stride_ + k);
      }
    }
    for (const Mover* mover : {this, &second}) {
      const RowMoves& moves = mover->moves_;
      if (moves.z == nullptr) continue;
      for (std::size_t k = 0; k < stride_; ++k) {
        moves.w[k] = k < product ? moves.square[product * stride_ + k]
                                 : std::numeric_limits<double>::infinity();
      }
      for (std::size_t i = 0; i < n; ++i) moves.labels[i] = static_cast<NodeId>(product);
    }
  }

  void settle(const NodeId* order, int sweeps) const {
    const auto n = static_cast<std::size_t>(moves_.source.size());
    std::size_t quiet = 0;  // rows in turn that stayed
    for (int sweep = 0; sweep < sweeps; ++sweep) {
      for (std::size_t at = 0; at < n; ++at) {
        const std::size_t i = order[at];
        const std::size_t c = moves_.labels[i];
        const Minimum found = best(i, c);
        if (found.place != c && found.value < entry(i, c) - moves_.tolerance) {
          move(i, moves_.weights[i], c, found.place);
          moves_.labels[i] = static_cast<NodeId>(found.place);
          quiet = 0;
        } else if (++quiet == n) {
          return;
        }
      }
    }
  }

  [[nodiscard]] RowMoveSums sums() const {
    RowMoveSums sums;
    const auto n = static_cast<std::size_t>(moves_.source.size());
    for (std::size_t i = 0; i < n; ++i) {
      const double own = entry(i, moves_.labels[i]);
      sums.form += moves_.weights[i] * own;
      sums.gap += moves_.weights[i] * (own - smallest_entry(i));
    }
    return sums;
  }

 private:
  [[nodiscard]] HWY_INLINE std::size_t length() const {
    return vectors > 0 ? vectors * width() : stride_;
  }
  template <class At>
  HWY_INLINE Minimum minimum(const At& at) const {
    if constexpr (vectors > 0) return minimum_of_few<vectors>(at);
    return minimum_of(stride_ / width(), at);
  }

  const RowMoves moves_;  // out of reach of the stores: fields stay in registers
  const std::size_t stride_;
};

// Calls `work` with the mover for rows of this length.
template <class Work>
auto with_mover(const RowMoves& moves, const Work& work) {
#if !HWY_HAVE_SCALABLE
  switch (static_cast<std::size_t>(moves.stride) / width()) {
    case 1: return work(Mover<1>(moves));
    case 2: return work(Mover<2>(moves));
    case 3: return work(Mover<3>(moves));
    case 4: return work(Mover<4>(moves));
    case 5: return work(Mover<5>(moves));
    case 6: return work(Mover<6>(moves));
    case 7: return work(Mover<7>(moves));
    case 8: return work(Mover<8>(moves));
    default: break;
  }
#endif
  return work(Mover<0>(moves));
}

void start_at_product(const std::array<RowMoves, 2>& moves, const ProductStart& start) {
  with_mover(moves[0], [&](const auto& mover) HWY_ATTR {
    mover.start(std::decay_t<decltype(mover)>(moves[1]), start);
  });
}

void place_rows(const std::array<RowMoves, 2>& moves, const std::array<RowOrder, 2>& orders) {
  with_mover(moves[0], [&](const auto& first) HWY_ATTR {
    const std::decay_t<decltype(first)> second(moves[1]);
    const auto n = static_cast<std::size_t>(moves[0].source.size());
    double fade = 1;
    for (std::size_t step = 0; step < std::min(n, followed); ++step, fade *= fading) {
      first.place_next(orders[0], step, orders[0].pull * fade);
      second.place_next(orders[1], step, orders[1].pull * fade);
    }
    if (n <= followed) return;
    first.sort_rest(orders[0], followed);
    second.sort_rest(orders[1], followed);
    for (std::size_t step = followed; step < n; ++step) {
      first.place(orders[0].rows[step]);
      second.place(orders[1].rows[step]);
    }
  });
}

void settle_rows(const RowMoves& moves, const NodeId* order, int sweeps) {
  with_mover(moves, [&](const auto& mover) HWY_ATTR { mover.settle(order, sweeps); });
}

void push_move(const RowMoves& moves, Index row, double amount, NodeId from, NodeId to) {
  with_mover(moves, [&](const auto& mover)
                        HWY_ATTR { mover.move(static_cast<std::size_t>(row), amount, from, to); });
}

RowMoveSums sum_moves(const RowMoves& moves) {
  return with_mover(moves, [](const auto& mover) HWY_ATTR { return mover.sums(); });
}

}  // namespace srgw::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace srgw::detail {

HWY_EXPORT(start_at_product);
HWY_EXPORT(place_rows);
HWY_EXPORT(settle_rows);
HWY_EXPORT(push_move);
HWY_EXPORT(sum_moves);

void start_at_product(const std::array<RowMoves, 2>& moves, const ProductStart& start) {
  HWY_DYNAMIC_DISPATCH(start_at_product)(moves, start);
}

void place_rows(const std::array<RowMoves, 2>& moves, const std::array<RowOrder, 2>& orders) {
  HWY_DYNAMIC_DISPATCH(place_rows)(moves, orders);
}

void settle_rows(const RowMoves& moves, const NodeId* order, int sweeps) {
  HWY_DYNAMIC_DISPATCH(settle_rows)(moves, order, sweeps);
}

void push_move(const RowMoves& moves, Index row, double amount, NodeId from, NodeId to) {
  HWY_DYNAMIC_DISPATCH(push_move)(moves, row, amount, from, to);
}

RowMoveSums sum_moves(const RowMoves& moves) { return HWY_DYNAMIC_DISPATCH(sum_moves)(moves); }

}  // namespace srgw::detail
#endif
