// SPDX-License-Identifier: MIT
#include "kernels/transport_pass.hpp"

#include <limits>

#include "kernels/dispatch.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/transport_pass.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>

#include "kernels/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace srgw::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// min_k c_k - v_k
HWY_INLINE double least_reduced(const double* cost, const double* potential, std::size_t size) {
  const Tag d;
  const std::size_t lanes = hn::Lanes(d);
  Lane least0 = hn::Set(d, std::numeric_limits<double>::infinity());
  Lane least1 = least0, least2 = least0, least3 = least0;
  const auto reduced = [&](std::size_t k) HWY_ATTR {
    return hn::Sub(hn::LoadU(d, cost + k), hn::LoadU(d, potential + k));
  };
  std::size_t k = 0;
  for (; k + 4 * lanes <= size; k += 4 * lanes) {
    least0 = hn::Min(least0, reduced(k));
    least1 = hn::Min(least1, reduced(k + lanes));
    least2 = hn::Min(least2, reduced(k + 2 * lanes));
    least3 = hn::Min(least3, reduced(k + 3 * lanes));
  }
  for (; k < size; k += lanes) least0 = hn::Min(least0, reduced(k));
  return hn::GetLane(hn::MinOfLanes(d, hn::Min(hn::Min(least0, least1), hn::Min(least2, least3))));
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
  // The same subtraction gives the same number.
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

}  // namespace srgw::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace srgw::detail {

SRGW_DISPATCH_PASS(Price, price_rows, PricePass)

}  // namespace srgw::detail
#endif
