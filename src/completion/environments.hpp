// SPDX-License-Identifier: MIT
#pragma once

#include <map>

#include "completion/surroundings.hpp"
#include "srgw/completion.hpp"

namespace srgw::detail {

/// Environments of a node: its degree and features, then with those of neighbours, then of theirs.
/// Without features two sizes are enough: larger ones, which few graphs share, tell trees which
/// graph they are in rather than what such nodes have.
[[nodiscard]] constexpr Index environment_sizes(Index features) { return features > 0 ? 4 : 2; }

/// A number for each node and size (n x environment_sizes, row by row): nodes with the same numbers
/// look alike so far.
[[nodiscard]] std::vector<std::uint64_t> environment_codes(const SeenGraph& graph);

/// Ties and pairs by code, to be added up.
class EnvironmentCounts {
 public:
  void add(std::uint64_t code, double ties, double pairs);
  void add(const EnvironmentCounts& other);
  [[nodiscard]] EnvironmentMemory memory() const;

 private:
  friend void recall(const EnvironmentMemory& memory, const EnvironmentCounts* without,
                     SeenGraph& graph);
  struct Count {
    double ties = 0, pairs = 0;
  };
  std::map<std::uint64_t, Count> counts_;
};

/// Sets what is remembered of the nodes of a graph: the logit of the share of ties, where few pairs
/// are known drawn towards that of the next smaller environment; `without` is left out (what a
/// training graph and others with it have added).
void recall(const EnvironmentMemory& memory, const EnvironmentCounts* without, SeenGraph& graph);

}  // namespace srgw::detail
