// SPDX-License-Identifier: MIT
#include "srgw/rank_parts.hpp"

#include <algorithm>

namespace srgw {

namespace {

/// Bytes of one message of all ranks together: less than MPI's 2 GB.
constexpr std::size_t message_bytes = std::size_t{1} << 30;

std::size_t piece_of(const Ranks& ranks) {
  return std::max<std::size_t>(1, message_bytes / static_cast<std::size_t>(ranks.count()));
}

std::vector<std::size_t> sizes_of_parts(Ranks& ranks, std::size_t own) {
  std::vector<std::size_t> sizes;
  for (const Ranks::Bytes& size : ranks.gather(std::as_bytes(std::span(&own, 1)))) {
    sizes.emplace_back();
    std::memcpy(&sizes.back(), size.data(), sizeof(std::size_t));
  }
  return sizes;
}

std::span<const std::byte> piece(std::span<const std::byte> part, std::size_t begin,
                                 std::size_t size) {
  if (begin >= part.size()) return {};
  return part.subspan(begin, std::min(size, part.size() - begin));
}

}  // namespace

Ranks::Bytes join_on_first(Ranks* ranks, std::span<const std::byte> own) {
  if (ranks == nullptr) return {own.begin(), own.end()};
  const std::vector<std::size_t> sizes = sizes_of_parts(*ranks, own.size());
  const std::size_t longest = *std::ranges::max_element(sizes), step = piece_of(*ranks);
  std::vector<std::size_t> starts{0};
  for (const std::size_t size : sizes) starts.push_back(starts.back() + size);
  Ranks::Bytes all(ranks->first() ? starts.back() : 0);
  std::vector<Ranks::Bytes> parcels(sizes.size());
  for (std::size_t begin = 0; begin < longest; begin += step) {
    const auto sent = piece(own, begin, step);
    parcels.front().assign(sent.begin(), sent.end());
    const std::vector<Ranks::Bytes> received = ranks->exchange(parcels);
    for (std::size_t r = 0; ranks->first() && r < received.size(); ++r) {
      std::ranges::copy(received[r], all.begin() + static_cast<std::ptrdiff_t>(starts[r] + begin));
    }
  }
  return all;
}

Ranks::Bytes deal_from_first(Ranks* ranks, std::span<const std::byte> all, std::size_t own) {
  if (ranks == nullptr) return {all.begin(), all.end()};
  const std::vector<std::size_t> sizes = sizes_of_parts(*ranks, own);
  const std::size_t longest = *std::ranges::max_element(sizes), step = piece_of(*ranks);
  Ranks::Bytes part;
  part.reserve(own);
  std::vector<Ranks::Bytes> parcels(sizes.size());
  for (std::size_t begin = 0; begin < longest; begin += step) {
    std::size_t start = 0;
    for (std::size_t r = 0; ranks->first() && r < sizes.size(); start += sizes[r++]) {
      const auto sent = piece(all.subspan(start, sizes[r]), begin, step);
      parcels[r].assign(sent.begin(), sent.end());
    }
    const Ranks::Bytes received = ranks->exchange(parcels).front();
    part.insert(part.end(), received.begin(), received.end());
  }
  return part;
}

std::vector<std::size_t> cut_by_cost(std::span<const std::uint64_t> costs, int parts) {
  std::uint64_t total = 0;
  for (const std::uint64_t cost : costs) total += cost;
  std::vector<std::size_t> starts{0};
  const auto count = static_cast<std::uint64_t>(parts);
  std::uint64_t before = 0;
  for (std::size_t item = 0; item < costs.size(); ++item) {
    // An item belongs to the part that its middle lies in.
    const std::uint64_t middle = before + costs[item] / 2;
    while (starts.size() < count && middle >= total / count * starts.size()) starts.push_back(item);
    before += costs[item];
  }
  starts.resize(count + 1, costs.size());
  starts.front() = 0;
  return starts;
}

}  // namespace srgw
