// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <vector>

#include "base/exact_sum.hpp"
#include "base/fixed_point.hpp"
#include "dictionary/atom_sums.hpp"
#include "dictionary/shard.hpp"

namespace srgw::detail {

/// Bounds of sums over graphs: T'C T is below (h'(C o C)h)^(1/2), T'F below (sum_i h_i
/// |F_i|^2)^(1/2) since weights sum to 1.
struct SumBounds {
  double cross = 0, features = 0;  ///< of one graph
  std::size_t graphs = 1;          ///< that are summed

  /// Takes a graph into account.
  void include(double kappa, double squares);
};

/// AtomSums as they are summed: in fixed point, so that neither the order of graphs nor threads nor
/// ranks can be seen.
class FixedSums {
 public:
  FixedSums(Index size, Index columns, const SumBounds& bounds);

  /// So many times what a plan says.
  void add_plan(const Sample& sample, const Plan& plan, std::int64_t times = 1);
  /// Takes one plan away and adds another.
  void replace_plan(const Sample& sample, const Plan& before, const Plan& after);
  /// Numbers of graphs, see AtomSums.
  struct Terms {
    double kappa = 0, squares = 0, extra = 0, value = 0;
  };
  void add_terms(const Terms& terms, std::int64_t graphs);
  void add(const FixedSums& other);
  /// Over all ranks.
  void sum_over(Shard& shard);
  [[nodiscard]] AtomSums total() const;

 private:
  /// Where the entries of an AtomSums are among the numbers.
  struct Places {
    std::size_t size, columns;
    [[nodiscard]] std::size_t cross(std::size_t k) const { return k * size; }
    [[nodiscard]] std::size_t uses(std::size_t k) const { return (size + k) * size; }
    [[nodiscard]] std::size_t masses() const { return 2 * size * size; }
    [[nodiscard]] std::size_t features(std::size_t k) const {
      return masses() + size + k * columns;
    }
    [[nodiscard]] std::size_t end() const { return features(size); }
  };

  /// Adds what a plan says to the numbers of one graph.
  void look_at(const Sample& sample, const Plan& plan, double sign);
  /// Moves these where they belong, so many times; nothing is left.
  void move_all(std::int64_t times);

  Places places_;
  FixedPoint cross_, weights_, features_;
  std::vector<Fixed> numbers_;
  ExactSum kappa_, squares_, extra_, value_;
  std::int64_t graphs_ = 0, asymmetric_ = 0;
  AtomSums one_;                       // of one graph; zero in between
  std::vector<std::size_t> support_;   // target nodes that it uses
  std::vector<std::uint8_t> is_used_;  // whether a target node is among them
};

/// Sums `add(item, worker, sums)` over items on several threads, and over ranks.
[[nodiscard]] AtomSums sum_over(
    Index items, int threads, const FixedSums& zero, Shard& shard,
    const std::function<void(Index item, int worker, FixedSums& sums)>& add);

}  // namespace srgw::detail
