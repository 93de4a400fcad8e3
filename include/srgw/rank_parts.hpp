// SPDX-License-Identifier: MIT
//
// Lists of which each rank has a part, in the order of ranks; of any length, sent in pieces. All
// calls are collective; without ranks (null) the one process has all of it.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "srgw/ranks.hpp"

namespace srgw {

/// All parts one behind the other on the first rank, nothing on others.
[[nodiscard]] Ranks::Bytes join_on_first(Ranks* ranks, std::span<const std::byte> own);
/// The reverse: `all` is read on the first rank; each gets the `own` bytes that are its part.
[[nodiscard]] Ranks::Bytes deal_from_first(Ranks* ranks, std::span<const std::byte> all,
                                           std::size_t own);

/// The same for numbers.
template <class T>
[[nodiscard]] std::vector<T> join_on_first(Ranks* ranks, const std::vector<T>& own) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (ranks == nullptr) return own;
  const Ranks::Bytes bytes = join_on_first(ranks, std::as_bytes(std::span(own)));
  std::vector<T> all(bytes.size() / sizeof(T));
  if (!all.empty()) std::memcpy(all.data(), bytes.data(), bytes.size());
  return all;
}
template <class T>
[[nodiscard]] std::vector<T> deal_from_first(Ranks* ranks, const std::vector<T>& all,
                                             std::size_t own) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (ranks == nullptr) return all;
  const Ranks::Bytes bytes = deal_from_first(ranks, std::as_bytes(std::span(all)), own * sizeof(T));
  std::vector<T> part(own);
  if (own > 0) std::memcpy(part.data(), bytes.data(), bytes.size());
  return part;
}

/// Where ranks begin in a list of items that are cut into consecutive parts of about the same cost:
/// parts + 1 numbers, the last of which is the number of items.
[[nodiscard]] std::vector<std::size_t> cut_by_cost(std::span<const std::uint64_t> costs, int parts);

}  // namespace srgw
