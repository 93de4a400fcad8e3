// SPDX-License-Identifier: MIT
#include "dictionary/training_set.hpp"

#include <bit>

#include "message.hpp"
#include "structure/entries.hpp"

namespace srgw::detail {

namespace {

/// FNV-1a over 64-bit words.
class Fingerprint {
 public:
  void add(std::uint64_t word) { state_ = (state_ ^ word) * 0x100000001b3; }
  void add(double number) { add(std::bit_cast<std::uint64_t>(number)); }
  [[nodiscard]] std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325;
};

void add_sample(const Sample& sample, Fingerprint& fingerprint) {
  const Source& source = sample.source;
  fingerprint.add(static_cast<std::uint64_t>(source.structure.size()));
  for (const double h : source.weights) fingerprint.add(h);
  for (const double f : sample.features.reshaped<Eigen::RowMajor>()) fingerprint.add(f);
  if (!source.structure.has_rows()) {
    for (const double x : source.structure.product(source.weights)) fingerprint.add(x);
    return;
  }
  for_each_entry(source.structure.storage(), [&](Index i, Index j, double c) {
    fingerprint.add(static_cast<std::uint64_t>(i) << 32 | static_cast<std::uint64_t>(j));
    fingerprint.add(c);
  });
}

}  // namespace

bool is_non_negative(const Structure& structure) {
  if (!structure.has_rows()) return false;
  bool result = true;
  for_each_entry(structure.storage(), [&](Index, Index, double c) { result = result && c >= 0; });
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
                                 const Projection& projection) {
  check_size(size);
  check_projection(projection);
  if (samples.empty()) fail_argument("the dataset is empty, expected at least one graph");
  TrainingSet set;
  set.columns = samples.front().features.cols();
  check(samples, set.columns);
  Fingerprint fingerprint;
  double entries = 0;
  Vector features = Vector::Zero(set.columns);
  for (const Sample& sample : samples) {
    const auto& [structure, h] = sample.source;
    set.kappa.push_back(structure.square_form(h));
    set.squares.push_back(set.columns > 0 ? sample.features.rowwise().squaredNorm().dot(h) : 0.0);
    set.non_negative = set.non_negative && is_non_negative(structure);
    entries += h.dot(structure.product(h));
    if (set.columns > 0) features += sample.features.transpose() * h;
    add_sample(sample, fingerprint);
  }
  const auto count = static_cast<double>(samples.size());
  set.mean_atom = {Matrix::Constant(size, size, entries / count),
                   (features / count).transpose().replicate(size, 1)};
  set.fingerprint = fingerprint.value();
  return set;
}

}  // namespace srgw::detail
