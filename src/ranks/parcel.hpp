// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/fixed_point.hpp"
#include "srgw/ranks.hpp"

// Parcels, the messages between ranks: values of any type that can be copied as bytes, in a row.
// Functions with a `Ranks` are collective, unless they say otherwise.

namespace srgw::detail {

using Bytes = Ranks::Bytes;

/// Appends values to a parcel.
template <class Item>
void put_all(Bytes& parcel, std::span<const Item> items) {
  static_assert(std::is_trivially_copyable_v<Item>);
  const auto bytes = std::as_bytes(items);
  parcel.insert(parcel.end(), bytes.begin(), bytes.end());
}
template <class Item>
void put(Bytes& parcel, const Item& item) {
  put_all(parcel, std::span<const Item>(&item, 1));
}
/// Takes one value from the front of what is left of a parcel.
template <class Item>
[[nodiscard]] Item take(std::span<const std::byte>& parcel) {
  static_assert(std::is_trivially_copyable_v<Item>);
  Item item;
  std::memcpy(static_cast<void*>(&item), parcel.data(), sizeof(Item));
  parcel = parcel.subspan(sizeof(Item));
  return item;
}
template <class Item>
[[nodiscard]] Bytes parcel_of(std::span<const Item> items) {
  Bytes parcel;
  put_all(parcel, items);
  return parcel;
}
[[nodiscard]] inline std::string text_of(std::span<const std::byte> parcel) {
  return {reinterpret_cast<const char*>(parcel.data()), parcel.size()};
}

/// A value, or a text, of each rank, on every rank.
template <class Item>
[[nodiscard]] std::vector<Item> gather_one(Ranks& ranks, const Item& own) {
  return join_items<Item>(ranks.gather(std::as_bytes(std::span(&own, 1))));
}
[[nodiscard]] std::vector<std::string> gather_texts(Ranks& ranks, std::string_view own);

[[nodiscard]] std::int64_t total(Ranks& ranks, std::int64_t own);
[[nodiscard]] std::int64_t largest(Ranks& ranks, std::int64_t own);
[[nodiscard]] double largest(Ranks& ranks, double own);
[[nodiscard]] bool any(Ranks& ranks, bool own);
/// The sum over the ranks before this one.
[[nodiscard]] std::size_t before_mine(Ranks& ranks, std::int64_t own);
/// Each number becomes its sum over all ranks.
void sum_fixed(Ranks& ranks, std::span<Fixed> numbers);

/// The reverse of join_on_first(): `all` is read on the first rank, and each gets the next `own`
/// items. Without ranks (null) the one process has all.
[[nodiscard]] Bytes deal_from_first(Ranks* ranks, std::span<const std::byte> all, std::size_t own);
template <class Item>
[[nodiscard]] std::vector<Item> deal_from_first(Ranks* ranks, const std::vector<Item>& all,
                                                std::size_t own) {
  if (ranks == nullptr) return all;
  return items_of<Item>(deal_from_first(ranks, std::as_bytes(std::span(all)), own * sizeof(Item)));
}

/// Where ranks begin in a list of items that are cut into consecutive parts of about the same cost:
/// parts + 1 numbers, the last of which is the number of items. Not collective.
[[nodiscard]] std::vector<std::size_t> cut_by_cost(std::span<const std::uint64_t> costs, int parts);

/// Calls `work`. If it throws anything on some ranks, an Error with the text of the first of them
/// is thrown on all, so that no rank waits for the others for ever. Errors that need not concern
/// all ranks (memory, files, exceptions of other types) name the rank and its machine.
void together(Ranks& ranks, const std::function<void()>& work);

/// Round after round `fill` puts parcels for each rank and says whether it has more, and `take`
/// gets what came from each rank; ends when no rank has more. Rounds keep the copies small that are
/// on the way at one time.
using FillParcels = std::function<bool(std::vector<Bytes>& parcels)>;
using TakeParcel = std::function<void(std::size_t from, std::span<const std::byte> parcel)>;
void send_in_rounds(Ranks& ranks, const FillParcels& fill, const TakeParcel& take);

/// How many items a rank sends in a round.
inline constexpr std::size_t round_items = std::size_t{1} << 17;

}  // namespace srgw::detail
