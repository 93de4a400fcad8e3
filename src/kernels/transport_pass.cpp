// SPDX-License-Identifier: MIT
#include "kernels/transport_pass.hpp"

#include <limits>

#include "kernels/dispatch.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/transport_pass.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include "kernels/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace srgw::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// add(lane, k) over the vectors at k = 0, width, ... in four lanes in turn, which need not wait for
// each other; then they are joined.
template <class Add, class Join>
HWY_INLINE Lane fold(std::size_t size, Lane start, const Add& add, const Join& join) {
  const std::size_t lanes = width();
  Lane lane0 = start, lane1 = start, lane2 = start, lane3 = start;
  std::size_t k = 0;
  for (; k + 4 * lanes <= size; k += 4 * lanes) {
    lane0 = add(lane0, k);
    lane1 = add(lane1, k + lanes);
    lane2 = add(lane2, k + 2 * lanes);
    lane3 = add(lane3, k + 3 * lanes);
  }
  for (; k < size; k += lanes) lane0 = add(lane0, k);
  return join(join(lane0, lane1), join(lane2, lane3));
}

// min_k c_k - v_k
HWY_INLINE double least_reduced(const double* cost, const double* potential, std::size_t size) {
  const Tag d;
  const Lane least = fold(
      size, hn::Set(d, std::numeric_limits<double>::infinity()),
      [&](Lane lane, std::size_t k) HWY_ATTR {
        const Tag t;
        return hn::Min(lane, hn::Sub(hn::LoadU(t, cost + k), hn::LoadU(t, potential + k)));
      },
      [](Lane a, Lane b) HWY_ATTR { return hn::Min(a, b); });
  return hn::GetLane(hn::MinOfLanes(d, least));
}

Price price_rows(const PricePass& pass, Index begin, Index end) {
  const std::size_t size = pass.stride;
  Price best{.row = begin, .reduced = std::numeric_limits<double>::infinity()};
  double best_difference = 0;
  for (Index i = begin; i < end; ++i) {
    const double difference =
        least_reduced(pass.cost + i * pass.stride, pass.column_potential, size);
    const double reduced = difference - pass.row_potential[i];
    if (reduced < best.reduced) {
      best.row = i;
      best.reduced = reduced;
      best_difference = difference;
    }
  }
  // Repeating the subtraction gives the same bits, so equality finds the column.
  const Tag d;
  const double* cost = pass.cost + best.row * pass.stride;
  const Lane wanted = hn::Set(d, best_difference);
  for (std::size_t k = 0; k < size; k += hn::Lanes(d)) {
    const Lane difference =
        hn::Sub(hn::LoadU(d, cost + k), hn::LoadU(d, pass.column_potential + k));
    const auto place = hn::FindFirstTrue(d, hn::Eq(difference, wanted));
    if (place >= 0) {
      best.column = static_cast<Index>(k) + static_cast<Index>(place);
      break;
    }
  }
  return best;
}

void exponentiate_rows(const KernelRows& pass, Index begin, Index end) {
  const Tag d;
  for (Index i = begin; i < end; ++i) {
    const double* logits = pass.logits + i * pass.stride;
    double* kernel = pass.kernel + i * pass.stride;
    const Lane row = hn::Set(d, pass.rows[i]);
    for (std::size_t k = 0; k < static_cast<std::size_t>(pass.stride); k += hn::Lanes(d)) {
      const Lane shift = hn::Add(row, hn::LoadU(d, pass.columns + k));
      // Exp is made for finite numbers.
      const Lane x = hn::Max(hn::Add(shift, hn::LoadU(d, logits + k)), hn::Set(d, -700.0));
      hn::StoreU(hn::IfThenElseZero(hn::Gt(x, hn::Set(d, -600.0)), hn::Exp(d, x)), d, kernel + k);
    }
  }
}

void scale_rows(const ScaleRows& pass, Index begin, Index end) {
  const Tag d;
  const std::size_t stride = pass.stride;
  for (Index i = begin; i < end; ++i) {
    pass.rows[i] = 0;
    if (pass.masses[i] == 0) continue;
    const double* kernel = pass.kernel + i * pass.stride;
    const Lane sums = fold(
        stride, hn::Zero(d),
        [&](Lane lane, std::size_t k) HWY_ATTR {
          const Tag t;
          return hn::MulAdd(hn::LoadU(t, kernel + k), hn::LoadU(t, pass.columns + k), lane);
        },
        [](Lane a, Lane b) HWY_ATTR { return hn::Add(a, b); });
    const double sum = hn::GetLane(hn::SumOfLanes(d, sums));
    if (!(sum > 0)) {
      pass.rows[i] = std::numeric_limits<double>::infinity();
      continue;
    }
    pass.rows[i] = pass.masses[i] / sum;
    const Lane u = hn::Set(d, pass.rows[i]);
    for (std::size_t k = 0; k < stride; k += width()) {
      const Lane grown = hn::MulAdd(u, hn::LoadU(d, kernel + k), hn::LoadU(d, pass.sums + k));
      hn::StoreU(grown, d, pass.sums + k);
    }
  }
}

}  // namespace srgw::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace srgw::detail {

SRGW_DISPATCH_PASS(Price, price_rows, PricePass)
SRGW_DISPATCH_PASS(void, exponentiate_rows, KernelRows)
SRGW_DISPATCH_PASS(void, scale_rows, ScaleRows)

}  // namespace srgw::detail
#endif
