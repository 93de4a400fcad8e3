// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

#include "base/parallel.hpp"

namespace srgw::detail {

/// Calls `work(block, first, last, worker)` for the rows [first, last) of each block.
template <class Work>
void for_each_block(std::size_t rows, int threads, const Work& work) {
  const auto count = static_cast<Index>(rows);
  parallel_for(block_count(count), threads, [&](Index block, int worker) {
    const std::size_t first = block * block_rows;
    work(block, first, std::min(rows, first + block_rows), worker);
  });
}

/// Calls `work(row)` for all rows, block by block.
template <class Work>
void for_each_row(std::size_t rows, int threads, const Work& work) {
  for_each_block(rows, threads, [&](Index, std::size_t first, std::size_t last, int) {
    for (std::size_t i = first; i < last; ++i) work(i);
  });
}

/// A sum for each block, the same on any number of threads: `add(sum, row)` gives the next one.
template <class Add>
[[nodiscard]] std::vector<double> block_sums(std::size_t rows, int threads, const Add& add) {
  std::vector<double> sums(block_count(static_cast<Index>(rows)), 0);
  for_each_block(rows, threads, [&](Index block, std::size_t first, std::size_t last, int) {
    double sum = 0;
    for (std::size_t i = first; i < last; ++i) sum = add(sum, i);
    sums[block] = sum;
  });
  return sums;
}

}  // namespace srgw::detail
