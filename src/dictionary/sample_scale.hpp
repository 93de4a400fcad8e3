// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "dictionary/shard.hpp"
#include "srgw/dictionary.hpp"

namespace srgw::detail {

// Graphs of any size of numbers are learned from at size 1: structures and features are multiplied
// by one power of two, which is exact, and atoms and values are multiplied back. Parameters that
// are lengths (learning rates, deviations of noise, the epsilon of proximal steps) are so measured
// in this unit; weights of terms of the objective (sparsity, entropy, regularisation) follow its
// square. alpha balances structure and features, which therefore have one unit.

/// The exponent of the largest entry of the structures of all ranks; of the features, where alpha
/// is 0 or the structures have no entries. Throws where the square of such an entry is far from
/// what a floating-point number can hold.
[[nodiscard]] int scale_exponent(std::span<const Sample> samples, double alpha, Shard& shard);
[[nodiscard]] int scale_exponent(std::span<const Sample> samples, double alpha);
/// The exponent for the atoms of a model, if it is beyond -100 to 100; else 0.
[[nodiscard]] int extreme_exponent(const AtomModel& model, double alpha);

// All times 2^exponent.
[[nodiscard]] std::vector<Sample> times_power_of_two(std::span<const Sample> samples, int exponent);
[[nodiscard]] Atom times_power_of_two(const Atom& atom, int exponent);
[[nodiscard]] Projection times_power_of_two(const Projection& projection, int exponent);
void multiply(std::vector<Atom>& atoms, int exponent);
void multiply(std::vector<double>& values, int exponent);

/// Back from size 1.
void bring_back(Learned& learned, int exponent);
void bring_back(Embedding& embedding, int exponent);

/// The run of a search at size 1, whose observer is told values times 2^exponent.
[[nodiscard]] Run with_values_times(const Run& run, int exponent);

}  // namespace srgw::detail
