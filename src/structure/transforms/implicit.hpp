// SPDX-License-Identifier: MIT
#pragma once

#include "srgw/graph.hpp"
#include "structure/storage.hpp"

namespace srgw::detail {

/// exp(-tL) of a graph as a series; t and tolerance have been checked.
[[nodiscard]] ImplicitKernelStorage heat_kernel_series(const Graph& graph, double t,
                                                       double tolerance, int threads);
/// The series with the factors that make it the stability structure.
[[nodiscard]] ImplicitKernelStorage stability_series(const Graph& graph, double t,
                                                     double tolerance);

/// Whether the kernel at one time is formed faster by the products of its series, degree * nnz * n,
/// than by an eigendecomposition.
[[nodiscard]] bool series_is_cheaper(const Graph& graph, double t);

}  // namespace srgw::detail
