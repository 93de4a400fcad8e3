// SPDX-License-Identifier: MIT
#include "srgw/csr.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>

#include "base/message.hpp"
#include "graph/csr_build.hpp"
#include "graph/csr_rows.hpp"

namespace srgw {

namespace {

using detail::EntryPair;
using detail::fail_argument;
using detail::fail_resource;
using detail::for_each_entry;

void check_entries(Index rows, std::span<const Entry> entries) {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Entry& entry = entries[i];
    if (std::max(entry.row, entry.column) >= rows) {
      fail_argument("entry {} is at ({}, {}), expected indices below {}", i, entry.row,
                    entry.column, rows);
    }
    if (!std::isfinite(entry.value)) {
      fail_argument("entry {} at ({}, {}) is {}, expected a finite number", i, entry.row,
                    entry.column, entry.value);
    }
  }
}

bool same_place(const Entry& a, const Entry& b) { return a.row == b.row && a.column == b.column; }

bool before(const Entry& a, const Entry& b) {
  return a.row != b.row ? a.row < b.row : a.column < b.column;
}

constexpr int digit_bits = 11;  // as many buckets as the nearest caches can keep open at once
constexpr std::size_t digits = 1U << digit_bits;
constexpr std::size_t cached_entries = 1U << 16;

/// Copies entries in the order of one digit of a key; those with the same digit keep their order.
/// Returns where each digit ends.
std::array<std::size_t, digits> sort_by_digit(std::span<const Entry> from, std::span<Entry> to,
                                              NodeId Entry::*key, int shift) {
  const auto digit = [&](const Entry& entry) {
    return (std::uint64_t{entry.*key} >> shift) & (digits - 1);
  };
  std::array<std::size_t, digits> next{};
  for (const Entry& entry : from) ++next[digit(entry)];
  std::exclusive_scan(next.begin(), next.end(), next.begin(), std::size_t{0});
  for (const Entry& entry : from) to[next[digit(entry)]++] = entry;
  return next;
}

/// Sorts by the lowest `bits` of a key, digit by digit from the least significant one.
void sort_by_bits(std::span<Entry> entries, std::vector<Entry>& buffer, NodeId Entry::*key,
                  int bits) {
  if (entries.size() < 2) return;
  for (int shift = 0; shift < bits; shift += digit_bits) {
    buffer.assign(entries.begin(), entries.end());
    sort_by_digit(buffer, entries, key, shift);
  }
}

/// Sorts entries by row, then column, in time linear in their number. Entries of one place keep
/// their order.
std::vector<Entry> sorted_entries(Index rows, std::span<const Entry> entries) {
  if (std::is_sorted(entries.begin(), entries.end(), before)) {
    return {entries.begin(), entries.end()};
  }
  const auto key_bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(rows - 1)));
  // Once the leading digit of the row has split many entries, the rest happens inside the caches.
  // Few entries are one bucket: above the key there are only zeros.
  const bool split = entries.size() > cached_entries && key_bits > digit_bits;
  const int low_bits = split ? key_bits - digit_bits : key_bits;
  std::vector<Entry> sorted(entries.size());
  const auto bucket_ends = sort_by_digit(entries, sorted, &Entry::row, low_bits);
  std::vector<Entry> buffer;
  std::size_t begin = 0;
  for (const std::size_t end : bucket_ends) {
    const auto bucket = std::span(sorted).subspan(begin, end - begin);
    sort_by_bits(bucket, buffer, &Entry::column, key_bits);
    sort_by_bits(bucket, buffer, &Entry::row, low_bits);
    begin = end;
  }
  return sorted;
}

Csr merge_sorted(Index rows, std::span<const Entry> sorted, Duplicates duplicates) {
  detail::CsrBuilder builder(rows, std::ssize(sorted));
  for (std::size_t i = 0; i < sorted.size();) {
    Entry merged = sorted[i];
    for (++i; i < sorted.size() && same_place(sorted[i], merged); ++i) {
      merged.value = detail::merge_duplicates(duplicates, merged.row, merged.column, merged.value,
                                              sorted[i].value);
    }
    builder.add(merged.row, merged.column, merged.value);
  }
  return std::move(builder).finish(rows);
}

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

double merge_duplicates(Duplicates duplicates, Index row, Index column, double first,
                        double second) {
  switch (duplicates) {
    case Duplicates::first: return first;
    case Duplicates::maximum: return std::max(first, second);
    case Duplicates::sum:
      if (!std::isfinite(first + second)) {
        fail_argument("({}, {}) is given as {} and {}, expected a finite sum", row, column, first,
                      second);
      }
      return first + second;
    case Duplicates::refuse: break;
  }
  fail_argument(
      "({}, {}) is given twice, as {} and {}; expected once, or a rule for duplicates: sum, "
      "maximum or first",
      row, column, first, second);
}

void check_offsets(const Csr& csr, Index begin, Index end) {
  with_rows(csr, [&](const auto& rows) {
    check_ends(rows);
    srgw::check_offsets(rows, begin, end);
  });
}

void check_entries(const Csr& csr, Index begin, Index end) {
  with_rows(csr, [&](const auto& rows) {
    check_columns(rows, begin, end);
    check_values(rows, begin, end);
  });
}

}  // namespace detail

Index Csr::rows() const {
  const std::size_t count = std::visit([](const auto& array) { return array.size(); }, offsets);
  return count == 0 ? 0 : static_cast<Index>(count) - 1;
}

Csr make_csr(Index rows, std::span<const Entry> entries, Duplicates duplicates) {
  detail::check_row_count(rows);
  check_entries(rows, entries);
  return merge_sorted(rows, sorted_entries(rows, entries), duplicates);
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
  for_each_entry(csr, [&](Index row, Index column, double value) {
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
