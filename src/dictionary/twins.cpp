// SPDX-License-Identifier: MIT
#include "dictionary/twins.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <unordered_map>

#include "base/hashing.hpp"
#include "base/parallel.hpp"
#include "structure/entries.hpp"

namespace srgw::detail {

namespace {

using Colour = std::uint64_t;

Colour colour_of(double number) { return std::bit_cast<Colour>(number + 0.0); }  // -0 is 0

std::size_t distinct(std::vector<Colour> colours) {
  std::ranges::sort(colours);
  return std::unique(colours.begin(), colours.end()) - colours.begin();
}

std::vector<Colour> first_colours(const Sample& sample) {
  std::vector<Colour> colours;
  for (Index i = 0; i < sample.source.weights.size(); ++i) {
    Colour colour = mix_bits(colour_of(sample.source.weights[i]));
    for (Index c = 0; c < sample.features.cols(); ++c) {
      colour = join_hashes(colour, colour_of(sample.features(i, c)));
    }
    colours.push_back(colour);
  }
  return colours;
}

// A node's colour and those of its neighbours, in any order, with what connects them.
std::vector<Colour> refine_colours(const Structure& structure, const std::vector<Colour>& colours) {
  constexpr Colour out = 1, in = 2, own = 3;
  std::vector<Colour> sums(colours.size(), 0);
  for_each_entry(structure, [&](Index row, Index column, double c) {
    const std::size_t i = row, j = column;
    const Colour entry = colour_of(c);
    if (i == j) {
      sums[i] += join_hashes(own, entry);
    } else {
      sums[i] += join_hashes(join_hashes(out, entry), colours[j]);
      if (!structure.symmetric()) sums[j] += join_hashes(join_hashes(in, entry), colours[i]);
    }
  });
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = join_hashes(colours[i], sums[i]);
  return sums;
}

struct Colouring {
  std::vector<Colour> colours;
  std::size_t count = 0;
  Colour signature = 0;  ///< of the whole graph
};

Colouring colour_nodes(const Sample& sample) {
  Colouring result{.colours = first_colours(sample)};
  result.count = distinct(result.colours);
  for (;;) {
    std::vector<Colour> next = refine_colours(sample.source.structure, result.colours);
    const std::size_t count = distinct(next);
    result.colours = std::move(next);  // once more even if stable: colours then know their degrees
    if (count == result.count) break;
    result.count = count;
  }
  std::vector<Colour> sorted = result.colours;
  std::ranges::sort(sorted);
  for (const Colour colour : sorted) result.signature = join_hashes(result.signature, colour);
  return result;
}

/// The graph with a node for each colour, in order of appearance.
Sample quotient(const Sample& sample, const Colouring& colouring) {
  const Structure& structure = sample.source.structure;
  const Vector& h = sample.source.weights;
  std::map<Colour, Index> number;
  std::vector<Index> part;
  for (const Colour colour : colouring.colours) {
    part.push_back(number.emplace(colour, std::ssize(number)).first->second);
  }
  const Index parts = std::ssize(number);
  Vector masses = Vector::Zero(parts);
  Matrix sums = Matrix::Zero(parts, parts), features = Matrix::Zero(parts, sample.features.cols());
  for (Index i = 0; i < h.size(); ++i) {
    const Index a = part[i];
    masses[a] += h[i];
    if (features.cols() > 0) features.row(a) = sample.features.row(i);  // all are alike
  }
  for_each_entry(structure, [&](Index i, Index j, double c) {
    const Index a = part[i], b = part[j];
    sums(a, b) += h[i] * h[j] * c;
  });
  for (Index a = 0; a < parts; ++a) {
    for (Index b = 0; b < parts; ++b) {
      const double mass = masses[a] * masses[b];
      sums(a, b) = mass > 0 ? sums(a, b) / mass : 0.0;
    }
  }
  if (structure.symmetric()) sums = (0.5 * (sums + sums.transpose())).eval();
  return {{Structure::dense(sums, structure.symmetric()), masses}, features};
}

Twins::Group group_of_sample(const Sample& sample, const std::optional<Colouring>& colouring) {
  if (!colouring || colouring->count == colouring->colours.size()) return {sample, 0, 1};
  const auto& [structure, h] = sample.source;
  Twins::Group group{quotient(sample, *colouring), 0, 1};
  const Source& reduced = group.sample.source;
  group.constant = structure.square_form(h) - reduced.structure.square_form(reduced.weights);
  return group;
}

}  // namespace

Twins::Twins(std::span<const Sample> samples, int threads, Shard& shard) {
  std::vector<std::optional<Colouring>> colourings(samples.size());
  parallel_for(std::ssize(samples), threads, [&](Index item, int) {
    const std::size_t s = item;
    if (samples[s].source.structure.has_rows()) colourings[s] = colour_nodes(samples[s]);
  });
  std::vector<Colour> own_signatures;
  std::vector<std::uint8_t> own_coloured;
  for (const auto& colouring : colourings) {
    own_signatures.push_back(colouring ? colouring->signature : 0);
    own_coloured.push_back(colouring ? 1 : 0);
  }
  const std::vector<Colour> signatures = shard.gather_all(own_signatures);
  const std::vector<std::uint8_t> is_coloured = shard.gather_all(own_coloured);
  std::unordered_map<Colour, std::size_t> known;
  std::size_t count = 0;
  group_of_.reserve(signatures.size());
  for (std::size_t s = 0; s < signatures.size(); ++s) {
    std::size_t group = count;
    if (is_coloured[s] != 0) group = known.emplace(signatures[s], count).first->second;
    group_of_.push_back(group);
    if (group == count) {
      ++count;
      if (groups_.empty()) first_ = group;
      if (shard.has(s)) {
        const std::size_t here = s - shard.first();
        groups_.push_back(group_of_sample(samples[here], colourings[here]));
      }
    } else if (has(group)) {
      ++groups_[group - first_].graphs;
    }
  }
}

}  // namespace srgw::detail
