// SPDX-License-Identifier: MIT
#pragma once

#include "srgw/types.hpp"

namespace srgw::detail {

/// One step of mirror descent on rows of an n x m array, in the log domain. With g the gradient at
/// the plan T = h exp(l), rows
///
///     l_ik <- keep l_ik - step g_ik,      up to a constant in each row
///
/// keep = 1 is the KL-proximal scheme, keep = 1 - tau with step = tau / epsilon a damped step
/// towards the solution of the entropic problem. Rows are `stride` long, a multiple of
/// row_pass_lanes(); in the padding l is -infinity and column_cost +infinity. An infinite cost in M
/// forbids a pair, whose l has to be -infinity.
struct MirrorPass {
  Index stride = 0;
  const double* cross = nullptr;  ///< Y
  const double* column_cost = nullptr;
  double factor = 0;                  ///< g_ik = column_cost_k - factor s_i Y_ik + linear
  const double* row_scale = nullptr;  ///< s, or null for ones
  const double* linear = nullptr;     ///< M, or null
  Index linear_stride = 0;
  double linear_factor = 0;
  const double* weights = nullptr;  ///< h
  double keep = 1, step = 1;
  bool with_entropy = false;       ///< whether the sum of it is wanted, and l is log(T / h)
  const double* logits = nullptr;  ///< l
  double* next_logits = nullptr;   ///< may be l itself
  const double* plan = nullptr;    ///< T
  double* next_plan = nullptr;
};

/// Sums over the rows of a pass, at the plan T that it leaves.
struct MirrorSums {
  double cross = 0;    ///< <T, s Y>
  double linear = 0;   ///< linear_factor <M, T>
  double gap = 0;      ///< sum_i h_i (<g_i, T_i>/h_i - min_k g_ik)
  double entropy = 0;  ///< sum_ik T_ik (log T_ik - 1)
  double change = 0;   ///< |T' - T|^2
  double range = 0;    ///< largest distance in a row of g from its least column
};

[[nodiscard]] MirrorSums mirror_pass(const MirrorPass& pass, Index begin, Index end);

}  // namespace srgw::detail
