// SPDX-License-Identifier: MIT
#pragma once

#include "srgw/completion.hpp"

namespace srgw::detail {

/// Whether the known entries of C and the mask are symmetric, so that what is filled in is too.
[[nodiscard]] bool is_symmetric(const PartialGraph& graph);

/// The graph with numbers at its free entries.
struct FilledGraph {
  Matrix structure, features;
};
[[nodiscard]] FilledGraph filled_start(const PartialGraph& graph, CompletionStart start,
                                       std::uint64_t seed);

}  // namespace srgw::detail
