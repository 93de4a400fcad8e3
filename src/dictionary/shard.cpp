// SPDX-License-Identifier: MIT
#include "dictionary/shard.hpp"

namespace srgw::detail {

Matrix join_rows_on_first(const Matrix& rows, Ranks* ranks) {
  if (ranks == nullptr) return rows;
  const std::vector<double> own(rows.data(), rows.data() + rows.size());
  const std::vector<double> all = join_on_first(ranks, own);
  return MatrixSpan(all.data(), std::ssize(all) / rows.cols(), rows.cols());
}

Shard::Shard(std::size_t own, Ranks* ranks) : ranks_(ranks) {
  const std::vector<std::size_t> sizes = gather(own);
  for (std::size_t r = 0; r < sizes.size(); ++r) {
    if (ranks != nullptr && static_cast<int>(r) == ranks->rank()) begin_ = total_;
    total_ += sizes[r];
  }
  end_ = begin_ + own;
}

void Shard::sum(std::span<Fixed> numbers) {
  if (ranks_ != nullptr) sum_fixed(*ranks_, numbers);
}

void Shard::sum(std::span<std::int64_t> numbers) {
  if (ranks_ != nullptr) ranks_->sum(numbers);
}

double Shard::sum(ExactSum numbers) {
  sum(numbers.numbers());
  return numbers.value();
}

bool Shard::all(bool here) { return ranks_ == nullptr ? here : !any(*ranks_, !here); }

double Shard::largest(double number) {
  return ranks_ == nullptr ? number : detail::largest(*ranks_, number);
}

}  // namespace srgw::detail
