// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "dictionary/shard.hpp"
#include "solve/unit_scale.hpp"
#include "srgw/dictionary.hpp"

namespace srgw::detail {

// Graphs of any size of numbers are learned from at size 1: structures and features are multiplied
// by one power of two, which is exact, and atoms and values are multiplied back. Parameters that
// are lengths (learning rates, deviations of noise, the epsilon of proximal steps) are so measured
// in this unit; weights of terms of the objective (sparsity, entropy, regularisation) follow its
// square. alpha balances structure and features, which therefore have one unit.

/// unit_exponent() of the graphs of all ranks.
[[nodiscard]] int scale_exponent(std::span<const Sample> samples, double alpha, Shard& shard);
[[nodiscard]] int scale_exponent(std::span<const Sample> samples, double alpha);
/// unit_exponent() of the atoms of a model, if it is extreme; 0 otherwise.
[[nodiscard]] int extreme_exponent(const AtomModel& model, double alpha);
/// Throws where a graph times 2^-exponent has entries whose squares are too large. `first` is the
/// number of the first graph in the dataset.
void check_scale(std::span<const Sample> samples, int exponent, std::size_t first = 0);

// All times 2^exponent.
[[nodiscard]] std::vector<Sample> times_power_of_two(std::span<const Sample> samples, int exponent);
[[nodiscard]] Atom times_power_of_two(const Atom& atom, int exponent);
[[nodiscard]] Projection times_power_of_two(const Projection& projection, int exponent);
[[nodiscard]] Dictionary times_power_of_two(Dictionary dictionary, int exponent);
void multiply(std::vector<Atom>& atoms, int exponent);

/// Back from size 1.
void bring_back(Learned& learned, int exponent);
void bring_back(Embedding& embedding, int exponent);

}  // namespace srgw::detail
