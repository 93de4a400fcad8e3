// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "srgw/dictionary.hpp"

namespace srgw::detail {

/// Writes the coordinates of graphs on one atom; a copy for each thread.
class CoordinateWriter {
 public:
  CoordinateWriter(const Atom& atom, std::span<const Coordinate> coordinates);

  [[nodiscard]] Index columns() const { return columns_; }
  /// From the value and the weights of the target.
  void write(double value, const Vector& q, double* row);

 private:
  void write_spectrum(const Vector& q, double* row);
  void write_quantiles(const Vector& q, double* row);

  const Atom* atom_;
  std::vector<Coordinate> coordinates_;
  Index columns_ = 0;
  Matrix scaled_;
  Vector degrees_, roots_;
  std::vector<Index> order_;
};

}  // namespace srgw::detail
