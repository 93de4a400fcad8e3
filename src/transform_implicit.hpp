// SPDX-License-Identifier: MIT
#pragma once

#include "srgw/graph.hpp"
#include "structure/storage.hpp"

namespace srgw::detail {

/// exp(-tL) of a graph as a series; t and tolerance have been checked.
[[nodiscard]] ImplicitKernelStorage heat_kernel_series(const Graph& graph, double t,
                                                       double tolerance, int threads);

}  // namespace srgw::detail
