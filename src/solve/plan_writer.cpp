// SPDX-License-Identifier: MIT
#include "solve/plan_writer.hpp"

#include <algorithm>
#include <utility>

#include "structure/plan_rows.hpp"

namespace srgw::detail {

namespace {

// Dust that rounding leaves behind, relative to the row's weight.
constexpr double negligible = 1e-15;

// Rows with the dust swept into the heaviest column, so that they still sum to their weight.
void write_short_rows(std::span<const double> weights, std::span<const double> rows, Index columns,
                      ShortRows& result) {
  result.offsets.assign(1, 0);
  result.columns.clear();
  result.masses.clear();
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const auto row = rows.subspan(i * static_cast<std::size_t>(columns), columns);
    const std::size_t begin = result.masses.size();
    double dust = 0;
    for (std::size_t k = 0; k < row.size(); ++k) {
      if (row[k] > negligible * weights[i]) {
        result.columns.push_back(static_cast<NodeId>(k));
        result.masses.push_back(row[k]);
      } else {
        dust += row[k];
      }
    }
    if (result.masses.size() > begin) {
      *std::max_element(result.masses.begin() + static_cast<std::ptrdiff_t>(begin),
                        result.masses.end()) += dust;
    }
    result.offsets.push_back(result.columns.size());
  }
}

bool one_column_each(const ShortRows& rows) {
  for (std::size_t i = 0; i + 1 < rows.offsets.size(); ++i) {
    if (rows.offsets[i + 1] - rows.offsets[i] > 1) return false;
  }
  return true;
}

}  // namespace

// The parts of the plan, with the buffers of its storage put aside for use.
Plan::Trusted PlanWriter::take(std::span<const double> weights, Index columns, Plan& plan) {
  Plan::Trusted parts = plan.release();
  if (auto* used = std::get_if<Labels>(&parts.storage)) labels_ = std::move(*used);
  if (auto* used = std::get_if<ShortRows>(&parts.storage)) short_rows_ = std::move(*used);
  if (auto* used = std::get_if<Matrix>(&parts.storage)) dense_ = std::move(*used);
  parts.weights.assign(weights.begin(), weights.end());
  parts.columns = columns;
  return parts;
}

void PlanWriter::finish(Plan::Trusted parts, std::span<const NodeId> labels, Plan& plan) {
  narrow_labels(labels, parts.columns, labels_);
  parts.storage = std::move(labels_);
  plan = Plan(std::move(parts));
}

void PlanWriter::write(std::span<const double> weights, std::span<const NodeId> labels,
                       Index columns, Plan& plan) {
  finish(take(weights, columns, plan), labels, plan);
}

void PlanWriter::write_soft(std::span<const double> weights, std::span<const double> rows,
                            Index row_stride, Index columns, Plan& plan) {
  const auto n = static_cast<Index>(weights.size());
  const Eigen::Map<const Matrix, 0, Eigen::OuterStride<>> T(rows.data(), n, columns,
                                                            Eigen::OuterStride<>(row_stride));
  Index used = 0;
  for (Index i = 0; i < n; ++i) {
    used += (T.row(i).array() > negligible * weights[i]).count();
  }
  if (2 * used > n * columns) {
    Plan::Trusted parts = take(weights, columns, plan);
    dense_ = T;
    parts.storage = std::move(dense_);
    plan = Plan(std::move(parts));
    return;
  }
  unpadded_.resize(n * columns);
  Eigen::Map<Matrix>(unpadded_.data(), n, columns) = T;
  write(weights, unpadded_, columns, plan);
}

void PlanWriter::write(std::span<const double> weights, std::span<const double> rows, Index columns,
                       Plan& plan) {
  Plan::Trusted parts = take(weights, columns, plan);
  write_short_rows(weights, rows, columns, short_rows_);
  if (!one_column_each(short_rows_)) {
    parts.storage = std::move(short_rows_);
    plan = Plan(std::move(parts));
    return;
  }
  labels_of_rows_.resize(weights.size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const bool empty = short_rows_.offsets[i] == short_rows_.offsets[i + 1];
    labels_of_rows_[i] = empty ? 0 : short_rows_.columns[short_rows_.offsets[i]];
  }
  finish(std::move(parts), labels_of_rows_, plan);
}

}  // namespace srgw::detail
