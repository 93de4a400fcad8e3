// SPDX-License-Identifier: MIT
#include "srgw/dictionary.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/message.hpp"
#include "base/parallel.hpp"
#include "base/stop.hpp"
#include "dictionary/projector.hpp"
#include "dictionary/sample_scale.hpp"
#include "structure/eigen.hpp"

namespace srgw {

namespace {

using detail::fail_argument;

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

// Takes the symmetric part of B: an asymmetric one need not have real eigenvalues.
void CoordinateWriter::write_spectrum(const Vector& q, double* row) {
  roots_ = q.cwiseMax(0.0).cwiseSqrt();
  scaled_ = 0.5 * (atom_->structure + atom_->structure.transpose());
  scaled_ = (roots_.asDiagonal() * scaled_ * roots_.asDiagonal()).eval();
  Eigen::Map<Vector>(row, q.size()) = detail::eigenvalues(scaled_).reverse();
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

void check_kind(const Dictionary& dictionary, std::span<const Sample> samples, std::size_t first) {
  const Index columns = dictionary.columns();
  for (std::size_t s = 0; s < samples.size(); ++s) {
    const Index found = samples[s].features.cols();
    if (columns == 0 && found > 0) {
      fail_argument("graph {} has {} feature columns, but the dictionary has no features",
                    first + s, found);
    }
    if (columns > 0 && found == 0) {
      fail_argument("graph {} has no features, but the dictionary has {} feature columns",
                    first + s, columns);
    }
  }
  check(samples, columns, first);
}

struct Projected {
  double value = 0;
  Vector weights;  // of the target
};

// Projects a graph that is seen once: by row descent where that serves, otherwise by the method of
// the dictionary from the product. With random starts the method is tried besides, from the product
// and from these, which are the same for each graph: a row must not depend on the other graphs. The
// lowest value is kept, the first of equals.
void project(detail::Projector& projector, int worker, const Sample& sample, int random,
             std::uint64_t seed, Projected& found) {
  const auto keep = [&](double value, const Vector& weights) {
    found.value = value;
    found.weights = weights;
  };
  const detail::RowDescent* rows = projector.descend(worker, sample);
  if (rows != nullptr) keep(rows->value(), rows->target_weights());
  if (random > 0) {
    const Solution solution =
        projector.best(worker, sample, {.random = random, .seed = seed, .item = 0});
    if (rows == nullptr || solution.value < found.value) {
      keep(solution.value, solution.target_weights);
    }
  } else if (rows == nullptr) {
    const Solution& solution = projector.solve(worker, sample);
    keep(solution.value, solution.target_weights);
  }
}

}  // namespace

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

Embedding embed(const Dictionary& dictionary, std::span<const Sample> given,
                const EmbedOptions& options, const Run& run) {
  const StopScope scope(run);
  check(dictionary);
  check_kind(dictionary, given, options.first);
  if (options.random_starts < 0) {
    fail_argument("random starts is {}, expected 0 or more", options.random_starts);
  }
  const int exponent = detail::extreme_exponent(dictionary, dictionary.projection.alpha);
  detail::check_scale(given, exponent, options.first);
  std::vector<Sample> scaled;
  if (exponent != 0) scaled = detail::times_power_of_two(given, -exponent);
  const std::span<const Sample> samples = exponent != 0 ? scaled : given;
  const Index graphs = std::ssize(samples), atoms = std::ssize(dictionary.atoms);
  Embedding result{.coordinates = Matrix(graphs, embedding_columns(dictionary, options)),
                   .values = Matrix(graphs, atoms)};
  const int threads = detail::resolve_threads(run.threads);
  detail::Projector projector(detail::times_power_of_two(dictionary.projection, -exponent), threads,
                              options.search == EmbedSearch::rows);
  std::vector<Projected> projected(threads);
  Index column = 0;
  for (Index a = 0; a < atoms; ++a) {
    const Atom& atom = dictionary.atoms[a];
    projector.set_atom(detail::times_power_of_two(atom, -exponent));
    std::vector<CoordinateWriter> writers(threads, CoordinateWriter(atom, options.coordinates));
    detail::parallel_for(graphs, threads, [&](Index g, int worker) {
      Projected& found = projected[worker];
      project(projector, worker, samples[g], options.random_starts, run.seed, found);
      result.values(g, a) = std::ldexp(found.value, 2 * exponent);
      writers[worker].write(result.values(g, a), found.weights,
                            result.coordinates.row(g).data() + column);
    });
    detail::throw_if_stopped();  // a solve that was cut short would leave a trace
    column += writers.front().columns();
  }
  for (Index g = 0; column < result.coordinates.cols() && g < graphs; ++g) {
    const Index n = samples[g].source.structure.size();
    result.coordinates(g, column) = std::log(static_cast<double>(n));
  }
  if (graphs > 0) result.mean_value = result.values.mean();
  return result;
}

}  // namespace srgw
