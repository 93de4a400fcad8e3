// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kernels/products.hpp"
#include "kernels/row_pass.hpp"
#include "solve/cross_products.hpp"
#include "solve/vertex.hpp"

namespace srgw::detail {

/// Y of the directions of conditional gradient, which follow each other and differ in few rows.
/// Where C is unweighted, the target diagonal and every row has the same mass (adjacency with
/// uniform weights, modularity), Y_ik is that mass times the number of i's neighbours on column k:
/// then the numbers are kept, in a quarter of the memory and without rounding.
class DirectionProducts {
 public:
  /// The products must outlive this.
  void prepare(CrossProducts& products, const Objective& objective, Index stride, int threads);

  /// Y of `to`; `from`, of the call before, differs in the rows `changed`.
  void follow(const Vertex& from, const Vertex& to, std::span<const NodeId> changed);
  /// Y of `to`, from scratch.
  void rebuild(const Vertex& to);
  /// The next follow() has nothing to start from.
  void forget() { known_ = false; }
  [[nodiscard]] bool known() const { return known_; }

  /// <X, Y>, X being the vertex that Y belongs to.
  [[nodiscard]] double form(const Vertex& vertex) const;
  /// Names Y as the direction of a pass that blends it in.
  void show(double step, RowPass& pass);
  /// y <- (1 - step) y + step Y
  void blend(double step, std::vector<double>& y) const;

 private:
  [[nodiscard]] double at(Index i, Index k) const;
  void count(const Vertex& to);
  void count_changes(const Vertex& from, const Vertex& to, std::span<const NodeId> changed);

  CrossProducts* products_ = nullptr;
  const Objective* objective_ = nullptr;
  Index rows_ = 0, stride_ = 0, count_stride_ = 0;
  int threads_ = 1;
  bool known_ = false;
  int updates_ = 0;        // since Y was built
  std::vector<double> y_;  // Y, unless counted

  std::optional<CrossProducts::Counting> counting_;
  bool counted_ = false;  // Y is counts_ times unit_
  std::vector<std::uint16_t> counts_, count_units_;
  std::vector<double> unit_;  // of a count, for each column; padded
  std::vector<double> step_unit_;
};

}  // namespace srgw::detail
