// SPDX-License-Identifier: MIT
#pragma once

#include "srgw/types.hpp"

namespace srgw::detail {

struct EigenPairs {
  Vector values;            // in rising order
  Eigen::MatrixXd vectors;  // orthonormal columns
  bool converged = true;    // false where entries are not finite
};

/// Eigenvalues and eigenvectors of a symmetric matrix, whose lower triangle is read. Polls the
/// StopScope, so that Stopped comes through after some milliseconds. The same numbers on any
/// number of threads.
[[nodiscard]] EigenPairs eigen_pairs(Eigen::MatrixXd matrix, int threads = 1);
/// The eigenvalues alone.
[[nodiscard]] Vector eigenvalues(Eigen::MatrixXd matrix);

}  // namespace srgw::detail
