// SPDX-License-Identifier: MIT
// The orders of row_order.hpp, for each target of SIMD.
#if defined(SRGW_KERNELS_ROW_ORDER_INL_) == defined(HWY_TARGET_TOGGLE)
#ifdef SRGW_KERNELS_ROW_ORDER_INL_
#undef SRGW_KERNELS_ROW_ORDER_INL_
#else
#define SRGW_KERNELS_ROW_ORDER_INL_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "kernels/lanes-inl.hpp"
#include "kernels/row_order.hpp"

HWY_BEFORE_NAMESPACE();
namespace srgw::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The pull on neighbours fades from row to row: that of the hundredth row is nothing beside that of
// the first, so after `followed` rows the priorities do not change any more.
constexpr double fading = 0.625;
constexpr std::size_t followed = 128;
constexpr int steps = 4;       // of walks
constexpr double hint = 1e-9;  // ranks decide between rows that have the same neighbours so far
constexpr double infinity = std::numeric_limits<double>::infinity();

constexpr std::size_t few_blocks = 4, some_blocks = 8;  // of rows that stay in registers

#if !HWY_HAVE_SCALABLE
// Orders the rows of a small graph, with the priorities of all rows in `blocks` registers.
template <std::size_t blocks>
class FewRowOrders {
 public:
  explicit FewRowOrders(const RowOrders& orders) : orders_(orders), n_(orders.source.size()) {}

  // Must be called before next().
  HWY_INLINE void start() {
    const Tag d;
    walk();
    Lane rank[blocks];
    Lane least = hn::Set(d, infinity), most = hn::Set(d, -infinity);
    for (std::size_t v = 0; v < blocks; ++v) {
      const auto real = inside(v);
      rank[v] = hn::LoadU(d, orders_.rank + v * width());
      least = hn::Min(least, hn::IfThenElse(real, rank[v], least));
      most = hn::Max(most, hn::IfThenElse(real, rank[v], most));
    }
    least = hn::MinOfLanes(d, least);
    const double range = hn::GetLane(hn::MaxOfLanes(d, most)) - hn::GetLane(least);
    const Lane unit = hn::Set(d, range > 0 ? hint / range : 0.0);
    for (std::size_t v = 0; v < blocks; ++v) {
      const Lane far = hn::Set(d, infinity);
      const Lane number = hn::Mul(unit, hn::Sub(rank[v], least));
      priority_[0][v] = hn::IfThenElse(inside(v), hn::Neg(number), far);
      priority_[1][v] = hn::IfThenElse(inside(v), number, far);
    }
    // So that the priority of a row becomes infinite when it is taken.
    for (std::size_t i = 0; i < n_; ++i) orders_.entries[i * (blocks * width() + 1)] = -infinity;
    pull_ = orders_.pull;
  }

  // The next row of each order.
  HWY_INLINE std::array<NodeId, 2> next(std::size_t) {
    const std::array rows{next(priority_[0]), next(priority_[1])};
    pull_ *= fading;
    return rows;
  }

 private:
  [[nodiscard]] HWY_INLINE hn::Mask<Tag> inside(std::size_t v) const {
    const Tag d;
    return hn::Lt(hn::Iota(d, static_cast<double>(v * width())),
                  hn::Set(d, static_cast<double>(n_)));
  }

  HWY_INLINE void walk() const {
    const Tag d;
    for (int step = 0; step < steps; ++step) {
      Lane sum[blocks];
      for (std::size_t v = 0; v < blocks; ++v) sum[v] = hn::LoadU(d, orders_.rank + v * width());
      const double* entries = orders_.entries;
      for (std::size_t j = 0; j < n_; ++j, entries += blocks * width()) {
        const Lane y = hn::Set(d, orders_.masses[j] * orders_.rank[j]);
        for (std::size_t v = 0; v < blocks; ++v) {
          sum[v] = hn::MulAdd(y, hn::LoadU(d, entries + v * width()), sum[v]);
        }
      }
      for (std::size_t v = 0; v < blocks; ++v) hn::StoreU(sum[v], d, orders_.rank + v * width());
    }
  }

