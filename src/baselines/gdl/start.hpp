// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "srgw/baselines.hpp"

namespace srgw::detail {

/// Atoms to start from. Without a graph of that size, `graphs` is `noise`.
[[nodiscard]] std::vector<Atom> starting_atoms(std::span<const Sample> samples, Index atoms,
                                               Index size, LinearStart start, std::uint64_t seed);

/// Keeps the promises of the scheme: symmetric, no entries below 0.
void project(const LinearScheme& scheme, Atom& atom);

}  // namespace srgw::detail
