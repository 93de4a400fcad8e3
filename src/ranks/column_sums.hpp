// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "base/exact_sum.hpp"
#include "srgw/ranks.hpp"
#include "srgw/types.hpp"

namespace srgw::detail {

/// Sums of the columns of rows, over all ranks: exact, so that the order of rows does not matter.
class ColumnSums {
 public:
  explicit ColumnSums(Index columns) : sums_(columns) {}
  void add(const Vector& row) {
    for (std::size_t c = 0; c < sums_.size(); ++c) sums_[c].add(row[static_cast<Index>(c)]);
  }
  [[nodiscard]] Vector values(Ranks* ranks) {
    Vector values(std::ssize(sums_));
    for (std::size_t c = 0; c < sums_.size(); ++c) {
      if (ranks != nullptr) ranks->sum(sums_[c].numbers());
      values[static_cast<Index>(c)] = sums_[c].value();
    }
    return values;
  }

 private:
  std::vector<ExactSum> sums_;
};

}  // namespace srgw::detail
