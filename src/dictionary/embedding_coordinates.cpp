// SPDX-License-Identifier: MIT
#include "dictionary/embedding_coordinates.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/message.hpp"
#include "structure/eigen.hpp"

namespace srgw {

namespace {

constexpr std::array<CoordinateName, 7> coordinate_table{{
    {Coordinate::weights, "weights", "target weights"},
    {Coordinate::sqrt, "sqrt", "square roots of the target weights"},
    {Coordinate::value, "value", "the divergence"},
    {Coordinate::form, "form", "the mean entry of the atom under the weights"},
    {Coordinate::spectrum, "spectrum", "eigenvalues of the weighted atom"},
    {Coordinate::quantiles, "quantiles", "quantiles of degrees in the weighted atom"},
    {Coordinate::log_size, "log-size", "logarithm of the number of nodes"},
}};

constexpr Index quantile_count = 10;

Index columns_of(Coordinate coordinate, Index size) {
  switch (coordinate) {
    case Coordinate::weights:
    case Coordinate::sqrt:
    case Coordinate::spectrum: return size;
    case Coordinate::quantiles: return quantile_count;
    case Coordinate::value:
    case Coordinate::form: return 1;
    case Coordinate::log_size: return 0;  // not of an atom
  }
  return 0;
}

}  // namespace

std::span<const CoordinateName> coordinate_names() { return coordinate_table; }

Coordinate coordinate_from_name(std::string_view name) {
  std::string known;
  for (const CoordinateName& row : coordinate_table) {
    if (row.name == name) return row.coordinate;
    known += (known.empty() ? "" : ", ") + std::string(row.name);
  }
  detail::fail_argument("coordinate {}, expected one of {}", name, known);
}

std::string_view name(Coordinate coordinate) {
  return std::ranges::find(coordinate_table, coordinate, &CoordinateName::coordinate)->name;
}

std::vector<Index> embedding_blocks(const Dictionary& dictionary, const EmbedOptions& options) {
  std::vector<Index> blocks;
  for (const Atom& atom : dictionary.atoms) {
    for (const Coordinate coordinate : options.coordinates) {
      if (coordinate != Coordinate::log_size) blocks.push_back(columns_of(coordinate, atom.size()));
    }
  }
  if (std::ranges::count(options.coordinates, Coordinate::log_size) > 0) blocks.push_back(1);
  return blocks;
}

Index embedding_columns(const Dictionary& dictionary, const EmbedOptions& options) {
  const std::vector<Index> blocks = embedding_blocks(dictionary, options);
  return std::accumulate(blocks.begin(), blocks.end(), Index{0});
}

namespace detail {

CoordinateWriter::CoordinateWriter(const Atom& atom, std::span<const Coordinate> coordinates)
    : atom_(&atom), coordinates_(coordinates.begin(), coordinates.end()) {
  for (const Coordinate coordinate : coordinates_) {
    columns_ += columns_of(coordinate, atom.size());
  }
}

void CoordinateWriter::write(double value, const Vector& q, double* row) {
  for (const Coordinate coordinate : coordinates_) {
    const Index count = columns_of(coordinate, q.size());
    Eigen::Map<Vector> part(row, count);
    switch (coordinate) {
      case Coordinate::weights: part = q; break;
      case Coordinate::sqrt: part = q.cwiseMax(0.0).cwiseSqrt(); break;
      case Coordinate::value: *row = value; break;
      case Coordinate::form:
        degrees_.noalias() = atom_->structure * q;
        *row = q.dot(degrees_);
        break;
      case Coordinate::spectrum: write_spectrum(q, row); break;
      case Coordinate::quantiles: write_quantiles(q, row); break;
      case Coordinate::log_size: break;
    }
    row += count;
  }
}

// Of the symmetric part of B: an asymmetric one need not have real eigenvalues.
void CoordinateWriter::write_spectrum(const Vector& q, double* row) {
  roots_ = q.cwiseMax(0.0).cwiseSqrt();
  scaled_ = 0.5 * (atom_->structure + atom_->structure.transpose());
  scaled_ = (roots_.asDiagonal() * scaled_ * roots_.asDiagonal()).eval();
  Eigen::Map<Vector>(row, q.size()) = eigenvalues(scaled_).reverse();
}

void CoordinateWriter::write_quantiles(const Vector& q, double* row) {
  degrees_.noalias() = atom_->structure * q;
  order_.resize(q.size());
  std::iota(order_.begin(), order_.end(), Index{0});
  std::ranges::sort(order_, [&](Index a, Index b) {
    return degrees_[a] != degrees_[b] ? degrees_[a] < degrees_[b] : a < b;
  });
  std::size_t at = 0;
  double below = q[order_[0]];  // mass of the degrees up to here
  for (Index k = 0; k < quantile_count; ++k) {
    const double level = (static_cast<double>(k) + 0.5) / static_cast<double>(quantile_count);
    while (below < level && at + 1 < order_.size()) below += q[order_[++at]];
    row[k] = degrees_[order_[at]];
  }
}

}  // namespace detail

}  // namespace srgw
