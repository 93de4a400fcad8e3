// SPDX-License-Identifier: MIT
#include "kernels/mirror_pass.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/mirror_pass.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace srgw::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::ScalableTag<double>;
using Lane = hn::Vec<Tag>;

constexpr double infinity = std::numeric_limits<double>::infinity();

// The row of one node; its new logits serve as scratch for the gradient.
class Row {
 public:
  HWY_INLINE Row(const MirrorPass& pass, Index row)
      : pass_(pass),
        cross_(pass.cross + row * pass.stride),
        linear_(pass.linear != nullptr ? pass.linear + row * pass.linear_stride : nullptr),
        logits_(pass.logits + row * pass.stride),
        plan_(pass.plan + row * pass.stride),
        next_logits_(pass.next_logits + row * pass.stride),
        next_plan_(pass.next_plan + row * pass.stride),
        h_(pass.weights[row]),
        scale_(pass.row_scale != nullptr ? pass.row_scale[row] : 1.0) {}

  HWY_INLINE void step(MirrorSums& sums) {
    if (h_ == 0) {
      std::fill_n(next_plan_, pass_.stride, 0.0);
      if (next_logits_ != logits_) std::copy_n(logits_, pass_.stride, next_logits_);
      return;
    }
    add_sums(sums);
    if (pass_.with_entropy) sums.entropy += entropy();
    const double largest = descend();
    const double sum = exponentiate(largest);
    normalise(sum, largest, sums);
  }

 private:
  HWY_INLINE Lane gradient(std::size_t k) const {
    const Tag d;
    Lane g = hn::MulAdd(hn::Set(d, -pass_.factor * scale_), hn::LoadU(d, cross_ + k),
                        hn::LoadU(d, pass_.column_cost + k));
    if (linear_ != nullptr) {
      g = hn::MulAdd(hn::Set(d, pass_.linear_factor), hn::LoadU(d, linear_ + k), g);
    }
    return g;
  }
  [[nodiscard]] HWY_INLINE std::size_t stride() const {
    return static_cast<std::size_t>(pass_.stride);
  }

  HWY_INLINE void add_sums(MirrorSums& sums) {
    const Tag d;
    Lane cross = hn::Zero(d), linear = hn::Zero(d), cost = hn::Zero(d);
    Lane smallest = hn::Set(d, infinity), in_support = hn::Set(d, infinity);
    Lane largest = hn::Set(d, -infinity);
    for (std::size_t k = 0; k < stride(); k += hn::Lanes(d)) {
      const Lane t = hn::LoadU(d, plan_ + k);
      const Lane g = gradient(k);
      const auto real = hn::Lt(g, hn::Set(d, infinity));  // not padding
      cross = hn::MulAdd(t, hn::LoadU(d, cross_ + k), cross);
      if (linear_ != nullptr) linear = hn::MulAdd(t, hn::LoadU(d, linear_ + k), linear);
      cost = hn::MulAdd(t, hn::IfThenElseZero(real, g), cost);
      smallest = hn::Min(smallest, g);
      largest = hn::Max(largest, hn::IfThenElse(real, g, hn::Set(d, -infinity)));
      // Columns that hold nothing and can get nothing must not set the level of the step.
      const auto open = hn::Gt(hn::LoadU(d, logits_ + k), hn::Set(d, -infinity));
      in_support = hn::Min(in_support, hn::IfThenElse(open, g, hn::Set(d, infinity)));
    }
    smallest_ = hn::GetLane(hn::MinOfLanes(d, smallest));
    level_ = pass_.keep > 0 ? hn::GetLane(hn::MinOfLanes(d, in_support)) : smallest_;
    sums.cross += scale_ * hn::GetLane(hn::SumOfLanes(d, cross));
    sums.linear += pass_.linear_factor * hn::GetLane(hn::SumOfLanes(d, linear));
    sums.gap += std::max(0.0, hn::GetLane(hn::SumOfLanes(d, cost)) - h_ * smallest_);
    sums.range = std::max(sums.range, hn::GetLane(hn::MaxOfLanes(d, largest)) - smallest_);
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
  HWY_INLINE double descend() {
    const Tag d;
    const Lane keep = hn::Set(d, pass_.keep), step = hn::Set(d, pass_.step);
    const Lane level = hn::Set(d, level_), most = hn::Set(d, -infinity);
    Lane largest = most;
    for (std::size_t k = 0; k < stride(); k += hn::Lanes(d)) {
      const Lane fall = hn::Mul(step, hn::Sub(gradient(k), level));
      Lane l = hn::Neg(fall);
      if (pass_.keep > 0) {
        const Lane former = hn::LoadU(d, logits_ + k);
        l = hn::IfThenElse(hn::Eq(former, most), most, hn::MulSub(keep, former, fall));
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
      // Exp is made for finite numbers; below this all is 0.
      const Lane x = hn::Max(hn::Sub(hn::LoadU(d, next_logits_ + k), shift), hn::Set(d, -800.0));
      const Lane e = hn::IfThenElseZero(hn::Gt(x, hn::Set(d, -745.0)), hn::Exp(d, x));
      hn::StoreU(e, d, next_plan_ + k);
      sum = hn::Add(sum, e);
    }
    return hn::GetLane(hn::SumOfLanes(d, sum));
  }

  HWY_INLINE void normalise(double sum, double largest, MirrorSums& sums) {
    const Tag d;
    const double log_sum = largest + std::log(sum);
    const Lane shift = hn::Set(d, log_sum);
    const Lane scale = hn::Set(d, h_ / sum);
    Lane change = hn::Zero(d);
    for (std::size_t k = 0; k < stride(); k += hn::Lanes(d)) {
      const Lane t = hn::Mul(scale, hn::LoadU(d, next_plan_ + k));
      const Lane moved = hn::Sub(t, hn::LoadU(d, plan_ + k));
      change = hn::MulAdd(moved, moved, change);
      hn::StoreU(t, d, next_plan_ + k);
      hn::StoreU(hn::Sub(hn::LoadU(d, next_logits_ + k), shift), d, next_logits_ + k);
    }
    sums.change += hn::GetLane(hn::SumOfLanes(d, change));
  }

  const MirrorPass& pass_;
  const double* cross_;
  const double* linear_;
  const double* logits_;
  const double* plan_;
  double* next_logits_;
  double* next_plan_;
  double h_, scale_;
  double smallest_ = 0;  // min_k g_k
  double level_ = 0;     // the same over columns that the step can reach
};

MirrorSums mirror_pass(const MirrorPass& pass, Index begin, Index end) {
  MirrorSums sums;
  for (Index i = begin; i < end; ++i) Row(pass, i).step(sums);
  return sums;
}

}  // namespace srgw::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace srgw::detail {

HWY_EXPORT(mirror_pass);

MirrorSums mirror_pass(const MirrorPass& pass, Index begin, Index end) {
  return HWY_DYNAMIC_DISPATCH(mirror_pass)(pass, begin, end);
}

}  // namespace srgw::detail
#endif
