// SPDX-License-Identifier: MIT
#include "srgw/graph.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/message.hpp"
#include "base/parallel.hpp"
#include "base/stop.hpp"
#include "graph/csr_build.hpp"
#include "graph/csr_rows.hpp"

namespace srgw {

namespace {

using detail::EntryPair;
using detail::fail_argument;
using detail::fail_resource;
using detail::for_each_entry;

template <class Offset>
void check_ends(const detail::CsrRows<Offset>& rows) {
  if (rows.offsets.front() != 0) {
    fail_argument("the first offset is {}, expected 0", rows.offsets.front());
  }
  if (rows.offsets.back() != rows.columns.size()) {
    fail_argument("the last offset is {}, expected the number of entries {}", rows.offsets.back(),
                  rows.columns.size());
  }
  if (!rows.values.empty() && rows.values.size() != rows.columns.size()) {
    fail_argument("{} values for {} entries, expected as many or none", rows.values.size(),
                  rows.columns.size());
  }
}

template <class Offset>
void check_offsets(const detail::CsrRows<Offset>& rows, Index begin, Index end) {
  for (Index row = begin; row < end; ++row) {
    if (rows.begin(row) > rows.end(row)) {
      fail_argument("the offsets fall from {} to {} in row {}, expected them to rise",
                    rows.begin(row), rows.end(row), row);
    }
  }
}

template <class Offset>
void check_columns(const detail::CsrRows<Offset>& rows, Index begin, Index end) {
  for (Index row = begin; row < end; ++row) {
    for (std::size_t entry = rows.begin(row); entry < rows.end(row); ++entry) {
      const NodeId column = rows.columns[entry];
      if (column >= rows.size()) {
        fail_argument("row {} names column {}, expected columns below {}", row, column,
                      rows.size());
      }
      if (entry > rows.begin(row) && rows.columns[entry - 1] >= column) {
        fail_argument("row {} names column {} after column {}, expected rising columns", row,
                      column, rows.columns[entry - 1]);
      }
    }
  }
}

template <class Offset>
void check_values(const detail::CsrRows<Offset>& rows, Index begin, Index end) {
  if (rows.values.empty()) return;
  for (Index row = begin; row < end; ++row) {
    for (std::size_t entry = rows.begin(row); entry < rows.end(row); ++entry) {
      if (!std::isfinite(rows.values[entry])) {
        fail_argument("entry ({}, {}) is {}, expected a finite number", row, rows.columns[entry],
                      rows.values[entry]);
      }
    }
  }
}

double largest_entry(const Csr& csr) {
  double largest = 0;
  for_each_entry(csr,
                 [&](Index, Index, double value) { largest = std::max(largest, std::abs(value)); });
  return largest;
}

}  // namespace

namespace detail {

void check_row_count(Index rows) {
  if (rows < 1) fail_argument("{} rows, expected at least 1", rows);
  constexpr Index most = std::numeric_limits<NodeId>::max();
  if (rows > most) fail_resource("{} rows, expected at most {}", rows, most);
}

void check_offsets(const Csr& csr, Index begin, Index end) {
  with_rows(csr, [&](const auto& rows) {
    check_ends(rows);
    srgw::check_offsets(rows, begin, end);
  });
}

void check_entries(const Csr& csr, Index begin, Index end) {
  with_rows(csr, [&](const auto& rows) {
    for (; begin < end; begin += block_rows) {
      throw_if_stopped();
      check_columns(rows, begin, std::min(begin + block_rows, end));
      check_values(rows, begin, std::min(begin + block_rows, end));
    }
  });
}

}  // namespace detail

Index Csr::rows() const {
  const std::size_t count = std::visit([](const auto& array) { return array.size(); }, offsets);
  return count == 0 ? 0 : static_cast<Index>(count) - 1;
}

void check(const Csr& csr) {
  detail::check_row_count(csr.rows());
  detail::check_offsets(csr, 0, csr.rows());
  detail::check_entries(csr, 0, csr.rows());
}

Csr transpose(const Csr& csr) {
  std::vector<std::uint64_t> offsets(csr.rows() + 1, 0);
  for (const NodeId column : csr.columns) ++offsets[column + std::size_t{1}];
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());

  // Rows are read in order, so that each row of the result is filled in order.
  std::vector<std::uint64_t> next(offsets.begin(), offsets.end() - 1);
  std::vector<NodeId> columns(csr.columns.size());
  std::vector<double> values(csr.values.size());
  detail::StopCounter stop(1 << 16);
  for_each_entry(csr, [&](Index row, Index column, double value) {
    stop.throw_if_stopped();
    const std::uint64_t place = next[column]++;
    columns[place] = static_cast<NodeId>(row);
    if (!values.empty()) values[place] = value;
  });
  return detail::assemble(std::move(offsets), std::move(columns), std::move(values));
}

Csr symmetrize(const Csr& csr) {
  return detail::unite(csr, transpose(csr), [](const EntryPair& pair) {
    return std::midpoint(pair.first.value_or(0), pair.second.value_or(0));
  });
}

bool is_symmetric(const Csr& csr, double tolerance) {
  const double bound = tolerance * largest_entry(csr);
  bool symmetric = true;
  detail::for_each_pair(csr, transpose(csr), [&](const EntryPair& pair) {
    const double difference = pair.first.value_or(0) - pair.second.value_or(0);
    symmetric = symmetric && std::abs(difference) <= bound;
  });
  return symmetric;
}

}  // namespace srgw
