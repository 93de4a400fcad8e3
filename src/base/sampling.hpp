// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "base/random.hpp"
#include "srgw/types.hpp"

namespace srgw::detail {

/// Draws the number of places before the next one that is taken, where each is taken with
/// probability p > 0: a geometric number, so that only taken places cost time.
class Skips {
 public:
  explicit Skips(Random& random) : random_(random) {}

  /// May be infinite, and is therefore no integer.
  [[nodiscard]] double draw(double p) {
    if (p != p_) {
      p_ = p;
      log_of_rest_ = std::log1p(-p);
    }
    return std::floor(std::log(1 - random_.uniform()) / log_of_rest_);
  }

 private:
  Random& random_;
  double p_ = 0, log_of_rest_ = 0;
};

/// Visits each place in [0, count) with probability p, independently, in order.
template <class Visit>
void visit_places(Index count, double p, Random& random, Visit visit) {
  if (p == 0) return;
  Skips skips(random);
  for (Index place = 0;; ++place) {
    const double skip = skips.draw(p);
    if (skip >= static_cast<double>(count - place)) return;
    place += static_cast<Index>(skip);
    visit(place);
  }
}

/// Visits each pair of `nodes` with probability min(1, factor d_i d_j), independently. Nodes are in
/// order of falling degree, so probabilities fall along the row of a node: a skip is drawn for the
/// last probability seen, and what it hits is kept with the ratio of the true one to that.
/// Miller and Hagberg: Efficient generation of networks with given expected degrees (2011).
template <class Visit>
void visit_pairs(std::span<const NodeId> nodes, const Vector& degrees, double factor,
                 Random& random, Visit visit) {
  const auto probability = [&](std::size_t i, std::size_t j) {
    return std::min(1.0, factor * degrees[nodes[i]] * degrees[nodes[j]]);
  };
  Skips skips(random);
  for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
    double bound = probability(i, i + 1);
    for (std::size_t j = i + 1; bound > 0; ++j) {
      const double skip = skips.draw(bound);
      if (skip >= static_cast<double>(nodes.size() - j)) break;
      j += static_cast<std::size_t>(skip);
      const double p = probability(i, j);
      if (p == bound || random.uniform() * bound < p) visit(nodes[i], nodes[j]);
      bound = p;
    }
  }
}

/// A random order of the items.
template <class Items>
void shuffle(Items& items, Random& random) {
  for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[random.below(i)]);
}

/// Draws `count` items, which come to the front in the order in which they were drawn.
template <class Items>
void draw_to_front(Items& items, std::size_t count, Random& random) {
  for (std::size_t i = 0; i < count; ++i) {
    std::swap(items[i], items[i + random.below(items.size() - i)]);
  }
}

}  // namespace srgw::detail
