// SPDX-License-Identifier: MIT
#include "dictionary/sample_scale.hpp"

#include "base/message.hpp"
#include "base/stop.hpp"

namespace srgw::detail {

int scale_exponent(std::span<const Sample> samples, double alpha, Shard& shard) {
  double structure = 0, features = 0;
  for (const Sample& sample : samples) {
    structure = std::max(structure, sample.source.structure.largest_entry());
    features = std::max(features, largest_entry(sample.features));
  }
  structure = shard.largest(structure);
  features = shard.largest(features);
  return unit_exponent(structure, features, alpha);
}

int scale_exponent(std::span<const Sample> samples, double alpha) {
  Shard shard(samples.size());
  return scale_exponent(samples, alpha, shard);
}

int extreme_exponent(const AtomModel& model, double alpha) {
  double structure = 0, features = 0;
  for (const Atom& atom : model.atoms) {
    structure = std::max(structure, largest_entry(atom.structure));
    features = std::max(features, largest_entry(atom.features));
  }
  return if_extreme(unit_exponent(structure, features, alpha));
}

void check_scale(std::span<const Sample> samples, int exponent, std::size_t first) {
  for (const Sample& sample : samples) {
    const double largest =
        std::max(sample.source.structure.largest_entry(), largest_entry(sample.features));
    if (largest > 0 && std::ilogb(largest) - exponent > most_exponent) {
      fail_argument(
          "graph {} has an entry of {}, and the atoms have entries of about {}: the value, a "
          "square of their difference, overflows; multiply structures and features of the graph by "
          "a "
          "power of two to bring them to the size of those the model was learned from",
          first + static_cast<std::size_t>(&sample - samples.data()), largest,
          std::ldexp(1.0, exponent));
    }
  }
}

std::vector<Sample> times_power_of_two(std::span<const Sample> samples, int exponent) {
  if (exponent == 0) return {samples.begin(), samples.end()};
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

Dictionary times_power_of_two(Dictionary dictionary, int exponent) {
  multiply(dictionary.atoms, exponent);
  dictionary.projection = times_power_of_two(dictionary.projection, exponent);
  dictionary.unit = std::ldexp(dictionary.unit, exponent);
  return dictionary;
}

void multiply(std::vector<Atom>& atoms, int exponent) {
  for (Atom& atom : atoms) atom = times_power_of_two(atom, exponent);
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

}  // namespace srgw::detail
