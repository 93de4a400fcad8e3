// SPDX-License-Identifier: MIT
#include "kernels/scaling_pass.hpp"

#include <limits>

#include "kernels/dispatch.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/scaling_pass.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include "kernels/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace srgw::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

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
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t stride = pass.stride;
  for (Index i = begin; i < end; ++i) {
    pass.rows[i] = 0;
    if (pass.masses[i] == 0) continue;
    const double* kernel = pass.kernel + i * pass.stride;
    Lane sum0 = hn::Zero(d), sum1 = sum0, sum2 = sum0, sum3 = sum0;
    std::size_t k = 0;
    for (; k + 4 * lanes <= stride; k += 4 * lanes) {
      sum0 = hn::MulAdd(hn::LoadU(d, kernel + k), hn::LoadU(d, pass.columns + k), sum0);
      sum1 = hn::MulAdd(hn::LoadU(d, kernel + k + lanes), hn::LoadU(d, pass.columns + k + lanes),
                        sum1);
      sum2 = hn::MulAdd(hn::LoadU(d, kernel + k + 2 * lanes),
                        hn::LoadU(d, pass.columns + k + 2 * lanes), sum2);
      sum3 = hn::MulAdd(hn::LoadU(d, kernel + k + 3 * lanes),
                        hn::LoadU(d, pass.columns + k + 3 * lanes), sum3);
    }
    for (; k < stride; k += lanes) {
      sum0 = hn::MulAdd(hn::LoadU(d, kernel + k), hn::LoadU(d, pass.columns + k), sum0);
    }
    const double sum =
        hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(sum0, sum1), hn::Add(sum2, sum3))));
    if (!(sum > 0)) {
      pass.rows[i] = std::numeric_limits<double>::infinity();
      continue;
    }
    pass.rows[i] = pass.masses[i] / sum;
    const Lane u = hn::Set(d, pass.rows[i]);
    for (k = 0; k < stride; k += lanes) {
      const Lane grown = hn::MulAdd(u, hn::LoadU(d, kernel + k), hn::LoadU(d, pass.sums + k));
      hn::StoreU(grown, d, pass.sums + k);
    }
  }
}

}  // namespace srgw::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace srgw::detail {

SRGW_DISPATCH_PASS(void, exponentiate_rows, KernelRows)
SRGW_DISPATCH_PASS(void, scale_rows, ScaleRows)

}  // namespace srgw::detail
#endif
