// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "base/fixed_point.hpp"
#include "ranks/parcel.hpp"
#include "srgw/types.hpp"

namespace srgw::detail {

/// The exchange between rows: sums, and the values of neighbours. One process that holds all rows
/// is alone, and has nothing to do. On ranks each holds consecutive rows and copies of the rows of
/// other ranks that are neighbours of its own. The value of a row is kept at its place: the rows of
/// this rank from 0 on, then the copies, both in the order of the whole graph. Calls are
/// collective.
class Exchange {
 public:
  Exchange() = default;
  /// Rank r holds the rows [starts[r], starts[r + 1]). `columns` are the neighbours of the rows of
  /// this rank, numbered in the whole graph; they become places.
  Exchange(Ranks& ranks, std::vector<Index> starts, std::span<NodeId> columns);

  [[nodiscard]] bool alone() const { return ranks_ == nullptr; }
  [[nodiscard]] int ranks() const { return alone() ? 1 : ranks_->count(); }
  [[nodiscard]] int rank() const { return alone() ? 0 : ranks_->rank(); }
  /// The number, in the whole graph, of the first row here: a multiple of block_rows.
  [[nodiscard]] Index first_row() const { return alone() ? 0 : starts_[at_rank()]; }
  /// Rows of all ranks, where `own` of them are here.
  [[nodiscard]] Index all_rows(Index own) const { return alone() ? own : starts_.back(); }
  [[nodiscard]] std::size_t copies() const { return copies_.size(); }
  /// How many places there are, where `own` rows are here.
  [[nodiscard]] Index places(Index own) const { return own + static_cast<Index>(copies()); }
  /// The number of the row at a place, in the whole graph.
  [[nodiscard]] NodeId node(Index place) const {
    if (alone()) return static_cast<NodeId>(place);
    const Index own = starts_[at_rank() + 1] - starts_[at_rank()];
    return place < own ? static_cast<NodeId>(starts_[at_rank()] + place) : copies_[place - own];
  }
  /// The rank that holds a row of the whole graph.
  [[nodiscard]] int holder(NodeId node) const;

  /// Each number becomes its sum, or the least of its values, over all ranks.
  void sum(std::span<Fixed> numbers) const;
  void sum(std::span<std::int64_t> numbers) const;
  void least(std::span<std::int64_t> numbers) const;
  [[nodiscard]] std::int64_t sum(std::int64_t number) const {
    sum(std::span(&number, 1));
    return number;
  }
  [[nodiscard]] double largest(double number) const;

  /// `values` has one for each place. Copies of the rows that changed (ascending) become what
  /// their holders have now; those that came, changed or not, are appended to `refreshed`, up to a
  /// sixteenth of all copies and one more: from there on callers look at all places anyway.
  template <class T>
  void refresh(std::span<T> values, std::span<const NodeId> changed,
               std::vector<NodeId>* refreshed = nullptr) const;
  /// All copies.
  template <class T>
  void refresh_all(std::span<T> values) const;
  /// For values of no fixed size: `write(row, bytes)` appends the value of a changed row, and
  /// `read(place, bytes)` takes it from the front of the bytes that came.
  template <class Write, class Read>
  void refresh_parts(std::span<const NodeId> changed, const Write& write, const Read& read) const;

  /// Copies the bytes of rank `from` to all ranks.
  void share(int from, std::span<std::byte> bytes) const;
  /// Parcels to each rank, and what came from each.
  [[nodiscard]] std::vector<Bytes> swap(const std::vector<Bytes>& parcels) const {
    return alone() ? parcels : ranks_->exchange(parcels);
  }
  /// Bytes of all ranks, one behind the other in their order.
  [[nodiscard]] Bytes join(std::span<const std::byte> own) const;

  /// How many copies this rank has sent news of, and bytes of any kind since this was made.
  [[nodiscard]] std::uint64_t rows_sent() const { return rows_sent_; }
  [[nodiscard]] std::uint64_t bytes_sent() const {
    return alone() ? 0 : ranks_->traffic().bytes - bytes_before_;
  }

 private:
  [[nodiscard]] std::size_t at_rank() const { return ranks_->rank(); }
  [[nodiscard]] NodeId place_of_copy(std::size_t rank, std::uint32_t position) const {
    return own_rows_ + static_cast<NodeId>(copies_from_[rank]) + position;
  }
  /// Calls `visit(position, row)` for the changed rows that a rank has copies of.
  template <class Visit>
  void for_each_wanted(std::size_t rank, std::span<const NodeId> changed, const Visit& visit) const;
  template <class T>
  void read_news(std::size_t rank, std::span<const std::byte> parcel, std::span<T> values,
                 std::vector<NodeId>* refreshed) const;

