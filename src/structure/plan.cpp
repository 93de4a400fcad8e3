// SPDX-License-Identifier: MIT
#include "srgw/plan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/message.hpp"
#include "base/zeros.hpp"
#include "structure/plan_rows.hpp"

namespace srgw {

namespace {

using detail::fail_argument;
using detail::fail_resource;

constexpr double tolerance = 1e-8;  // of the sum of shares

std::vector<double> copy_weights(const Vector& weights) {
  if (weights.size() == 0) fail_argument("a plan of 0 rows, expected at least 1");
  for (Index i = 0; i < weights.size(); ++i) {
    if (!(std::isfinite(weights[i]) && weights[i] >= 0)) {
      fail_argument("weight {} is {}, expected a finite number that is not negative", i,
                    weights[i]);
    }
  }
  return {weights.begin(), weights.end()};
}

void check_columns(Index columns) {
  if (columns < 1) fail_argument("a plan of {} columns, expected at least 1", columns);
  constexpr Index most = std::numeric_limits<NodeId>::max();
  if (columns > most) fail_resource("a plan of {} columns, expected at most {}", columns, most);
}

void check_row_count(Index found, Index expected) {
  if (found != expected) {
    fail_argument("the plan has {} rows, expected one for each of {} weights", found, expected);
  }
}

void check_offsets(const ShortRows& rows, Index weights) {
  check_row_count(std::ssize(rows.offsets) - 1, weights);
  const std::size_t entries = rows.columns.size();
  if (rows.masses.size() != entries) {
    fail_argument("the plan has {} masses for {} columns, expected as many", rows.masses.size(),
                  entries);
  }
  if (rows.offsets.front() != 0 || rows.offsets.back() != entries) {
    fail_argument("the offsets of the plan go from {} to {}, expected 0 to {}",
                  rows.offsets.front(), rows.offsets.back(), entries);
  }
  if (!std::is_sorted(rows.offsets.begin(), rows.offsets.end())) {
    fail_argument("the offsets of the plan fall somewhere, expected them to rise");
  }
}

void check_short_rows(const ShortRows& rows, Index weights, Index columns) {
  check_offsets(rows, weights);
  for (std::size_t row = 0; row + 1 < rows.offsets.size(); ++row) {
    for (std::uint64_t entry = rows.offsets[row]; entry < rows.offsets[row + 1]; ++entry) {
      const NodeId column = rows.columns[entry];
      if (column >= columns) {
        fail_argument("row {} of the plan names column {}, expected columns below {}", row, column,
                      columns);
      }
      if (entry > rows.offsets[row] && rows.columns[entry - 1] >= column) {
        fail_argument("row {} of the plan names column {} after column {}, expected rising columns",
                      row, column, rows.columns[entry - 1]);
      }
    }
  }
}

/// Masses are not negative and each row sums to its weight.
void check_masses(const Plan& plan) {
  const double mean = plan.weights().mean();
  detail::with_masses(plan, [&](const auto& masses) {
    for (Index row = 0; row < plan.rows(); ++row) {
      double sum = 0;
      masses(row, [&](Index column, double mass) {
        if (!(std::isfinite(mass) && mass >= 0)) {
          fail_argument(
              "entry ({}, {}) of the plan is {}, expected a finite number that is not negative",
              row, column, mass);
        }
        sum += mass;
      });
      const double weight = plan.weights()[row];
      if (!(std::abs(sum - weight) <= detail::row_sum_tolerance(weight, mean))) {
        fail_argument("row {} of the plan sums to {}, expected its weight {}", row, sum, weight);
      }
    }
  });
}

Vector normalize_shares(Vector shares) {
  for (Index k = 0; k < shares.size(); ++k) {
    if (!(std::isfinite(shares[k]) && shares[k] >= 0)) {
      fail_argument("share {} is {}, expected a finite number that is not negative", k, shares[k]);
    }
  }
  const double sum = shares.sum();
  if (!(std::abs(sum - 1) <= tolerance)) fail_argument("the shares sum to {}, expected 1", sum);
  return shares / sum;
}

void check_labels(std::span<const NodeId> labels, Index weights, Index columns) {
  check_row_count(std::ssize(labels), weights);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] >= columns) {
      fail_argument("label {} is {}, expected a column below {}", i, labels[i], columns);
    }
  }
}

