// SPDX-License-Identifier: MIT
#include "cli/sha256.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <vector>

#include "cli/stopping.hpp"

namespace srgw::cli {

namespace {

using Word = std::uint32_t;
constexpr std::size_t block_size = 64;

// The first 32 bits of the fractions of the cube roots of the first 64 primes.
constexpr std::array<Word, 64> round_constants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

class Sha256 {
 public:
  void add(const unsigned char* block) {
    std::array<Word, 64> w;
    for (std::size_t t = 0; t < 16; ++t) {
      w[t] = Word{block[4 * t]} << 24 | Word{block[4 * t + 1]} << 16 | Word{block[4 * t + 2]} << 8 |
             Word{block[4 * t + 3]};
    }
    for (std::size_t t = 16; t < 64; ++t) {
      const Word s0 = std::rotr(w[t - 15], 7) ^ std::rotr(w[t - 15], 18) ^ (w[t - 15] >> 3);
      const Word s1 = std::rotr(w[t - 2], 17) ^ std::rotr(w[t - 2], 19) ^ (w[t - 2] >> 10);
      w[t] = w[t - 16] + s0 + w[t - 7] + s1;
    }
    auto [a, b, c, d, e, f, g, h] = state_;
    for (std::size_t t = 0; t < 64; ++t) {
      const Word s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
      const Word t1 = h + s1 + ((e & f) ^ (~e & g)) + round_constants[t] + w[t];
      const Word s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
      const Word t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
      h = g;
      g = f;
      f = e;
      e = d + t1;
      d = c;
      c = b;
      b = a;
      a = t1 + t2;
    }
    const std::array<Word, 8> change{a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < 8; ++i) state_[i] += change[i];
  }

  [[nodiscard]] std::string text() const {
    std::string result;
    for (const Word word : state_) result += fmt::format("{:08x}", word);
    return result;
  }

 private:
  // Fractional parts of the square roots of the first eight primes.
  std::array<Word, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                             0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
};

}  // namespace

std::string sha256_of_file(const std::string& path) {
  if (!std::filesystem::is_regular_file(path)) return {};
  std::ifstream file(path, std::ios::binary);
  if (!file) return {};
  Sha256 hash;
  std::vector<unsigned char> buffer(block_size << 14);
  std::uint64_t bytes = 0;
  while (true) {
    file.read(reinterpret_cast<char*>(buffer.data()), static_cast<std::streamsize>(buffer.size()));
    const std::size_t count = file.gcount();
    bytes += count;
    const std::size_t whole = count - count % block_size;
    for (std::size_t at = 0; at < whole; at += block_size) hash.add(buffer.data() + at);
    if (count == buffer.size()) {
      if (is_time_up()) return {};
      continue;
    }
    // The remaining bytes, a single bit, and the length in bits at the end of a block.
    std::vector<unsigned char> last(buffer.begin() + static_cast<std::ptrdiff_t>(whole),
                                    buffer.begin() + static_cast<std::ptrdiff_t>(count));
    last.push_back(0x80);
    while (last.size() % block_size != block_size - 8) last.push_back(0);
    for (int shift = 56; shift >= 0; shift -= 8) {
      last.push_back(static_cast<unsigned char>((bytes * 8) >> shift));
    }
    for (std::size_t at = 0; at < last.size(); at += block_size) hash.add(last.data() + at);
    return hash.text();
  }
}

}  // namespace srgw::cli
