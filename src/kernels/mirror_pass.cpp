// SPDX-License-Identifier: MIT
#include "kernels/mirror_pass.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/dispatch.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/mirror_pass.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include "kernels/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace srgw::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr double infinity = std::numeric_limits<double>::infinity();

// Sums of a block, lane by lane: reduced once at its end, not for each row.
struct LaneSums {
  HWY_INLINE LaneSums()
      : cross(hn::Zero(Tag())),
        linear(hn::Zero(Tag())),
        cost(hn::Zero(Tag())),
        change(hn::Zero(Tag())),
        range(hn::Zero(Tag())) {}

  Lane cross, linear, cost, change, range;
  double least_cost = 0;  // sum_i h_i min_k g_ik
  double entropy = 0;
};

// The row of one node; its new plan serves as scratch for the gradient.
class Row {
 public:
  HWY_INLINE Row(const MirrorPass& pass, Index row)
      : pass_(pass),
        gradient_(pass, row),
        cross_(pass.cross + row * pass.stride),
        linear_(pass.linear != nullptr ? pass.linear + row * pass.linear_stride : nullptr),
        logits_(pass.logits + row * pass.stride),
        plan_(pass.plan + row * pass.stride),
        next_logits_(pass.next_logits + row * pass.stride),
        next_plan_(pass.next_plan + row * pass.stride),
        h_(pass.weights[row]),
        scale_(pass.row_scale != nullptr ? pass.row_scale[row] : 1.0) {}

  HWY_INLINE void step(LaneSums& sums) {
    if (h_ == 0) {
      std::fill_n(next_plan_, pass_.stride, 0.0);
      if (next_logits_ != logits_) std::copy_n(logits_, pass_.stride, next_logits_);
      return;
    }
    add_sums(sums);
    if (pass_.with_entropy) sums.entropy += entropy();
    const double largest = descend(sums);
    normalise(exponentiate(largest), largest, sums);
  }

 private:
  [[nodiscard]] HWY_INLINE std::size_t stride() const { return pass_.stride; }

  HWY_INLINE void add_sums(LaneSums& sums) {
    const Tag d;
    const Lane infinite = hn::Set(d, infinity);
    const Lane scale = hn::Set(d, scale_);
    Lane smallest = infinite, in_support = infinite;
    for (std::size_t k = 0; k < stride(); k += hn::Lanes(d)) {
      const Lane t = hn::LoadU(d, plan_ + k);
      const Lane y = hn::LoadU(d, cross_ + k);
      const Lane g = gradient_.at(k, y);
      hn::StoreU(g, d, next_plan_ + k);
      sums.cross = hn::MulAdd(hn::Mul(scale, t), y, sums.cross);
      const auto real = hn::Lt(g, infinite);  // neither padding nor forbidden
      if (linear_ != nullptr) {
        const Lane cost = hn::IfThenElseZero(real, hn::LoadU(d, linear_ + k));
        sums.linear = hn::MulAdd(t, cost, sums.linear);
      }
      sums.cost = hn::MulAdd(t, hn::IfThenElseZero(real, g), sums.cost);
      smallest = hn::Min(smallest, g);
      // Columns that hold nothing and can get nothing must not set the level of the step.
      const auto open = hn::Gt(hn::LoadU(d, logits_ + k), hn::Neg(infinite));
      in_support = hn::Min(in_support, hn::IfThenElse(open, g, infinite));
    }
    const double least = hn::GetLane(hn::MinOfLanes(d, smallest));
    level_ = pass_.keep > 0 ? hn::GetLane(hn::MinOfLanes(d, in_support)) : least;
    sums.least_cost += h_ * least;
  }

  // sum_k T_k (log T_k - 1), with log T_k = log h + l_k
  [[nodiscard]] HWY_INLINE double entropy() const {
    const Tag d;
    Lane sum = hn::Zero(d);
    for (std::size_t k = 0; k < stride(); k += hn::Lanes(d)) {
      const Lane t = hn::LoadU(d, plan_ + k);
      const Lane term = hn::Mul(t, hn::LoadU(d, logits_ + k));
      sum = hn::Add(sum, hn::IfThenElseZero(hn::Gt(t, hn::Zero(d)), term));
    }
    return hn::GetLane(hn::SumOfLanes(d, sum)) + h_ * (std::log(h_) - 1);
  }

