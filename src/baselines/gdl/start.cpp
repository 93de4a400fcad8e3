// SPDX-License-Identifier: MIT
#include "baselines/gdl/start.hpp"

#include <cmath>

#include "base/sampling.hpp"
#include "dictionary/batches.hpp"

namespace srgw::detail {

namespace {

double deviation(const Matrix& entries) {
  return std::sqrt((entries.array() - entries.mean()).square().mean());
}

Matrix normal_entries(Index rows, Index columns, double mean, double sigma, Random& random) {
  Matrix result(rows, columns);
  for (double& entry : result.reshaped<Eigen::RowMajor>()) entry = mean + sigma * random.normal();
  return result;
}

// Entries with mean and deviation of the mean entries of graphs; features alike, by column.
std::vector<Atom> noise(std::span<const Sample> samples, Index atoms, Index size, Random& random) {
  const Index d = samples.front().features.cols();
  Matrix means(std::ssize(samples), 1 + d);
  for (Index g = 0; g < means.rows(); ++g) {
    const Sample& sample = samples[g];
    const auto n = static_cast<double>(sample.source.structure.size());
    const Vector ones = Vector::Ones(sample.source.structure.size());
    means(g, 0) = ones.dot(sample.source.structure.product(ones)) / (n * n);
    if (d > 0) means.row(g).tail(d) = sample.features.colwise().mean();
  }
  std::vector<Atom> result;
  for (Index s = 0; s < atoms; ++s) {
    Atom atom{normal_entries(size, size, means.col(0).mean(), deviation(means.col(0)), random),
              Matrix(size, d)};
    for (Index c = 0; c < d; ++c) {
      const Matrix column = means.col(1 + c);
      atom.features.col(c) = normal_entries(size, 1, column.mean(), deviation(column), random);
    }
    result.push_back(std::move(atom));
  }
  return result;
}

// A graph that serves a second time gets noise with the mean and deviation of its own numbers.
void add_noise(Atom& atom, Random& random) {
  const Matrix& B = atom.structure;
  const Matrix entries = normal_entries(B.rows(), B.cols(), B.mean(), deviation(B), random);
  atom.structure += 0.5 * (entries + entries.transpose());
  for (Index c = 0; c < atom.features.cols(); ++c) {
    const Matrix column = atom.features.col(c);
    atom.features.col(c) += normal_entries(column.rows(), 1, 0, deviation(column), random);
  }
}

}  // namespace

std::vector<Atom> starting_atoms(std::span<const Sample> samples, Index atoms, Index size,
                                 LinearStart start, std::uint64_t seed) {
  Random random = stream(seed, Draw::start, 0);
  std::vector<std::size_t> fitting;
  for (std::size_t g = 0; g < samples.size(); ++g) {
    if (samples[g].source.structure.size() == size) fitting.push_back(g);
  }
  if (start == LinearStart::noise || fitting.empty()) return noise(samples, atoms, size, random);
  shuffle(fitting, random);
  std::vector<Atom> result;
  for (Index s = 0; s < atoms; ++s) {
    const bool repeats = s >= std::ssize(fitting);
    const std::size_t place = repeats ? random.below(fitting.size()) : static_cast<std::size_t>(s);
    const Sample& sample = samples[fitting[place]];
    result.push_back({sample.source.structure.dense(), sample.features});
    if (repeats) add_noise(result.back(), random);
  }
  return result;
}

void project(const LinearScheme& scheme, Atom& atom) {
  Matrix& B = atom.structure;
  if (scheme.symmetric) B = (0.5 * (B + B.transpose())).eval();
  if (scheme.non_negative) B = B.cwiseMax(0.0);
}

}  // namespace srgw::detail
