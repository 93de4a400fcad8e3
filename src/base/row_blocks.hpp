// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

#include "base/parallel.hpp"

namespace srgw::detail {

/// Calls `work(block, begin, end, worker)` for the rows [begin, end) of each block.
template <class Work>
void for_each_block(Index rows, int threads, const Work& work) {
  // Two captures fit into a std::function without memory of its own.
  parallel_for(block_count(rows), threads, [&work, rows](Index block, int worker) {
    const Index begin = block * block_rows;
    work(block, begin, std::min(rows, begin + block_rows), worker);
  });
}

/// Calls `work(row)` for all rows, block by block.
template <class Work>
void for_each_row(Index rows, int threads, const Work& work) {
  for_each_block(rows, threads, [&](Index, Index begin, Index end, int) {
    for (Index i = begin; i < end; ++i) work(i);
  });
}

/// A sum for each block, the same on any number of threads: `add(sum, row)` gives the next one.
template <class Add>
[[nodiscard]] std::vector<double> block_sums(Index rows, int threads, const Add& add) {
  std::vector<double> sums(block_count(rows), 0);
  for_each_block(rows, threads, [&](Index block, Index begin, Index end, int) {
    double sum = 0;
    for (Index i = begin; i < end; ++i) sum = add(sum, i);
    sums[block] = sum;
  });
  return sums;
}

/// `sum` plus part(begin, end) of each block, in their order: the same bits on any number of
/// threads.
template <class Sum, class Part>
[[nodiscard]] Sum sum_over_blocks(Index rows, int threads, Sum sum, const Part& part) {
  if (rows <= block_rows) {  // small graphs come in thousands: nothing is allocated
    sum += part(Index{0}, rows);
    return sum;
  }
  std::vector<Sum> parts(block_count(rows));
  for_each_block(rows, threads, [&](Index block, Index begin, Index end, int) {
    parts[block] = part(begin, end);
  });
  for (const Sum& one : parts) sum += one;
  return sum;
}

}  // namespace srgw::detail