Assignment widen(const Labels& labels) {
  return std::visit([](const auto& narrow) { return Assignment(narrow.begin(), narrow.end()); },
                    labels);
}

/// The column with the most mass; column 0 in a row without mass.
template <class Masses>
NodeId heaviest_column(const Masses& masses, Index row) {
  Index heaviest = 0;
  double most = 0;
  masses(row, [&](Index column, double mass) {
    if (mass > most) {
      most = mass;
      heaviest = column;
    }
  });
  return static_cast<NodeId>(heaviest);
}

}  // namespace

void detail::narrow_labels(std::span<const NodeId> labels, Index columns, Labels& result) {
  with_label_width(columns, [&]<class Label>() {
    auto* narrow = std::get_if<std::vector<Label>>(&result);
    if (narrow == nullptr) narrow = &result.emplace<std::vector<Label>>();
    narrow->resize(labels.size());
    std::ranges::transform(labels, narrow->begin(),
                           [](NodeId label) { return static_cast<Label>(label); });
  });
}

Labels detail::narrow_labels(std::span<const NodeId> labels, Index columns) {
  Labels result;
  narrow_labels(labels, columns, result);
  return result;
}

Plan Plan::from_labels(const Vector& weights, std::span<const NodeId> labels, Index columns) {
  std::vector<double> h = copy_weights(weights);
  check_columns(columns);
  check_labels(labels, weights.size(), columns);
  return Plan(Trusted{std::move(h), columns, detail::narrow_labels(labels, columns)});
}

Plan Plan::from_product(const Vector& weights, Vector shares) {
  std::vector<double> h = copy_weights(weights);
  const Index columns = shares.size();
  check_columns(columns);
  ProductRows product{normalize_shares(std::move(shares))};
  return Plan(Trusted{std::move(h), columns, std::move(product)});
}

Plan Plan::from_rows(const Vector& weights, ShortRows rows, Index columns) {
  std::vector<double> h = copy_weights(weights);
  check_columns(columns);
  check_short_rows(rows, weights.size(), columns);
  Plan plan(Trusted{std::move(h), columns, std::move(rows)});
  check_masses(plan);
  return plan;
}

Plan Plan::from_dense(const Vector& weights, Matrix plan) {
  std::vector<double> h = copy_weights(weights);
  const Index columns = plan.cols();
  check_columns(columns);
  check_row_count(plan.rows(), weights.size());
  Plan result(Trusted{std::move(h), columns, std::move(plan)});
  check_masses(result);
  return result;
}

Assignment Plan::labels() const {
  if (const auto* labels = std::get_if<Labels>(&storage_)) return widen(*labels);
  const std::size_t n = rows();
  if (const auto* product = std::get_if<ProductRows>(&storage_)) {
    Index heaviest = 0;
    product->shares.maxCoeff(&heaviest);
    return Assignment(n, static_cast<NodeId>(heaviest));
  }
  Assignment result(n);
  detail::with_masses(*this, [&](const auto& masses) {
    for (Index row = 0; row < rows(); ++row) {
      result[row] = heaviest_column(masses, row);
    }
  });
  return result;
}

Vector Plan::target_weights() const {
  // (h r')' 1 = r (1'h)
  if (const auto* product = std::get_if<ProductRows>(&storage_)) {
    return product->shares * weights().sum();
  }
  Vector q = Vector::Zero(columns_);
  detail::for_each_mass(*this, [&](Index, Index column, double mass) { q[column] += mass; });
  return q;
}

Matrix Plan::dense() const {
  Matrix T = detail::zeros(rows(), columns_);
  detail::for_each_mass(*this,
                        [&](Index row, Index column, double mass) { T(row, column) = mass; });
  return T;
}

ShortRows Plan::short_rows() const {
  ShortRows result;
  result.offsets.reserve(rows() + 1);
  result.offsets.push_back(0);
  detail::with_masses(*this, [&](const auto& masses) {
    for (Index row = 0; row < rows(); ++row) {
      masses(row, [&](Index column, double mass) {
        if (mass == 0) return;
        result.columns.push_back(static_cast<NodeId>(column));
        result.masses.push_back(mass);
      });
      result.offsets.push_back(result.columns.size());
    }
  });
  return result;
}

}  // namespace srgw
