// SPDX-License-Identifier: MIT
#include "base/random.hpp"

#include <cmath>
#include <numbers>

namespace srgw::detail {

namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::uint32_t low(std::uint64_t word) { return static_cast<std::uint32_t>(word); }
constexpr std::uint32_t high(std::uint64_t word) { return static_cast<std::uint32_t>(word >> 32); }

}  // namespace

// Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3 (SC 2011).
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                    std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t b = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {high(b) ^ counter[1] ^ key[0], low(b), high(a) ^ counter[3] ^ key[1], low(a)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

// The key is the seed, the high half of the counter the item, the low half the number of the block.
Random::Random(std::uint64_t seed, std::uint64_t item)
    : key_{low(seed), high(seed)}, counter_{0, 0, low(item), high(item)} {}

std::uint64_t Random::operator()() {
  if (used_ == 4) {
    block_ = philox(counter_, key_);
    if (++counter_[0] == 0) ++counter_[1];
    used_ = 0;
  }
  const std::size_t word = used_;
  used_ += 2;
  return block_[word] | std::uint64_t{block_[word + 1]} << 32;
}

double Random::uniform() { return static_cast<double>((*this)() >> 11) * 0x1p-53; }

// Lemire: the high half of bound * x is uniform once x is redrawn in the 2^64 mod bound values
// whose low half would favour some results.
std::uint64_t Random::below(std::uint64_t bound) {
  Wide product = static_cast<Wide>((*this)()) * bound;
  if (static_cast<std::uint64_t>(product) < bound) {
    const std::uint64_t biased = (0 - bound) % bound;
    while (static_cast<std::uint64_t>(product) < biased) {
      product = static_cast<Wide>((*this)()) * bound;
    }
  }
  return static_cast<std::uint64_t>(product >> 64);
}

// Box and Muller; 1 - u is in (0, 1].
double Random::normal() {
  const double radius = std::sqrt(-2 * std::log(1 - uniform()));
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

}  // namespace srgw::detail
