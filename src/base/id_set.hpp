// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "srgw/types.hpp"

namespace srgw::detail {

/// The ids that occur, and the place of each among them: a bit for each id up to the largest.
class IdSet {
 public:
  explicit IdSet(NodeId largest) : words_(std::size_t{largest} / 64 + 1, 0) {}

  void add(NodeId id) { words_[id / 64] |= std::uint64_t{1} << (id % 64); }
  void add(const IdSet& other) { add_words(0, other.words_); }
  /// 64 ids a word, from the given word on.
  void add_words(std::size_t first, std::span<const std::uint64_t> words) {
    for (std::size_t w = 0; w < words.size(); ++w) words_[first + w] |= words[w];
  }
  [[nodiscard]] std::span<const std::uint64_t> words() const { return words_; }
  /// Ends the adding; what follows may be asked from here on.
  void count() {
    before_.reserve(words_.size());
    for (const std::uint64_t word : words_) {
      before_.push_back(static_cast<NodeId>(total_));
      total_ += std::popcount(word);
    }
  }
  [[nodiscard]] Index total() const { return total_; }
  [[nodiscard]] NodeId place(NodeId id) const {
    const std::uint64_t below = words_[id / 64] & ((std::uint64_t{1} << (id % 64)) - 1);
    return before_[id / 64] + static_cast<NodeId>(std::popcount(below));
  }
  [[nodiscard]] std::vector<std::int64_t> ids() const { return ids(0, total_); }
  /// Those at the places [begin, end).
  template <class Id = std::int64_t>
  [[nodiscard]] std::vector<Id> ids(Index begin, Index end) const {
    std::vector<Id> result;
    result.reserve(end - begin);
    // The last word with fewer than `begin` before it may hold the first.
    const auto above = std::upper_bound(before_.begin(), before_.end(), begin);
    const auto first = above == before_.begin() ? 0 : above - before_.begin() - 1;
    for (std::size_t w = first; w < words_.size() && before_[w] < end; ++w) {
      Index at = before_[w];
      for (std::uint64_t word = words_[w]; word != 0 && at < end; word &= word - 1, ++at) {
        if (at < begin) continue;
        result.push_back(
            static_cast<Id>(64 * w + static_cast<std::size_t>(std::countr_zero(word))));
      }
    }
    return result;
  }

 private:
  std::vector<std::uint64_t> words_;
  std::vector<NodeId> before_;
  Index total_ = 0;
};

}  // namespace srgw::detail
