// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <variant>

#include "base/overloaded.hpp"
#include "srgw/plan.hpp"

namespace srgw::detail {

/// How far a row's sum may be from its weight: 1e-8, and at a million rows, where that is a per
/// cent of a weight, a millionth of the mean one.
[[nodiscard]] inline double row_sum_tolerance(double weight, double mean) {
  return std::min(1e-8, 1e-6 * std::max(weight, mean));
}

/// The narrowest labels that also leave the largest number free, which the kernels use as "none".
[[nodiscard]] Labels narrow_labels(std::span<const NodeId> labels, Index columns);

/// Calls `work(masses)` with the rows of a plan: masses(row, visit) calls visit(column, mass) for
/// what the row stores, in the order of columns. The storage is looked up here, once.
template <class Work>
decltype(auto) with_masses(const Plan& plan, Work&& work) {
  const VectorSpan h = plan.weights();
  return std::visit(
      Overloaded{
          [&](const Labels& labels) -> decltype(auto) {
            return std::visit(
                [&](const auto& narrow) -> decltype(auto) {
                  return work([&](Index row, auto&& visit) { visit(Index{narrow[row]}, h[row]); });
                },
                labels);
          },
          [&](const ShortRows& rows) -> decltype(auto) {
            return work([&](Index row, auto&& visit) {
              const std::size_t i = row;
              for (std::uint64_t entry = rows.offsets[i]; entry < rows.offsets[i + 1]; ++entry) {
                visit(Index{rows.columns[entry]}, rows.masses[entry]);
              }
            });
          },
          [&](const ProductRows& product) -> decltype(auto) {
            return work([&](Index row, auto&& visit) {
              for (Index k = 0; k < plan.columns(); ++k) visit(k, h[row] * product.shares[k]);
            });
          },
          [&](const Matrix& matrix) -> decltype(auto) {
            return work([&](Index row, auto&& visit) {
              for (Index k = 0; k < plan.columns(); ++k) visit(k, matrix(row, k));
            });
          },
      },
      plan.storage());
}

/// Calls `visit(row, column, mass)` for all that a plan stores, row by row.
template <class Visit>
void for_each_mass(const Plan& plan, const Visit& visit) {
  with_masses(plan, [&](const auto& masses) {
    for (Index row = 0; row < plan.rows(); ++row) {
      masses(row, [&](Index column, double mass) { visit(row, column, mass); });
    }
  });
}

/// Calls `work<Label>()` with the narrowest labels that also leave their largest number free, which
/// the kernels use as "none".
template <class Work>
decltype(auto) with_label_width(Index columns, const Work& work) {
  if (columns <= std::numeric_limits<std::uint8_t>::max()) {
    return work.template operator()<std::uint8_t>();
  }
  if (columns <= std::numeric_limits<std::uint16_t>::max()) {
    return work.template operator()<std::uint16_t>();
  }
  return work.template operator()<std::uint32_t>();
}

/// Writes labels in that width, into the memory of `result` where it has the width already.
void narrow_labels(std::span<const NodeId> labels, Index columns, Labels& result);

}  // namespace srgw::detail
