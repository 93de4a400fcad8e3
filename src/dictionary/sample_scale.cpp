// SPDX-License-Identifier: MIT
#include "dictionary/sample_scale.hpp"

#include "base/message.hpp"
#include "base/stop.hpp"
#include "solve/unit_scale.hpp"

namespace srgw::detail {

namespace {

constexpr int ordinary_exponent = 100;

double largest_of(const Matrix& matrix) {
  return matrix.size() > 0 ? matrix.cwiseAbs().maxCoeff() : 0.0;
}

}  // namespace

int scale_exponent(std::span<const Sample> samples, double alpha, Shard& shard) {
  double structure = 0, features = 0;
  for (const Sample& sample : samples) {
    structure = std::max(structure, sample.source.structure.largest_entry());
    features = std::max(features, largest_of(sample.features));
  }
  structure = shard.largest(structure);
  features = shard.largest(features);
  return unit_exponent(structure > 0 && (alpha > 0 || features == 0) ? structure : features);
}

int scale_exponent(std::span<const Sample> samples, double alpha) {
  Shard shard(samples.size());
  return scale_exponent(samples, alpha, shard);
}

int extreme_exponent(const AtomModel& model, double alpha) {
  double structure = 0, features = 0;
  for (const Atom& atom : model.atoms) {
    structure = std::max(structure, largest_of(atom.structure));
    features = std::max(features, largest_of(atom.features));
  }
  const int exponent =
      unit_exponent(structure > 0 && (alpha > 0 || features == 0) ? structure : features);
  return std::abs(exponent) <= ordinary_exponent ? 0 : exponent;
}

std::vector<Sample> times_power_of_two(std::span<const Sample> samples, int exponent) {
  const double factor = std::ldexp(1.0, exponent);
  std::vector<Sample> scaled;
  scaled.reserve(samples.size());
  for (const Sample& sample : samples) {
    throw_if_stopped();
    scaled.push_back(
        {{times_power_of_two(sample.source.structure, exponent), sample.source.weights},
         sample.features * factor});
  }
  return scaled;
}

Atom times_power_of_two(const Atom& atom, int exponent) {
  if (exponent == 0) return atom;
  const double factor = std::ldexp(1.0, exponent);
  return {atom.structure * factor, atom.features * factor};
}

Projection times_power_of_two(const Projection& projection, int exponent) {
  if (exponent == 0) return projection;
  return {.alpha = projection.alpha,
          .sparsity = std::ldexp(projection.sparsity, 2 * exponent),
          .entropy = std::ldexp(projection.entropy, 2 * exponent),
          .method = times_power_of_two(projection.method, 2 * exponent)};
}

void multiply(std::vector<Atom>& atoms, int exponent) {
  for (Atom& atom : atoms) atom = times_power_of_two(atom, exponent);
}

void multiply(std::vector<double>& values, int exponent) {
  for (double& value : values) value = std::ldexp(value, exponent);
}

void bring_back(Learned& learned, int exponent) {
  learned.unit = std::ldexp(1.0, exponent);
  learned.atom = times_power_of_two(learned.atom, exponent);
  learned.loss = std::ldexp(learned.loss, 2 * exponent);
  multiply(learned.values, 2 * exponent);
  multiply(learned.losses, 2 * exponent);
}

void bring_back(Embedding& embedding, int exponent) {
  embedding.values *= std::ldexp(1.0, 2 * exponent);
  embedding.mean_value = std::ldexp(embedding.mean_value, 2 * exponent);
}

Run with_values_times(const Run& run, int exponent) {
  Run scaled = run;
  if (!run.observer) return scaled;
  scaled.observer = [observer = run.observer, exponent](Progress progress) {
    progress.value = std::ldexp(progress.value, exponent);
    progress.gap = std::ldexp(progress.gap, exponent);
    return observer(progress);
  };
  return scaled;
}

}  // namespace srgw::detail
