// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "srgw/error.hpp"
#include "srgw/ranks.hpp"

// What the ranks that read one file together tell each other. All of it is collective.

namespace srgw::detail {

using Bytes = Ranks::Bytes;

/// Items that are bytes and nothing else, one behind the other.
template <class Item>
void put(Bytes& parcel, const Item& item) {
  static_assert(std::is_trivially_copyable_v<Item>);
  const auto* bytes = reinterpret_cast<const std::byte*>(&item);
  parcel.insert(parcel.end(), bytes, bytes + sizeof(Item));
}
template <class Item>
[[nodiscard]] std::vector<Item> items_of(std::span<const std::byte> parcel) {
  std::vector<Item> items(parcel.size() / sizeof(Item));
  if (!items.empty()) std::memcpy(items.data(), parcel.data(), items.size() * sizeof(Item));
  return items;
}
template <class Item>
[[nodiscard]] Bytes bytes_of_items(std::span<const Item> items) {
  const auto bytes = std::as_bytes(items);
  return {bytes.begin(), bytes.end()};
}
[[nodiscard]] inline std::string text_of(std::span<const std::byte> parcel) {
  return {reinterpret_cast<const char*>(parcel.data()), parcel.size()};
}

/// The number of each rank, in their order.
[[nodiscard]] std::vector<std::int64_t> gather_numbers(Ranks& ranks, std::int64_t own);
/// Texts of all ranks, in their order.
[[nodiscard]] std::vector<std::string> gather_texts(Ranks& ranks, std::string_view own);
[[nodiscard]] std::int64_t total(Ranks& ranks, std::int64_t own);
[[nodiscard]] std::int64_t largest(Ranks& ranks, std::int64_t own);
[[nodiscard]] bool any(Ranks& ranks, bool own);
/// The sum over the ranks before this one.
[[nodiscard]] std::size_t before_mine(Ranks& ranks, std::int64_t own);

/// The lines that begin in this rank's share of the bytes. Not collective.
[[nodiscard]] std::string_view share_of_lines(std::string_view text, const Ranks& ranks);

/// Calls `work`. What it throws on some rank is thrown on all of them, from the first rank that
/// has an error: nobody is left waiting for the others.
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
