// SPDX-License-Identifier: MIT
#include "io/shards/mail.hpp"

#include <new>
#include <numeric>

namespace srgw::detail {

namespace {

/// What a rank says about its work: nothing, or the kind of an error and its text.
std::string report_of(const std::function<void()>& work) {
  const auto told = [](Error::Kind kind, const char* what) {
    return std::string(1, static_cast<char>('0' + static_cast<int>(kind))) + what;
  };
  try {
    work();
  } catch (const Error& error) {
    return told(error.kind(), error.what());
  } catch (const std::bad_alloc&) {
    return told(Error::Kind::resource, "a rank is out of memory; more ranks need less each");
  }
  return {};
}

}  // namespace

std::vector<std::int64_t> gather_numbers(Ranks& ranks, std::int64_t own) {
  std::vector<std::int64_t> numbers;
  for (const Bytes& parcel : ranks.gather(std::as_bytes(std::span(&own, 1)))) {
    numbers.push_back(items_of<std::int64_t>(parcel).front());
  }
  return numbers;
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

bool any(Ranks& ranks, bool own) { return total(ranks, own ? 1 : 0) != 0; }

std::size_t before_mine(Ranks& ranks, std::int64_t own) {
  const auto numbers = gather_numbers(ranks, own);
  const auto before =
      std::accumulate(numbers.begin(), numbers.begin() + ranks.rank(), std::int64_t{0});
  return static_cast<std::size_t>(before);
}

std::string_view share_of_lines(std::string_view text, const Ranks& ranks) {
  const std::size_t count = ranks.count();
  const auto begin_of = [&](std::size_t rank) {
    const std::size_t at = text.size() / count * rank;
    if (at == 0) return std::size_t{0};
    if (rank == count) return text.size();
    const std::size_t end = text.find('\n', at - 1);
    return end == std::string_view::npos ? text.size() : end + 1;
  };
  const std::size_t mine = ranks.rank();
  const std::size_t begin = begin_of(mine);
  const std::size_t end = mine + 1 == count ? text.size() : begin_of(mine + 1);
  return text.substr(begin, end - begin);
}

void together(Ranks& ranks, const std::function<void()>& work) {
  const std::string own = report_of(work);
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

}  // namespace srgw::detail
