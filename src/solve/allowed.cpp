// SPDX-License-Identifier: MIT
#include "srgw/problem.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/message.hpp"
#include "base/stop.hpp"
#include "structure/plan_rows.hpp"

namespace srgw {

namespace {

std::string name_of(const std::function<std::string(Index)>& naming, Index node) {
  return naming ? naming(node) : std::to_string(node);
}

void check_pairs(const char* what, std::span<const NodePair> pairs, Index rows, Index columns) {
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const auto [row, column] = pairs[p];
    if (row >= 0 && row < rows && column >= 0 && column < columns) continue;
    detail::fail_argument(
        "{} pair {} is ({}, {}), expected a row from 0 to {} and a column from 0 to {}", what, p,
        row, column, rows - 1, columns - 1);
  }
}

Plan project_labels(const AllowedPairs& allowed, const Plan& plan) {
  Assignment labels = plan.labels();
  for (std::size_t i = 0; i < labels.size(); ++i) {
    labels[i] = static_cast<NodeId>(allowed.next(static_cast<Index>(i), Index{labels[i]}));
  }
  return Plan::from_labels(plan.weights(), labels, plan.columns());
}

/// One row of columns and masses, with sum h.
void project_row(const AllowedPairs& allowed, Index row, double h, std::vector<NodeId>& columns,
                 std::vector<double>& masses) {
  double sum = 0, forbidden = 0;
  std::size_t heaviest = 0;
  for (std::size_t e = 0; e < columns.size(); ++e) {
    if (masses[e] > masses[heaviest]) heaviest = e;
    (allowed.allows(row, columns[e]) ? sum : forbidden) += masses[e];
  }
  if (forbidden == 0) return;
  if (!(sum > 0)) {
    columns.assign(1, static_cast<NodeId>(allowed.next(row, Index{columns[heaviest]})));
    masses.assign(1, h);
    return;
  }
  std::size_t kept = 0;
  for (std::size_t e = 0; e < columns.size(); ++e) {
    if (!allowed.allows(row, columns[e])) continue;
    columns[kept] = columns[e];
    masses[kept++] = masses[e] / sum * h;
  }
  columns.resize(kept);
  masses.resize(kept);
}

}  // namespace

AllowedPairs::AllowedPairs(Index rows, Index columns, std::span<const NodePair> forbidden,
                           std::span<const NodePair> anchors, const PairNames& names) {
  check_pairs("forbidden", forbidden, rows, columns);
  check_pairs("anchored", anchors, rows, columns);
  if (forbidden.empty() && anchors.empty()) return;
  Data data{.rows = rows, .columns = columns, .offsets = {}, .forbidden = {}, .anchors = {}};
  read_forbidden(data, forbidden);
  read_anchors(data, anchors, names);
  data_ = std::make_shared<const Data>(std::move(data));
  check_rows(names);
}

void AllowedPairs::read_forbidden(Data& data, std::span<const NodePair> forbidden) {
  std::vector<std::uint64_t> begin(data.rows + 1, 0);
  for (const NodePair& pair : forbidden) ++begin[pair.row + 1];
  for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
  std::vector<NodeId> columns(forbidden.size());
  std::vector<std::uint64_t> next(begin.begin(), begin.end() - 1);
  for (const NodePair& pair : forbidden) {
    columns[next[pair.row]++] = static_cast<NodeId>(pair.column);
  }
  data.offsets.assign(1, 0);
  detail::StopCounter stop(4096);
  for (std::size_t i = 0; i + 1 < begin.size(); ++i) {
    stop.throw_if_stopped();
    const std::span row = std::span(columns).subspan(begin[i], begin[i + 1] - begin[i]);
    std::ranges::sort(row);
    data.forbidden.insert(data.forbidden.end(), row.begin(), std::unique(row.begin(), row.end()));
    data.offsets.push_back(data.forbidden.size());
  }
}

