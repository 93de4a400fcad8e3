// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/exact_sum.hpp"
#include "base/fixed_point.hpp"
#include "ranks/parcel.hpp"
#include "srgw/types.hpp"

namespace srgw::detail {

/// Rows of all ranks one below the other, on the first; null: this process alone.
[[nodiscard]] Matrix join_rows_on_first(const Matrix& rows, Ranks* ranks);

/// Which of the graphs of all ranks are here, and what ranks tell each other about them. One
/// process has them all, and nothing is left to do. Calls that are not const are collective.
class Shard {
 public:
  /// All graphs are here.
  explicit Shard(std::size_t graphs) : end_(graphs), total_(graphs) {}
  /// `own` graphs are here, others on other ranks; null: this process alone.
  Shard(std::size_t own, Ranks* ranks);

  [[nodiscard]] std::size_t first() const { return begin_; }
  [[nodiscard]] std::size_t own() const { return end_ - begin_; }
  [[nodiscard]] std::size_t total() const { return total_; }
  [[nodiscard]] bool has(std::size_t graph) const { return graph >= begin_ && graph < end_; }
  [[nodiscard]] Ranks* ranks() const { return ranks_; }
  [[nodiscard]] bool is_first() const { return ranks_ == nullptr || ranks_->first(); }

  /// Over all ranks.
  void sum(std::span<Fixed> numbers);
  void sum(std::span<std::int64_t> numbers);
  [[nodiscard]] double sum(ExactSum numbers);
  [[nodiscard]] bool all(bool here);
  [[nodiscard]] double largest(double number);

  /// The items of all ranks, in their order.
  template <class T>
  [[nodiscard]] std::vector<T> gather(const T& here) {
    return ranks_ == nullptr ? std::vector<T>{here} : gather_one(*ranks_, here);
  }
  /// Numbers of all ranks one behind the other, on every rank.
  template <class T>
  [[nodiscard]] std::vector<T> gather_all(const std::vector<T>& here) {
    if (ranks_ == nullptr) return here;
    std::vector<T> result = join_on_first(ranks_, here);
    const std::vector<std::size_t> sizes = gather(here.size());
    std::size_t size = 0;
    for (const std::size_t part : sizes) size += part;
    result.resize(size);
    broadcast(std::span(result));
    return result;
  }
  /// All ranks get the numbers of the first.
  template <class T>
  void broadcast(std::span<T> numbers) {
    constexpr std::size_t step = (std::size_t{1} << 28) / sizeof(T);  // of one message
    for (std::size_t i = 0; ranks_ != nullptr && i < numbers.size(); i += step) {
      ranks_->broadcast(
          std::as_writable_bytes(numbers.subspan(i, std::min(step, numbers.size() - i))));
    }
  }

 private:
  Ranks* ranks_ = nullptr;
  std::size_t begin_ = 0, end_ = 0, total_ = 0;
};

}  // namespace srgw::detail
