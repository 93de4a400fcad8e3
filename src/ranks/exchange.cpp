// SPDX-License-Identifier: MIT
#include "ranks/exchange.hpp"

#include <bit>
#include <utility>

namespace srgw::detail {

namespace {

/// Nodes of the whole graph that were named, and where each is among them: a bit for each node,
/// which is gone before anything else is made.
class NodeSet {
 public:
  explicit NodeSet(std::size_t nodes) : words_(nodes / 64 + 1, 0), before_(words_.size(), 0) {}

  void add(NodeId node) { words_[node / 64] |= std::uint64_t{1} << node % 64; }
  void settle(std::vector<NodeId>& members) {
    std::uint32_t count = 0;
    for (std::size_t w = 0; w < words_.size(); ++w) {
      before_[w] = count;
      count += static_cast<std::uint32_t>(std::popcount(words_[w]));
    }
    members.clear();
    members.reserve(count);
    for (std::size_t w = 0; w < words_.size(); ++w) {
      for (std::uint64_t left = words_[w]; left != 0; left &= left - 1) {
        members.push_back(static_cast<NodeId>(64 * w) +
                          static_cast<NodeId>(std::countr_zero(left)));
      }
    }
  }
  [[nodiscard]] std::uint32_t position(NodeId node) const {
    const std::uint64_t below = words_[node / 64] & ((std::uint64_t{1} << node % 64) - 1);
    return before_[node / 64] + static_cast<std::uint32_t>(std::popcount(below));
  }

 private:
  std::vector<std::uint64_t> words_;
  std::vector<std::uint32_t> before_;
};

}  // namespace

Exchange::Exchange(Ranks& ranks, std::vector<Index> starts, std::span<NodeId> columns)
    : ranks_(&ranks), starts_(std::move(starts)), bytes_before_(ranks.traffic().bytes) {
  const auto mine = at_rank();
  const auto first = static_cast<NodeId>(starts_[mine]);
  const auto last = static_cast<NodeId>(starts_[mine + 1]);
  own_rows_ = last - first;
  NodeSet others(starts_.back());
  for (const NodeId node : columns) {
    if (node < first || node >= last) others.add(node);
  }
  others.settle(copies_);
  copies_from_.resize(starts_.size());
  for (std::size_t r = 0; r < starts_.size(); ++r) {
    copies_from_[r] = static_cast<std::size_t>(
        std::lower_bound(copies_.begin(), copies_.end(), starts_[r],
                         [](NodeId node, Index start) { return Index{node} < start; }) -
        copies_.begin());
  }
  for (NodeId& node : columns) {
    node = node >= first && node < last ? node - first : own_rows_ + others.position(node);
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
