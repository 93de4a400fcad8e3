// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

#include "srgw/types.hpp"

namespace srgw {

/// What is done to the columns of rows before distances between them are taken.
enum class RowScaling {
  none,
  blocks,  ///< each block of columns to mean 0 and variance 1 in all, so that all of them count
  ranks,   ///< each column to the share of rows that are below, then blocks: outliers do not count
};
struct RowScalingName {
  RowScaling scaling;
  std::string_view name;
};
/// The one list of names; the fronts and the error messages read it.
[[nodiscard]] std::span<const RowScalingName> row_scaling_names();
/// Throws an argument error that lists the names.
[[nodiscard]] RowScaling row_scaling_from_name(std::string_view name);
[[nodiscard]] std::string_view name(RowScaling scaling);

/// Fitted on some rows, used for any.
struct RowScale {
  Matrix sorted;          ///< of each column, as a row: what ranks are taken in; empty: none are
  Vector means, factors;  ///< then column c becomes (c - mean) * factor; empty: it stays

  [[nodiscard]] Matrix apply(MatrixView rows) const;
};
/// Blocks are numbers of columns, one behind the other; a single one keeps its variance, one that
/// does not vary becomes 0. Throws unless they add up to the columns and there are rows.
[[nodiscard]] RowScale row_scale(MatrixView rows, std::span<const Index> blocks,
                                 RowScaling scaling);

}  // namespace srgw
