// SPDX-License-Identifier: MIT
#pragma once

#include "srgw/plan.hpp"
#include "srgw/structure.hpp"

namespace srgw::detail {

/// The target that is best for a plan with the square loss: B = T'C T / (q q'). Places of clusters
/// without mass are 0.
[[nodiscard]] Matrix best_target(const Structure& source, const Plan& plan, int threads);

/// The target features that are best for a plan: F = T'X / q; rows of clusters without mass are
/// those of `former`.
[[nodiscard]] Matrix best_features(const Matrix& rows, const Plan& plan, const Matrix& former);

/// M_ik = |x_i - f_k|^2.
[[nodiscard]] Matrix squared_distances(MatrixView rows, MatrixView centres);

}  // namespace srgw::detail
