// SPDX-License-Identifier: MIT
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "srgw/types.hpp"
#include "transport/simplex.hpp"

namespace srgw::detail {

/// Exact transport between any non-negative masses: leaves out those that are 0, turns the cost so
/// that its rows are the long ones, and keeps the basis while the masses stay the same.
class TransportBasis {
 public:
  /// Sums must be equal up to rounding. Where the masses are the former ones nothing happens.
  void set_masses(std::span<const double> row_masses, std::span<const double> column_masses);
  /// Rows of the cost begin every `cost_stride` numbers. False: the pivots did not suffice.
  [[nodiscard]] bool solve(const double* cost, Index cost_stride,
                           Index max_pivots = std::numeric_limits<Index>::max());

  using Flow = NetworkSimplex::Flow;
  /// At most n + m - 1, sorted by row and column.
  [[nodiscard]] std::span<const Flow> flows() const { return flows_; }
  [[nodiscard]] Index pivots() const { return simplex_.pivots(); }
  /// u and v with u_i + v_k <= c_ik for all entries of the cost of the last solve().
  void potentials(const double* cost, Index cost_stride, Vector& rows, Vector& columns) const;

 private:
  void collect_flows();

  std::vector<double> row_masses_, column_masses_;  // all of them
  std::vector<Index> rows_, columns_;               // those above 0
  bool turned_ = false;
  NetworkSimplex simplex_;
  std::vector<Flow> flows_;
};

}  // namespace srgw::detail
