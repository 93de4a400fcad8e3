// SPDX-License-Identifier: MIT
#include "ranks/parcel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <new>
#include <numeric>

#include "base/exact_sum.hpp"
#include "srgw/types.hpp"

namespace srgw {

namespace {

/// Bytes of one message of all ranks together: less than MPI's 2 GB.
constexpr std::size_t message_bytes = std::size_t{1} << 30;

std::size_t piece_of(const Ranks& ranks) {
  return std::max<std::size_t>(1, message_bytes / static_cast<std::size_t>(ranks.count()));
}

std::span<const std::byte> piece(std::span<const std::byte> part, std::size_t begin,
                                 std::size_t size) {
  if (begin >= part.size()) return {};
  return part.subspan(begin, std::min(size, part.size() - begin));
}

/// Doubles as integers in the same order.
std::int64_t as_ordered(double x) {
  const auto bits = std::bit_cast<std::int64_t>(x);
  return bits >= 0 ? bits : std::numeric_limits<std::int64_t>::min() - bits;
}
double from_ordered(std::int64_t ordered) {
  return std::bit_cast<double>(ordered >= 0 ? ordered
                                            : std::numeric_limits<std::int64_t>::min() - ordered);
}

/// Empty if the work ends, or else the kind of the error and its text. What is not an error of the
/// input names this rank. Nothing is let through: the other ranks would wait for this one.
std::string report_of(const Ranks& ranks, const std::function<void()>& work) {
  const auto told = [](Error::Kind kind, const std::string& what) {
    return std::string(1, static_cast<char>('0' + static_cast<int>(kind))) + what;
  };
  const auto failed_here = [&](const std::string& what) {
    return told(Error::Kind::resource, ranks.description() + ": " + what);
  };
  try {
    work();
  } catch (const Error& error) {
    const bool here = error.kind() == Error::Kind::io;  // others may see the file
    return told(error.kind(), here ? ranks.description() + ": " + error.what() : error.what());
  } catch (const std::bad_alloc&) {
    return failed_here("out of memory; more ranks need less each");
  } catch (const std::exception& error) {
    return failed_here(error.what());
  } catch (...) {
    return failed_here("an exception of unknown type");
  }
  return {};
}

}  // namespace

std::string Ranks::description() const {
  const std::string name = host();
  return fmt::format("rank {} of {}{}{}", rank(), count(), name.empty() ? "" : " on ", name);
}

Ranks::Bytes join_on_first(Ranks* ranks, std::span<const std::byte> own) {
  if (ranks == nullptr) return {own.begin(), own.end()};
  const std::vector<std::size_t> sizes = detail::gather_one(*ranks, own.size());
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

double sum_over_ranks(Ranks* ranks, std::span<const double> numbers) {
  ExactSum sum;
  for (const double number : numbers) sum.add(number);
  if (ranks != nullptr) ranks->sum(sum.numbers());
  return sum.value();
}

namespace detail {

Bytes deal_from_first(Ranks* ranks, std::span<const std::byte> all, std::size_t own) {
  if (ranks == nullptr) return {all.begin(), all.end()};
  const std::vector<std::size_t> sizes = gather_one(*ranks, own);
  const std::size_t longest = *std::ranges::max_element(sizes), step = piece_of(*ranks);
  Bytes part;
  part.reserve(own);
  std::vector<Bytes> parcels(sizes.size());
  for (std::size_t begin = 0; begin < longest; begin += step) {
    std::size_t start = 0;
    for (std::size_t r = 0; ranks->first() && r < sizes.size(); start += sizes[r++]) {
      const auto sent = piece(all.subspan(start, sizes[r]), begin, step);
      parcels[r].assign(sent.begin(), sent.end());
    }
    const Bytes received = ranks->exchange(parcels).front();
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

std::vector<std::string> gather_texts(Ranks& ranks, std::string_view own) {
  std::vector<std::string> texts;
  for (const Bytes& parcel : ranks.gather(std::as_bytes(std::span(own)))) {
    texts.push_back(text_of(parcel));
  }
  return texts;
}

std::int64_t total(Ranks& ranks, std::int64_t own) {
  ranks.sum(std::span(&own, 1));
  return own;
}

std::int64_t largest(Ranks& ranks, std::int64_t own) {
  own = -own;
  ranks.least(std::span(&own, 1));
  return -own;
}

double largest(Ranks& ranks, double own) { return from_ordered(largest(ranks, as_ordered(own))); }

bool any(Ranks& ranks, bool own) { return total(ranks, own ? 1 : 0) != 0; }

std::size_t before_mine(Ranks& ranks, std::int64_t own) {
  const auto numbers = gather_one(ranks, own);
  const auto before =
      std::accumulate(numbers.begin(), numbers.begin() + ranks.rank(), std::int64_t{0});
  return before;
}

void sum_fixed(Ranks& ranks, std::span<Fixed> numbers) {
  static_assert(sizeof(Fixed) == sizeof(Ranks::Wide));
  auto wide = items_of<Ranks::Wide>(std::as_bytes(numbers));
  ranks.sum(wide);
  if (!wide.empty()) std::memcpy(numbers.data(), wide.data(), numbers.size_bytes());
}

void together(Ranks& ranks, const std::function<void()>& work) {
  const std::string own = report_of(ranks, work);
  if (!any(ranks, !own.empty())) return;
  for (const std::string& told : gather_texts(ranks, own)) {
    if (!told.empty()) throw Error(static_cast<Error::Kind>(told[0] - '0'), told.substr(1));
  }
}

void send_in_rounds(Ranks& ranks, const FillParcels& fill, const TakeParcel& take) {
  for (bool more = true; any(ranks, more);) {
    std::vector<Bytes> parcels(ranks.count());
    if (more) more = fill(parcels);
    const std::vector<Bytes> arrived = ranks.exchange(parcels);
    for (std::size_t from = 0; from < arrived.size(); ++from) take(from, arrived[from]);
  }
}

}  // namespace detail

}  // namespace srgw