  // Writes keep l - step (g - level) and returns the largest of them, which is finite: at the level
  // itself nothing is subtracted.
  HWY_INLINE double descend(LaneSums& sums) {
    const Tag d;
    const Lane keep = hn::Set(d, pass_.keep), step = hn::Set(d, pass_.step);
    const Lane level = hn::Set(d, level_), least = hn::Set(d, -infinity);
    Lane largest = least;
    for (std::size_t k = 0; k < stride(); k += hn::Lanes(d)) {
      const Lane above = hn::Sub(hn::LoadU(d, next_plan_ + k), level);
      const auto real = hn::Lt(above, hn::Set(d, infinity));
      sums.range = hn::Max(sums.range, hn::IfThenElseZero(real, hn::Abs(above)));
      const Lane fall = hn::Mul(step, above);
      Lane l = hn::Neg(fall);
      if (pass_.keep > 0) {
        const Lane former = hn::LoadU(d, logits_ + k);
        l = hn::IfThenElse(hn::Eq(former, least), least, hn::MulSub(keep, former, fall));
      }
      hn::StoreU(l, d, next_logits_ + k);
      largest = hn::Max(largest, l);
    }
    return hn::GetLane(hn::MaxOfLanes(d, largest));
  }

  HWY_INLINE double exponentiate(double largest) {
    const Tag d;
    const Lane shift = hn::Set(d, largest);
    Lane sum = hn::Zero(d);
    for (std::size_t k = 0; k < stride(); k += hn::Lanes(d)) {
      // Exp is made for finite numbers. What is below e^-600 counts as 0: smaller numbers are slow,
      // and the logit remembers them.
      const Lane x = hn::Max(hn::Sub(hn::LoadU(d, next_logits_ + k), shift), hn::Set(d, -700.0));
      const Lane e = hn::IfThenElseZero(hn::Gt(x, hn::Set(d, -600.0)), hn::Exp(d, x));
      hn::StoreU(e, d, next_plan_ + k);
      sum = hn::Add(sum, e);
    }
    return hn::GetLane(hn::SumOfLanes(d, sum));
  }

  // The proximal step does not see a constant in the logits of a row, so there the largest is made
  // 0, without a logarithm; entropy and damped steps need l = log(T / h).
  HWY_INLINE void normalise(double sum, double largest, LaneSums& sums) {
    const Tag d;
    const Lane shift = hn::Set(d, pass_.with_entropy ? largest + std::log(sum) : largest);
    const Lane scale = hn::Set(d, h_ / sum);
    for (std::size_t k = 0; k < stride(); k += hn::Lanes(d)) {
      const Lane t = hn::Mul(scale, hn::LoadU(d, next_plan_ + k));
      const Lane moved = hn::Sub(t, hn::LoadU(d, plan_ + k));
      sums.change = hn::MulAdd(moved, moved, sums.change);
      hn::StoreU(t, d, next_plan_ + k);
      hn::StoreU(hn::Sub(hn::LoadU(d, next_logits_ + k), shift), d, next_logits_ + k);
    }
  }

  const MirrorPass& pass_;
  RowGradient<MirrorPass> gradient_;
  const double* cross_;
  const double* linear_;
  const double* logits_;
  const double* plan_;
  double* next_logits_;
  double* next_plan_;
  double h_, scale_;
  double level_ = 0;  // min_k g_k over the columns that the step can reach
};

MirrorSums mirror_pass(const MirrorPass& pass, Index begin, Index end) {
  const Tag d;
  LaneSums sums;
  for (Index i = begin; i < end; ++i) Row(pass, i).step(sums);
  const auto total = [&](Lane lanes) { return hn::GetLane(hn::SumOfLanes(d, lanes)); };
  return {.cross = total(sums.cross),
          .linear = pass.linear_factor * total(sums.linear),
          .gap = std::max(0.0, total(sums.cost) - sums.least_cost),
          .entropy = sums.entropy,
          .change = total(sums.change),
          .range = hn::GetLane(hn::MaxOfLanes(d, sums.range))};
}

}  // namespace srgw::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace srgw::detail {

SRGW_DISPATCH_PASS(MirrorSums, mirror_pass, MirrorPass)

}  // namespace srgw::detail
#endif
