// SPDX-License-Identifier: MIT
#include "ranks/exchange.hpp"

#include <utility>

#include "base/id_set.hpp"

namespace srgw::detail {

Exchange::Exchange(Ranks& ranks, std::vector<Index> starts, std::span<NodeId> columns)
    : ranks_(&ranks), starts_(std::move(starts)), bytes_before_(ranks.traffic().bytes) {
  const auto mine = at_rank();
  const auto first = static_cast<NodeId>(starts_[mine]);
  const auto last = static_cast<NodeId>(starts_[mine + 1]);
  own_rows_ = last - first;
  IdSet others(static_cast<NodeId>(starts_.back()));
  for (const NodeId node : columns) {
    if (node < first || node >= last) others.add(node);
  }
  others.count();
  copies_ = others.ids<NodeId>(0, others.total());
  copies_from_.resize(starts_.size());
  for (std::size_t r = 0; r < starts_.size(); ++r) {
    copies_from_[r] = static_cast<std::size_t>(
        std::lower_bound(copies_.begin(), copies_.end(), starts_[r],
                         [](NodeId node, Index start) { return Index{node} < start; }) -
        copies_.begin());
  }
  for (NodeId& node : columns) {
    node = node >= first && node < last ? node - first : own_rows_ + others.place(node);
  }
  // Each rank is told which of its rows are wanted here.
  std::vector<Bytes> parcels(ranks.count());
  for (std::size_t r = 0; r < parcels.size(); ++r) {
    put_all(parcels[r], std::span<const NodeId>(copies_).subspan(
                            copies_from_[r], copies_from_[r + 1] - copies_from_[r]));
  }
  const std::vector<Bytes> came = ranks.exchange(parcels);
  wanted_.resize(came.size());
  for (std::size_t r = 0; r < came.size(); ++r) {
    wanted_[r] = items_of<NodeId>(came[r]);
    for (NodeId& node : wanted_[r]) node -= first;
    most_wanted_ = std::max(most_wanted_, wanted_[r].size());
  }
  most_wanted_ = static_cast<std::size_t>(largest(static_cast<double>(most_wanted_)));
}

int Exchange::holder(NodeId node) const {
  if (alone()) return 0;
  // Ranks without rows hold nothing: the last that begins at or before the node does.
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), Index{node});
  return static_cast<int>(after - starts_.begin()) - 1;
}

void Exchange::sum(std::span<Fixed> numbers) const {
  if (!alone() && !numbers.empty()) sum_fixed(*ranks_, numbers);
}

void Exchange::sum(std::span<std::int64_t> numbers) const {
  if (!alone() && !numbers.empty()) ranks_->sum(numbers);
}

void Exchange::least(std::span<std::int64_t> numbers) const {
  if (!alone() && !numbers.empty()) ranks_->least(numbers);
}

double Exchange::largest(double number) const {
  return alone() ? number : detail::largest(*ranks_, number);
}

void Exchange::share(int from, std::span<std::byte> bytes) const {
  if (alone()) return;
  const bool mine = rank() == from;
  const std::vector<Bytes> came =
      ranks_->gather(mine ? std::span<const std::byte>(bytes) : std::span<const std::byte>());
  std::ranges::copy(came[from], bytes.begin());
}

Bytes Exchange::join(std::span<const std::byte> own) const {
  return alone() ? Bytes(own.begin(), own.end()) : join_items<std::byte>(ranks_->gather(own));
}

}  // namespace srgw::detail
