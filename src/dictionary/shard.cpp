// SPDX-License-Identifier: MIT
#include "dictionary/shard.hpp"

#include <bit>

namespace srgw::detail {

Shard::Shard(std::size_t own, Ranks* ranks) : ranks_(ranks) {
  const std::vector<std::size_t> sizes = gather(own);
  for (std::size_t r = 0; r < sizes.size(); ++r) {
    if (ranks != nullptr && static_cast<int>(r) == ranks->rank()) begin_ = total_;
    total_ += sizes[r];
  }
  end_ = begin_ + own;
}

void Shard::sum(std::span<Fixed> numbers) {
  if (ranks_ == nullptr) return;
  std::vector<Ranks::Wide> wide(numbers.size());
  static_assert(sizeof(Ranks::Wide) == sizeof(Fixed));
  if (!wide.empty())
    std::memcpy(static_cast<void*>(wide.data()), numbers.data(), numbers.size_bytes());
  ranks_->sum(std::span(wide));
  if (!wide.empty()) std::memcpy(numbers.data(), wide.data(), numbers.size_bytes());
}

void Shard::sum(std::span<std::int64_t> numbers) {
  if (ranks_ != nullptr) ranks_->sum(numbers);
}

double Shard::sum(ExactSum numbers) {
  sum(numbers.numbers());
  return numbers.value();
}

bool Shard::all(bool here) {
  std::int64_t number = here ? 1 : 0;
  if (ranks_ != nullptr) ranks_->least(std::span(&number, 1));
  return number != 0;
}

double Shard::largest(double not_negative) {
  // Numbers that are not negative are in the order of their bits.
  std::int64_t number = -std::bit_cast<std::int64_t>(not_negative);
  if (ranks_ != nullptr) ranks_->least(std::span(&number, 1));
  return std::bit_cast<double>(-number);
}

}  // namespace srgw::detail
