// SPDX-License-Identifier: MIT
#include "dictionary/training_set.hpp"

#include <array>
#include <bit>
#include <cmath>

#include "base/message.hpp"
#include "base/stop.hpp"
#include "structure/entries.hpp"

namespace srgw::detail {

namespace {

constexpr double least_entry = 1e-140;  // whose square is far from the end of the numbers

/// FNV-1a over 64-bit words.
class Fingerprint {
 public:
  void add(std::uint64_t word) { state_ = (state_ ^ word) * 0x100000001b3; }
  void add(double number) { add(std::bit_cast<std::uint64_t>(number)); }
  [[nodiscard]] std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325;
};

/// A hash of a graph and its number: sums of these know the whole dataset, and ranks can add them
/// up.
std::uint64_t fingerprint_of(const Sample& sample, std::size_t number) {
  const Source& source = sample.source;
  Fingerprint fingerprint;
  fingerprint.add(static_cast<std::uint64_t>(number));
  fingerprint.add(static_cast<std::uint64_t>(source.structure.size()));
  for (const double h : source.weights) fingerprint.add(h);
  for (const double f : sample.features.reshaped<Eigen::RowMajor>()) fingerprint.add(f);
  if (!source.structure.has_rows()) {
    for (const double x : source.structure.product(source.weights)) fingerprint.add(x);
    return fingerprint.value();
  }
  for_each_entry(source.structure, [&](Index i, Index j, double c) {
    fingerprint.add(static_cast<std::uint64_t>(i) << 32 | static_cast<std::uint64_t>(j));
    fingerprint.add(c);
  });
  return fingerprint.value();
}

/// Columns of features: those of the first graph of all.
Index columns_of(std::span<const Sample> samples, Shard& shard) {
  const Index here = samples.empty() ? -1 : samples.front().features.cols();
  for (const Index columns : shard.gather(here)) {
    if (columns >= 0) return columns;
  }
  return 0;
}

}  // namespace

bool is_non_negative(const Structure& structure) {
  if (!structure.has_rows()) return false;
  bool result = true;
  for_each_entry(structure, [&](Index, Index, double c) { result = result && c >= 0; });
  return result;
}

void check_size(Index size) {
  if (size < 1) fail_argument("size of the atom is {}, expected at least 1", size);
}

void check_projection(const Projection& projection) {
  if (!(projection.alpha >= 0 && projection.alpha <= 1)) {
    fail_argument("alpha is {}, expected a number in [0, 1]", projection.alpha);
  }
  std::visit([](const auto& options) { check_fields(options); }, projection.method);
}

TrainingSet checked_training_set(std::span<const Sample> samples, Index size,
                                 const Projection& projection, Shard& shard) {
  check_size(size);
  check_projection(projection);
  if (shard.total() == 0) fail_argument("the dataset is empty, expected at least one graph");
  TrainingSet set;
  set.graphs = shard.total();
  set.columns = columns_of(samples, shard);
  check(samples, set.columns, shard.first());
  const std::size_t columns = set.columns;
  ExactSum entries;
  std::vector<ExactSum> features(columns);
  std::array<std::int64_t, 2> prints{};  // halves, so that sums of many fit
  for (std::size_t s = 0; s < samples.size(); ++s) {
    throw_if_stopped();
    const Sample& sample = samples[s];
    const auto& [structure, h] = sample.source;
    set.kappa.push_back(structure.square_form(h));
    set.squares.push_back(columns > 0 ? sample.features.rowwise().squaredNorm().dot(h) : 0.0);
    if (!std::isfinite(set.kappa.back()) || !std::isfinite(set.squares.back())) {
      fail_argument("graph {}: squares of its numbers overflow, expected smaller ones",
                    shard.first() + s);
    }
    if (structure.has_rows() && structure.largest_entry() > 0 &&
        structure.largest_entry() < least_entry) {
      fail_argument(
          "graph {}: squares of its numbers underflow, the largest is {}, expected {} or "
          "more",
          shard.first() + s, structure.largest_entry(), least_entry);
    }
    set.bounds.include(set.kappa.back(), set.squares.back());
    set.non_negative = set.non_negative && is_non_negative(structure);
    entries.add(h.dot(structure.product(h)));
    if (columns > 0) {
      const Vector mean = sample.features.transpose() * h;
      for (std::size_t c = 0; c < columns; ++c) features[c].add(mean[static_cast<Index>(c)]);
    }
    const std::uint64_t print = fingerprint_of(sample, shard.first() + s);
    prints[0] += static_cast<std::int64_t>(print >> 32);
    prints[1] += static_cast<std::int64_t>(print & 0xffffffff);
  }
  set.bounds.cross = shard.largest(set.bounds.cross);
  set.bounds.features = shard.largest(set.bounds.features);
  set.bounds.graphs = shard.total();
  set.non_negative = shard.all(set.non_negative);
  const auto count = static_cast<double>(shard.total());
  const double entry = shard.sum(entries) / count;
  Vector mean(set.columns);
  for (std::size_t c = 0; c < columns; ++c) {
    mean[static_cast<Index>(c)] = shard.sum(features[c]) / count;
  }
  set.mean_atom = {Matrix::Constant(size, size, entry), mean.transpose().replicate(size, 1)};
  shard.sum(std::span(prints));
  set.fingerprint =
      (static_cast<std::uint64_t>(prints[0]) << 32) + static_cast<std::uint64_t>(prints[1]);
  return set;
}

TrainingSet checked_training_set(std::span<const Sample> samples, Index size,
                                 const Projection& projection) {
  Shard shard(samples.size());
  return checked_training_set(samples, size, projection, shard);
}

}  // namespace srgw::detail
