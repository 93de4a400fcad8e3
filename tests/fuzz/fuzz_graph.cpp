// SPDX-License-Identifier: MIT
//
// A libFuzzer target for one reader: SRGW_FUZZ_FORMAT names a format of the table. Any bytes must
// give a graph or an Error, in bounded memory.
#include <cstdint>
#include <string_view>

#include "srgw/error.hpp"
#include "srgw/io.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  srgw::io::ReadOptions options{
      .format = SRGW_FUZZ_FORMAT, .threads = 1, .max_unpacked_bytes = std::uint64_t{1} << 24};
  // The first byte also chooses options, so that their code is walked, too.
  if (size > 0) {
    options.directed = (data[0] & 1U) != 0;
    options.symmetrize = (data[0] & 2U) != 0;
    if ((data[0] & 4U) != 0) options.duplicates = srgw::Duplicates::sum;
  }
  try {
    static_cast<void>(srgw::io::parse_graph(bytes, "input", options));
  } catch (const srgw::Error&) {
  }
  return 0;
}
