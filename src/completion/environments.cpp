// SPDX-License-Identifier: MIT
#include "completion/environments.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/hashing.hpp"

namespace srgw::detail {

std::vector<std::uint64_t> environment_codes(const SeenGraph& graph) {
  const std::size_t n = graph.size();
  const std::size_t sizes = environment_sizes(graph.features.cols());
  std::vector<std::uint64_t> codes(n * sizes), around;
  for (std::size_t i = 0; i < n; ++i) {
    std::uint64_t code = join_hashes(1, graph.neighbours[i].size());
    for (Index c = 0; c < graph.features.cols(); ++c) {
      code =
          join_hashes(code, std::bit_cast<std::uint64_t>(graph.features(static_cast<Index>(i), c)));
    }
    codes[i * sizes] = code;
  }
  for (std::size_t r = 1; r < sizes; ++r) {
    for (std::size_t i = 0; i < n; ++i) {
      around.clear();
      for (const NodeId j : graph.neighbours[i]) around.push_back(codes[j * sizes + r - 1]);
      std::ranges::sort(around);
      std::uint64_t code = join_hashes(codes[i * sizes + r - 1], r);
      for (const std::uint64_t other : around) code = join_hashes(code, other);
      codes[i * sizes + r] = code;
    }
  }
  return codes;
}

void EnvironmentCounts::add(std::uint64_t code, double ties, double pairs) {
  Count& count = counts_[code];
  count.ties += ties;
  count.pairs += pairs;
}

void EnvironmentCounts::add(const EnvironmentCounts& other) {
  for (const auto& [code, count] : other.counts_) add(code, count.ties, count.pairs);
}

EnvironmentMemory EnvironmentCounts::memory() const {
  EnvironmentMemory memory;
  for (const auto& [code, count] : counts_) {
    memory.codes.push_back(code);
    memory.ties.push_back(count.ties);
    memory.pairs.push_back(count.pairs);
  }
  return memory;
}

void recall(const EnvironmentMemory& memory, const EnvironmentCounts* without, SeenGraph& graph) {
  constexpr double prior = 4;  // pairs that a smaller environment counts for
  const std::vector<std::uint64_t> codes = environment_codes(graph);
  const Index sizes = environment_sizes(graph.features.cols());
  graph.remembered.resize(graph.size(), sizes);
  for (Index i = 0; i < graph.size(); ++i) {
    double share = 0.2;
    for (Index r = 0; r < sizes; ++r) {
      const std::uint64_t code = codes[i * sizes + r];
      double ties = 0, pairs = 0;
      const auto found = std::ranges::lower_bound(memory.codes, code);
      if (found != memory.codes.end() && *found == code) {
        const std::size_t at = found - memory.codes.begin();
        ties = memory.ties[at];
        pairs = memory.pairs[at];
        if (without != nullptr) {
          const auto own = without->counts_.find(code);
          if (own != without->counts_.end()) {
            ties -= own->second.ties;
            pairs -= own->second.pairs;
          }
        }
      }
      share = std::clamp((ties + prior * share) / (pairs + prior), 1e-4, 1 - 1e-4);
      graph.remembered(i, r) = std::log(share / (1 - share));
    }
  }
}

}  // namespace srgw::detail