  Ranks* ranks_ = nullptr;
  std::vector<Index> starts_;
  NodeId own_rows_ = 0;
  std::vector<NodeId> copies_;               // their numbers in the whole graph, ascending
  std::vector<std::size_t> copies_from_;     // where those of each rank begin in copies_
  std::vector<std::vector<NodeId>> wanted_;  // rows here that each rank has copies of, ascending
  std::size_t most_wanted_ = 0;              // by one rank of another
  std::uint64_t bytes_before_ = 0;
  mutable std::uint64_t rows_sent_ = 0;
};

/// For one process that holds all rows.
inline const Exchange alone{};

template <class Visit>
void Exchange::for_each_wanted(std::size_t rank, std::span<const NodeId> changed,
                               const Visit& visit) const {
  const std::vector<NodeId>& wanted = wanted_[rank];
  auto place = wanted.begin();
  // Many changes are walked along, few are looked up.
  const bool many = 8 * changed.size() > wanted.size();
  for (const NodeId row : changed) {
    if (many) {
      while (place != wanted.end() && *place < row) ++place;
    } else {
      place = std::lower_bound(place, wanted.end(), row);
    }
    if (place == wanted.end()) return;
    if (*place == row) visit(static_cast<std::uint32_t>(place - wanted.begin()), row);
  }
}

// A parcel begins with the number of rows it is about: their positions among those wanted, then
// what they have. Where that would take more than telling all that are wanted, these are sent
// without positions.
template <class T>
void Exchange::refresh(std::span<T> values, std::span<const NodeId> changed,
                       std::vector<NodeId>* refreshed) const {
  static_assert(std::is_trivially_copyable_v<T>);
  if (alone()) return;
  std::vector<Bytes> parcels(wanted_.size());
  std::vector<std::uint32_t> positions;
  for (std::size_t r = 0; r < parcels.size(); ++r) {
    positions.clear();
    for_each_wanted(r, changed,
                    [&](std::uint32_t position, NodeId) { positions.push_back(position); });
    if (positions.empty()) continue;
    const std::vector<NodeId>& wanted = wanted_[r];
    const bool whole =
        positions.size() * (sizeof(std::uint32_t) + sizeof(T)) >= wanted.size() * sizeof(T);
    const std::size_t count = whole ? wanted.size() : positions.size();
    rows_sent_ += count;
    Bytes& parcel = parcels[r];
    put(parcel, static_cast<std::uint32_t>(count));
    if (!whole) put_all(parcel, std::span<const std::uint32_t>(positions));
    const std::size_t head = parcel.size();
    parcel.resize(head + count * sizeof(T));
    for (std::size_t k = 0; k < count; ++k) {
      const NodeId row = wanted[whole ? k : positions[k]];
      std::memcpy(parcel.data() + head + k * sizeof(T), &values[row], sizeof(T));
    }
  }
  const std::vector<Bytes> came = ranks_->exchange(parcels);
  for (std::size_t r = 0; r < came.size(); ++r) read_news(r, came[r], values, refreshed);
}

template <class T>
void Exchange::read_news(std::size_t rank, std::span<const std::byte> parcel, std::span<T> values,
                         std::vector<NodeId>* refreshed) const {
  if (parcel.empty()) return;
  const auto count = take<std::uint32_t>(parcel);
  const bool whole = parcel.size() == count * sizeof(T);
  std::span<const std::byte> news = parcel.last(count * sizeof(T));
  for (std::uint32_t k = 0; k < count; ++k) {
    const NodeId place = place_of_copy(rank, whole ? k : take<std::uint32_t>(parcel));
    values[place] = take<T>(news);
    if (refreshed != nullptr && 16 * refreshed->size() <= copies_.size()) {
      refreshed->push_back(place);
    }
  }
}

// In slices, so that parcels take little memory next to what they refresh.
template <class T>
void Exchange::refresh_all(std::span<T> values) const {
  static_assert(std::is_trivially_copyable_v<T>);
  if (alone()) return;
  constexpr std::size_t slice = 1 << 16;
  std::vector<Bytes> parcels(wanted_.size());
  for (std::size_t begin = 0; begin < most_wanted_; begin += slice) {
    for (std::size_t r = 0; r < parcels.size(); ++r) {
      const std::size_t first = std::min(begin, wanted_[r].size());
      const std::size_t count = std::min(slice, wanted_[r].size() - first);
      rows_sent_ += count;
      parcels[r].resize(count * sizeof(T));
      for (std::size_t k = 0; k < count; ++k) {
        std::memcpy(parcels[r].data() + k * sizeof(T), &values[wanted_[r][first + k]], sizeof(T));
      }
    }
    const std::vector<Bytes> came = ranks_->exchange(parcels);
    for (std::size_t r = 0; r < came.size(); ++r) {
      if (came[r].empty()) continue;
      std::memcpy(&values[place_of_copy(r, static_cast<std::uint32_t>(begin))], came[r].data(),
                  came[r].size());
    }
  }
}

template <class Write, class Read>
void Exchange::refresh_parts(std::span<const NodeId> changed, const Write& write,
                             const Read& read) const {
  if (alone()) return;
  std::vector<Bytes> parcels(wanted_.size());
  for (std::size_t r = 0; r < parcels.size(); ++r) {
    for_each_wanted(r, changed, [&](std::uint32_t position, NodeId row) {
      ++rows_sent_;
      put(parcels[r], position);
      write(row, parcels[r]);
    });
  }
  const std::vector<Bytes> came = ranks_->exchange(parcels);
  for (std::size_t r = 0; r < came.size(); ++r) {
    std::span<const std::byte> left(came[r]);
    while (!left.empty()) {
      const auto position = take<std::uint32_t>(left);
      read(place_of_copy(r, position), left);
    }
  }
}

}  // namespace srgw::detail
