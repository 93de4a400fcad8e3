// SPDX-License-Identifier: MIT
#pragma once

#include "srgw/problem.hpp"

namespace srgw::detail {

/// Every loss here falls apart, so that the structure term is
///
///     E(T) = h'f(C)h + q'S q - 2 <T, C T R'>,      q = T'1
///
/// with       square loss (a - b)^2:             f(a) = a^2,           S = Cbar o Cbar,  R = Cbar
///            KL loss a log(a/b) - a + b:        f(a) = a log a - a,   S = Cbar,         R =
///            log(Cbar)/2.

/// Inside logarithms, so that zeros count as very small numbers.
inline constexpr double kl_guard = 1e-18;

/// h'f(C)h; an estimate with its error for a large implicit kernel
[[nodiscard]] SquareForm source_constant(Loss loss, const Structure& C, VectorView h,
                                         int threads = 1);
/// f(C)h + f(C)'h
[[nodiscard]] Vector source_constant_gradient(Loss loss, const Structure& C, VectorView h);
/// q'S q
[[nodiscard]] double target_form(Loss loss, const Structure& Cbar, VectorView q);
/// S q + S'q
[[nodiscard]] Vector target_form_gradient(Loss loss, const Structure& Cbar, VectorView q);
/// R
[[nodiscard]] Structure cross_target(Loss loss, const Structure& Cbar);

/// The derivative of the penalty at target weights q: sparsity / (2 sqrt(q_k + guard)).
[[nodiscard]] Vector penalty_gradient(double sparsity, VectorView q);
/// sparsity * sum_k sqrt(q_k + guard)
[[nodiscard]] double penalty(double sparsity, VectorView q);

}  // namespace srgw::detail