  HWY_INLINE NodeId next(Lane (&priority)[blocks]) const {
    const Tag d;
    const std::size_t i =
        first_smallest<blocks>(blocks, [&](std::size_t v) HWY_ATTR { return priority[v]; });
    const double* entries = orders_.entries + i * blocks * width();
    const Lane amount = hn::Set(d, pull_);
    for (std::size_t v = 0; v < blocks; ++v) {
      priority[v] = hn::NegMulAdd(amount, hn::LoadU(d, entries + v * width()), priority[v]);
    }
    return static_cast<NodeId>(i);
  }

  const RowOrders orders_;
  const std::size_t n_;
  Lane priority_[2][blocks];
  double pull_ = 1;
};

#endif  // !HWY_HAVE_SCALABLE

// Orders any number of rows, all of them in start().
class ManyRowOrders {
 public:
  explicit ManyRowOrders(const RowOrders& orders) : orders_(orders), n_(orders.source.size()) {}

  void start() {
    const double* rank = walk();
    const auto [least, most] = std::minmax_element(rank, rank + n_);
    const double first = *least, range = *most - *least, unit = range > 0 ? hint / range : 0.0;
    const std::size_t padded = orders_.padded_rows;
    for (std::size_t i = 0; i < padded; ++i) {
      const double number = i < n_ ? unit * (rank[i] - first) : infinity;
      orders_.priority[0][i] = i < n_ ? -number : number;
      orders_.priority[1][i] = number;
    }
    double pull = orders_.pull;
    const std::size_t few = std::min(n_, followed);
    for (std::size_t step = 0; step < few; ++step, pull *= fading) {
      for (std::size_t s = 0; s < 2; ++s) orders_.rows[s][step] = next(orders_.priority[s], pull);
    }
    for (std::size_t s = 0; n_ > few && s < 2; ++s) sort_rest(s, few);
  }

  HWY_INLINE std::array<NodeId, 2> next(std::size_t step) {
    return {orders_.rows[0][step], orders_.rows[1][step]};
  }

 private:
  const double* walk() const {
    double *rank = orders_.rank, *other = orders_.work;
    for (int step = 0; step < steps; ++step) {
      for (std::size_t i = 0; i < n_; ++i) {
        double sum = rank[i];
        orders_.source.for_each(static_cast<Index>(i), [&](Index j, double a) {
          sum += a * (orders_.masses[j] * rank[j]);
        });
        other[i] = sum;
      }
      std::swap(rank, other);
    }
    return rank;
  }

  NodeId next(double* priority, double pull) const {
    const std::size_t count = static_cast<std::size_t>(orders_.padded_rows) / width();
    const std::size_t i = first_smallest<0>(count, [&](std::size_t v) HWY_ATTR {
      const Tag d;
      return hn::LoadU(d, priority + v * width());
    });
    priority[i] = infinity;
    orders_.source.for_each(static_cast<Index>(i),
                            [&](Index j, double a) { priority[j] -= pull * a; });
    return static_cast<NodeId>(i);
  }

  // Rows without a place, from this step on, by their priority.
  void sort_rest(std::size_t s, std::size_t step) const {
    const double* priority = orders_.priority[s];
    NodeId* begin = orders_.rows[s] + step;
    NodeId* end = begin;
    for (std::size_t i = 0; i < n_; ++i) {
      if (!std::isinf(priority[i])) *end++ = static_cast<NodeId>(i);
    }
    std::sort(begin, end, [&](NodeId a, NodeId b) {
      return priority[a] < priority[b] || (priority[a] == priority[b] && a < b);
    });
  }

  const RowOrders& orders_;
  const std::size_t n_;
};

}  // namespace srgw::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
