// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

namespace srgw {

/// Processes that share one task, each with a part of it: what MPI calls ranks. Every call but
/// those that only look is collective: all ranks make the same calls in the same order, from one
/// thread. Sums are of integers only, whose order cannot be seen, so that a result does not depend
/// on the number of ranks.
class Ranks {
 public:
  /// An integer of 128 bits, lower half first.
  struct Wide {
    std::uint64_t low = 0;
    std::int64_t high = 0;
  };
  using Bytes = std::vector<std::byte>;
  /// What this rank has sent so far.
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
  [[nodiscard]] virtual Traffic traffic() const = 0;

  /// Each number becomes its sum, or the least of its values, over all ranks.
  virtual void sum(std::span<std::int64_t> numbers) = 0;
  virtual void sum(std::span<Wide> numbers) = 0;
  virtual void least(std::span<std::int64_t> numbers) = 0;
  /// What the first rank has becomes what all have; the size is the same everywhere.
  virtual void broadcast(std::span<std::byte> bytes) = 0;
  /// Bytes of any number from every rank to every rank, in the order of ranks.
  [[nodiscard]] virtual std::vector<Bytes> gather(std::span<const std::byte> own) = 0;
  /// Sends `parcels[r]` to rank r; gives what came from each.
  [[nodiscard]] virtual std::vector<Bytes> exchange(const std::vector<Bytes>& parcels) = 0;

  /// Not collective: true on the one rank that asks first, ever. Who ends the whole job asks, so
  /// that it says why just once.
  [[nodiscard]] virtual bool claim_last_word() = 0;
  /// Ends all ranks at once with this exit code.
  [[noreturn]] virtual void abort(int code) = 0;
};

namespace detail {

/// The values that lie one behind the other in a parcel.
template <class Item>
[[nodiscard]] std::vector<Item> items_of(std::span<const std::byte> parcel) {
  static_assert(std::is_trivially_copyable_v<Item>);
  std::vector<Item> items(parcel.size() / sizeof(Item));
  if (!items.empty()) {
    std::memcpy(static_cast<void*>(items.data()), parcel.data(), items.size() * sizeof(Item));
  }
  return items;
}

}  // namespace detail

/// Items of all ranks, in the order of ranks, on every rank.
template <class Item>
[[nodiscard]] std::vector<Item> gather_items(Ranks& ranks, const std::vector<Item>& own) {
  std::vector<Item> all;
  for (const Ranks::Bytes& parcel : ranks.gather(std::as_bytes(std::span(own)))) {
    const auto items = detail::items_of<Item>(parcel);
    all.insert(all.end(), items.begin(), items.end());
  }
  return all;
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
