// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace srgw {

/// Processes that share one task, each with a part of it, called ranks as in MPI. Every call that
/// is not const is collective unless it says otherwise: all ranks make the same calls in the same
/// order, from one thread. Sums are of integers only, so that a result does not depend on the order
/// of terms nor on the number of ranks.
class Ranks {
 public:
  /// An integer of 128 bits, lower half first.
  struct Wide {
    std::uint64_t low = 0;
    std::int64_t high = 0;
  };
  using Bytes = std::vector<std::byte>;
  /// Messages and bytes that this rank has sent so far.
  struct Traffic {
    std::uint64_t calls = 0;
    std::uint64_t bytes = 0;
  };

  Ranks() = default;
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;
  virtual ~Ranks() = default;

  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int count() const = 0;
  [[nodiscard]] bool first() const { return rank() == 0; }
  /// The machine that this rank runs on; empty where that is unknown.
  [[nodiscard]] virtual std::string host() const { return {}; }
  /// `rank 2 of 4 on node17`, for messages about this rank alone.
  [[nodiscard]] std::string description() const;
  [[nodiscard]] virtual Traffic traffic() const = 0;

  /// Each number becomes its sum, or the least of its values, over all ranks.
  virtual void sum(std::span<std::int64_t> numbers) = 0;
  virtual void sum(std::span<Wide> numbers) = 0;
  virtual void least(std::span<std::int64_t> numbers) = 0;
  /// Copies the bytes of the first rank to all others; the size is the same everywhere.
  virtual void broadcast(std::span<std::byte> bytes) = 0;
  /// The bytes of every rank on every rank, in the order of ranks; sizes may differ.
  [[nodiscard]] virtual std::vector<Bytes> gather(std::span<const std::byte> own) = 0;
  /// Sends `parcels[r]` to rank r; returns the parcel that each rank has sent here.
  [[nodiscard]] virtual std::vector<Bytes> exchange(const std::vector<Bytes>& parcels) = 0;

  /// Not collective: true on the one rank that asks first, ever. A rank that ends the whole job
  /// asks before it says why, so that the message is printed once.
  [[nodiscard]] virtual bool claim_last_word() = 0;
  /// Ends all ranks at once with this exit code.
  [[noreturn]] virtual void abort(int code) = 0;
};

namespace detail {

/// The values of a parcel.
template <class Item>
[[nodiscard]] std::vector<Item> items_of(std::span<const std::byte> parcel) {
  static_assert(std::is_trivially_copyable_v<Item>);
  std::vector<Item> items(parcel.size() / sizeof(Item));
  if (!items.empty()) {
    std::memcpy(static_cast<void*>(items.data()), parcel.data(), items.size() * sizeof(Item));
  }
  return items;
}

/// The values of all parcels, in order.
template <class Item>
[[nodiscard]] std::vector<Item> join_items(const std::vector<Ranks::Bytes>& parcels) {
  std::vector<Item> all;
  for (const Ranks::Bytes& parcel : parcels) {
    const std::vector<Item> items = items_of<Item>(parcel);
    all.insert(all.end(), items.begin(), items.end());
  }
  return all;
}

}  // namespace detail

/// Items of all ranks, in the order of ranks, on every rank.
template <class Item>
[[nodiscard]] std::vector<Item> gather_items(Ranks& ranks, const std::vector<Item>& own) {
  return detail::join_items<Item>(ranks.gather(std::as_bytes(std::span(own))));
}

/// Items of all ranks on the first rank, nothing on others. Lists of any length, which are sent in
/// pieces. Without ranks (null) the one process has all.
[[nodiscard]] Ranks::Bytes join_on_first(Ranks* ranks, std::span<const std::byte> own);
template <class Item>
[[nodiscard]] std::vector<Item> join_on_first(Ranks* ranks, const std::vector<Item>& own) {
  if (ranks == nullptr) return own;
  return detail::items_of<Item>(join_on_first(ranks, std::as_bytes(std::span(own))));
}

/// The sum of the numbers of all ranks (null: of this process), rounded once: it does not depend on
/// their order nor on the number of ranks.
[[nodiscard]] double sum_over_ranks(Ranks* ranks, std::span<const double> numbers);

/// This process alone, as ranks: for code that is written for ranks. Ranks of MPI: srgw/mpi.hpp.
[[nodiscard]] std::unique_ptr<Ranks> lone_rank();

}  // namespace srgw
