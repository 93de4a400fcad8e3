// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "srgw/plan.hpp"
#include "srgw/problem.hpp"

namespace srgw {

/// Where a solver may start. A plan or labels of one's own are given as a Plan instead. With target
/// weights given, product is h hbar', random_labels a random vertex of the plans, random its
/// average with the product, and partitions are always aligned.
enum class Start {
  product,          ///< h 1'/m; when that is a fixed point only by symmetry, it is left (see solve)
  product_literal,  ///< h 1'/m and nothing else
  random,           ///< uniform entries, rows scaled to h
  random_product,   ///< h r' with a random r
  random_labels,    ///< each node on one random target node
  kmeans,           ///< k-means on the rows of C
  spectral,         ///< k-means on leading eigenvectors of the scaled C, found by a filtered block
  fluid,            ///< fluid communities on the graph of C
  // The same with parts sent to target nodes by a transport between rows of the averaged C and of
  // Cbar (POT's alignment); with more target nodes the target is partitioned instead.
  kmeans_aligned,
  spectral_aligned,
  fluid_aligned,
  split_merge,  ///< clusters split by the walk and merged again; (scaled) identity targets only
  multilevel,   ///< local moves on contracted graphs; (scaled) identity targets only
};

struct StartName {
  Start start;
  std::string_view name;
  std::string_view doc;
};
/// The one list of names; the fronts and the error messages read it.
[[nodiscard]] std::span<const StartName> start_names();
[[nodiscard]] std::string_view name(Start start);
/// Throws an argument error that lists the names.
[[nodiscard]] Start start_from_name(std::string_view name);

/// Rows are alike on every thread count; equal (start, seed) give equal plans.
[[nodiscard]] Plan initial_plan(const Problem& problem, Start start, std::uint64_t seed = 0,
                                int threads = 0);

}  // namespace srgw