void AllowedPairs::read_anchors(Data& data, std::span<const NodePair> anchors,
                                const PairNames& names) {
  if (anchors.empty()) return;
  data.anchors.assign(data.rows, no_anchor);
  for (const NodePair& pair : anchors) {
    NodeId& anchor = data.anchors[pair.row];
    const auto column = static_cast<NodeId>(pair.column);
    if (anchor != no_anchor && anchor != column) {
      detail::fail_argument("row {} is anchored on columns {} and {}, expected one of them",
                            name_of(names.row, pair.row), name_of(names.column, Index{anchor}),
                            name_of(names.column, pair.column));
    }
    const std::span row =
        std::span(data.forbidden)
            .subspan(data.offsets[pair.row], data.offsets[pair.row + 1] - data.offsets[pair.row]);
    if (std::ranges::binary_search(row, column)) {
      detail::fail_argument(
          "row {} is anchored on column {}, which is forbidden for it; remove one of the two",
          name_of(names.row, pair.row), name_of(names.column, pair.column));
    }
    anchor = column;
  }
}

void AllowedPairs::check_rows(const PairNames& names) const {
  for (Index i = 0; i < data_->rows; ++i) {
    if (count(i) > 0) continue;
    detail::fail_argument("row {} has no column left: all {} are forbidden for it",
                          name_of(names.row, i), data_->columns);
  }
}

bool AllowedPairs::allows(Index row, Index column) const {
  if (everything()) return true;
  if (const Index anchor = anchor_of(row); anchor >= 0) return column == anchor;
  return !std::ranges::binary_search(forbidden_of(row), static_cast<NodeId>(column));
}

bool AllowedPairs::allows_all(Index row) const {
  return everything() || count(row) == data_->columns;
}

Index AllowedPairs::count(Index row) const {
  return anchor_of(row) >= 0 ? 1 : data_->columns - std::ssize(forbidden_of(row));
}

Index AllowedPairs::nth(Index row, Index place) const {
  if (const Index anchor = anchor_of(row); anchor >= 0) return anchor;
  Index column = place;
  for (const NodeId k : forbidden_of(row)) {
    if (Index{k} > column) break;
    ++column;
  }
  return column;
}

Index AllowedPairs::next(Index row, Index column) const {
  if (allows(row, column)) return column;
  if (const Index anchor = anchor_of(row); anchor >= 0) return anchor;
  // After it; then from the first.
  for (const Index begin : {column, Index{0}}) {
    Index found = begin;
    const std::span row_forbidden = forbidden_of(row);
    for (auto k = std::ranges::lower_bound(row_forbidden, static_cast<NodeId>(begin));
         k != row_forbidden.end() && Index{*k} == found; ++k) {
      ++found;
    }
    if (found < data_->columns) return found;
  }
  return column;  // not reached: each row has a column left
}

Plan AllowedPairs::project(const Plan& plan) const {
  if (everything()) return plan;
  if (plan.is_assignment()) return project_labels(*this, plan);
  ShortRows rows;
  rows.offsets.assign(1, 0);
  std::vector<NodeId> columns;
  std::vector<double> masses;
  detail::StopCounter stop(64);
  detail::with_masses(plan, [&](const auto& masses_of) {
    for (Index i = 0; i < plan.rows(); ++i) {
      stop.throw_if_stopped();
      columns.clear();
      masses.clear();
      masses_of(i, [&](Index k, double mass) {
        if (mass == 0) return;
        columns.push_back(static_cast<NodeId>(k));
        masses.push_back(mass);
      });
      project_row(*this, i, plan.weights()[i], columns, masses);
      rows.columns.insert(rows.columns.end(), columns.begin(), columns.end());
      rows.masses.insert(rows.masses.end(), masses.begin(), masses.end());
      rows.offsets.push_back(rows.columns.size());
    }
  });
  if (std::ranges::adjacent_find(rows.offsets, [](std::uint64_t a, std::uint64_t b) {
        return b != a + 1;
      }) == rows.offsets.end()) {  // one column each
    return Plan::from_labels(plan.weights(), rows.columns, plan.columns());
  }
  return Plan(Plan::Trusted{.weights = {plan.weights().begin(), plan.weights().end()},
                            .columns = plan.columns(),
                            .storage = std::move(rows)});
}

}  // namespace srgw
