// SPDX-License-Identifier: MIT
#include "dictionary/embedder.hpp"

namespace srgw::detail {

Embedder::Embedder(const Projection& projection, bool rows, int threads)
    : projector_(projection, threads, rows), found_(threads) {}

const Embedder::Projected& Embedder::embed(int worker, const Sample& sample, const Starts& starts) {
  Projected& found = found_[worker];
  const RowDescent* rows = projector_.descend(worker, sample);
  if (rows != nullptr) {
    found.value = rows->value();
    found.weights = rows->target_weights();
  }
  if (starts.random > 0) {
    const Solution solution = projector_.best(
        worker, sample, {.random = starts.random, .seed = starts.seed, .item = starts.item});
    if (rows == nullptr || solution.value < found.value) {
      found.value = solution.value;
      found.weights = solution.target_weights;
    }
  } else if (rows == nullptr) {
    const Solution& solution = projector_.solve(worker, sample);
    found.value = solution.value;
    found.weights = solution.target_weights;
  }
  return found;
}

}  // namespace srgw::detail
