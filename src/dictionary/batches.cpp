// SPDX-License-Identifier: MIT
#include "dictionary/batches.hpp"

#include <numeric>
#include <unordered_set>

#include "base/sampling.hpp"

namespace srgw::detail {

std::vector<std::size_t> epoch_order(std::size_t count, std::uint64_t seed, std::uint64_t epoch) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random random = stream(seed, Draw::order, epoch);
  shuffle(order, random);
  return order;
}

std::vector<std::size_t> drawn_batch(std::size_t count, std::size_t size, std::uint64_t seed,
                                     std::uint64_t step) {
  Random random = stream(seed, Draw::batch, step);
  std::vector<std::size_t> batch;
  if (2 * size > count) {  // too many would be drawn twice
    batch.resize(count);
    std::iota(batch.begin(), batch.end(), std::size_t{0});
    shuffle(batch, random);
    batch.resize(std::min(size, count));
    return batch;
  }
  std::unordered_set<std::size_t> taken;
  while (batch.size() < size) {
    const std::size_t graph = random.below(count);
    if (taken.insert(graph).second) batch.push_back(graph);
  }
  return batch;
}

}  // namespace srgw::detail
