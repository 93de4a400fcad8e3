// SPDX-License-Identifier: MIT
#include "io/shards/ids.hpp"

#include <algorithm>
#include <numeric>

namespace srgw::detail {

namespace {

using Ids = std::vector<std::int64_t>;

/// Where ranges of ids begin, all but the first: quantiles of samples of all ranks.
Ids splitters(Ranks& ranks, const Ids& own) {
  constexpr std::size_t wanted = 512;
  Ids sample;
  for (std::size_t i = 0; i < std::min(own.size(), wanted); ++i) {
    sample.push_back(own[i * own.size() / std::min(own.size(), wanted)]);
  }
  Ids all = gather_items(ranks, sample);
  std::sort(all.begin(), all.end());
  Ids result;
  const std::size_t count = ranks.count();
  for (std::size_t r = 1; r < count && !all.empty(); ++r) {
    result.push_back(all[r * all.size() / count]);
  }
  result.resize(count - 1, 0);
  return result;
}

/// Ascending lists, united.
Ids unite_lists(const std::vector<Ids>& lists) {
  Ids all;
  for (const Ids& list : lists) all.insert(all.end(), list.begin(), list.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

}  // namespace

SharedIds SharedIds::dense(Ranks& ranks, IdSet occurring, NodeId largest) {
  // Each rank unites a part of all words, and all get all parts.
  const auto words = occurring.words();
  const std::size_t count = ranks.count();
  const auto part = [&](std::size_t r) { return words.size() * r / count; };
  std::vector<Bytes> parcels;
  for (std::size_t r = 0; r < count; ++r) {
    parcels.push_back(parcel_of(words.subspan(part(r), part(r + 1) - part(r))));
  }
  const std::size_t mine = ranks.rank();
  for (const Bytes& parcel : ranks.exchange(parcels)) {
    occurring.add_words(part(mine), items_of<std::uint64_t>(parcel));
  }
  const auto own = occurring.words().subspan(part(mine), part(mine + 1) - part(mine));
  const std::vector<Bytes> all = ranks.gather(std::as_bytes(own));
  for (std::size_t r = 0; r < count; ++r) {
    occurring.add_words(part(r), items_of<std::uint64_t>(all[r]));
  }
  occurring.count();
  SharedIds result;
  result.total_ = occurring.total();
  result.bits_ = std::move(occurring);
  result.largest_ = largest;
  return result;
}

SharedIds SharedIds::sparse(Ranks& ranks, Ids own) {
  const Ids begins = splitters(ranks, own);
  std::vector<Bytes> parcels;
  auto at = own.begin();
  for (std::size_t r = 0; r <= begins.size(); ++r) {
    const auto end = r < begins.size() ? std::lower_bound(at, own.end(), begins[r]) : own.end();
    parcels.push_back(parcel_of(std::span<const std::int64_t>(at, end)));
    at = end;
  }
  own = {};
  std::vector<Ids> asked;
  for (const Bytes& parcel : ranks.exchange(parcels)) {
    asked.push_back(items_of<std::int64_t>(parcel));
  }
  SharedIds result;
  result.kept_ = unite_lists(asked);
  const auto counts = gather_one<Index>(ranks, std::ssize(result.kept_));
  result.first_ = std::accumulate(counts.begin(), counts.begin() + ranks.rank(), Index{0});
  result.total_ = std::accumulate(counts.begin(), counts.end(), Index{0});

  // The answers come back in the order of the questions, which is that of `own`.
  for (std::size_t r = 0; r < asked.size(); ++r) {
    parcels[r].clear();
    auto found = result.kept_.begin();
    for (const std::int64_t id : asked[r]) {
      found = std::lower_bound(found, result.kept_.end(), id);
      put(parcels[r], static_cast<NodeId>(result.first_ + (found - result.kept_.begin())));
    }
    asked[r] = {};
  }
  result.places_ = join_items<NodeId>(ranks.exchange(parcels));
  return result;
}

NodeNames SharedIds::names(Ranks& ranks, std::span<const Index> starts) const {
  const std::size_t mine = ranks.rank();
  const Index begin = starts[mine], end = starts[mine + 1];
  if (bits_) {
    if (total_ == Index{largest_} + 1) return NodeNames::numbered(end - begin, begin);
    return NodeNames(bits_->ids(begin, end));
  }
  const Index last = first_ + std::ssize(kept_);
  std::vector<Bytes> parcels;
  for (std::size_t r = 0; r + 1 < starts.size(); ++r) {
    const Index from = std::clamp(starts[r], first_, last),
                to = std::clamp(starts[r + 1], from, last);
    parcels.push_back(parcel_of(std::span(kept_).subspan(from - first_, to - from)));
  }
  return NodeNames(join_items<std::int64_t>(ranks.exchange(parcels)));
}

}  // namespace srgw::detail
