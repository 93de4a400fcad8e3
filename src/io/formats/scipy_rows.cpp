// SPDX-License-Identifier: MIT
#include "io/formats/scipy_rows.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "base/row_blocks.hpp"

namespace srgw::detail {

namespace {

constexpr Index entries_of_part = 1 << 20;

/// Memory that nothing is written to before the threads that fill it.
template <class T>
class Unwritten {
 public:
  explicit Unwritten(std::size_t size)
      : owner_(std::make_shared_for_overwrite<T[]>(size)), size_(size) {}
  [[nodiscard]] T* data() const { return owner_.get(); }
  [[nodiscard]] SharedArray<T> shared() const {
    return {std::span<const T>(owner_.get(), size_), owner_};
  }

 private:
  std::shared_ptr<T[]> owner_;
  std::size_t size_;
};

bool are_ones(const NpyVector& values, int threads) {
  std::atomic<bool> differs = false;
  const auto count = static_cast<Index>(values.size);
  parallel_for((count + entries_of_part - 1) / entries_of_part, threads, [&](Index part, int) {
    if (differs) return;
    const Index begin = part * entries_of_part, end = std::min(count, begin + entries_of_part);
    const bool ones = with_type_of(values, [&](const auto& at) {
      std::size_t others = 0;
      for (Index i = begin; i < end; ++i) others += at(i) != 1 ? 1 : 0;
      return others == 0;
    });
    if (!ones) differs = true;
  });
  return !differs;
}

/// Whole numbers from 0 to `most`, or nothing.
template <class Offset>
std::optional<std::vector<Offset>> read_offsets(const NpyVector& given, Index nodes,
                                                std::uint64_t most) {
  return with_type_of(given, [&](const auto& at) -> std::optional<std::vector<Offset>> {
    using T = decltype(at(0));
    if constexpr (std::is_floating_point_v<T>) {
      return {};
    } else {
      std::vector<Offset> offsets(nodes + 1, static_cast<Offset>(most));
      std::uint64_t former = 0;
      for (std::size_t row = 0; row < given.size; ++row) {
        const T value = at(row);
        if (value < T{0}) return {};
        const auto offset = static_cast<std::uint64_t>(value);
        if (offset < former || offset > most) return {};
        offsets[row] = static_cast<Offset>(former = offset);
      }
      if (offsets.front() != 0 || former != most) return {};
      return offsets;
    }
  });
}

/// Sorts the entries of a row. False: a column is there twice.
bool sort_row(std::span<NodeId> columns, double* values) {
  std::vector<std::pair<NodeId, double>> entries(columns.size());
  for (std::size_t e = 0; e < columns.size(); ++e) {
    entries[e] = {columns[e], values != nullptr ? values[e] : 1.0};
  }
  std::sort(entries.begin(), entries.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t e = 0; e < columns.size(); ++e) {
    if (e > 0 && entries[e].first == entries[e - 1].first) return false;
    columns[e] = entries[e].first;
    if (values != nullptr) values[e] = entries[e].second;
  }
  return true;
}

/// Reads rows [begin, end); false where something is wrong.
template <class Offset>
class RowReader {
 public:
  RowReader(const ScipyRows& given, std::span<const Offset> offsets, Index size, NodeId* columns,
            double* values)
      : given_(given), offsets_(offsets), size_(size), columns_(columns), values_(values) {}

  [[nodiscard]] bool read(Index begin, Index end) const {
    return read_columns(offsets_[begin], offsets_[end]) &&
           (values_ == nullptr || read_values(offsets_[begin], offsets_[end])) &&
           sort_rows(begin, end);
  }

 private:
  [[nodiscard]] bool read_columns(std::size_t begin, std::size_t end) const {
    return with_type_of(given_.columns, [&](const auto& at) {
      using T = decltype(at(0));
      if constexpr (std::is_floating_point_v<T>) {
        return false;
      } else {
        std::size_t wrong = 0;
        for (std::size_t e = begin; e < end; ++e) {
          const T column = at(e);  // a negative number is too large when it has no sign
          wrong += static_cast<std::uint64_t>(column) >= static_cast<std::uint64_t>(size_) ? 1 : 0;
          columns_[e] = static_cast<NodeId>(column);
        }
        return wrong == 0;
      }
    });
  }

  [[nodiscard]] bool read_values(std::size_t begin, std::size_t end) const {
    return with_type_of(given_.values, [&](const auto& at) {
      for (std::size_t e = begin; e < end; ++e) {
        values_[e] = static_cast<double>(at(e));
        if (!std::isfinite(values_[e])) return false;
      }
      return true;
    });
  }

  [[nodiscard]] bool sort_rows(Index begin, Index end) const {
    for (Index row = begin; row < end; ++row) {
      const std::span<NodeId> columns(columns_ + offsets_[row], offsets_[row + 1] - offsets_[row]);
      if (std::ranges::adjacent_find(columns, std::ranges::greater_equal()) == columns.end()) {
        continue;
      }
      if (!sort_row(columns, values_ != nullptr ? values_ + offsets_[row] : nullptr)) return false;
    }
    return true;
  }

  const ScipyRows& given_;
  std::span<const Offset> offsets_;
  Index size_;
  NodeId* columns_;
  double* values_;
};

template <class Offset>
std::optional<Csr> read_rows(const ScipyRows& given, Index size, Index nodes, int threads) {
  const std::size_t count = given.columns.size;
  auto offsets = read_offsets<Offset>(given.offsets, nodes, count);
  if (!offsets) return {};
  const Unwritten<NodeId> columns(count);
  std::optional<Unwritten<double>> values;
  if (!are_ones(given.values, threads)) values.emplace(count);
  const RowReader<Offset> reader(given, *offsets, size, columns.data(),
                                 values ? values->data() : nullptr);
  std::atomic<bool> failed = false;
  for_each_block(size, threads, [&](Index, Index begin, Index end, int) {
    if (!failed && !reader.read(begin, end)) failed = true;
  });
  if (failed) return {};
  Csr result{.offsets = SharedArray<Offset>(std::move(*offsets)),
             .columns = columns.shared(),
             .values = {}};
  if (values) result.values = values->shared();
  return result;
}

}  // namespace

std::optional<Csr> rows_of_scipy(const ScipyRows& rows, Index size, Index nodes, int threads) {
  if (rows.values.size != rows.columns.size || static_cast<Index>(rows.offsets.size) != size + 1) {
    return {};
  }
  const bool narrow = rows.columns.size <= std::numeric_limits<std::uint32_t>::max();
  return narrow ? read_rows<std::uint32_t>(rows, size, nodes, threads)
                : read_rows<std::uint64_t>(rows, size, nodes, threads);
}

}  // namespace srgw::detail
