// SPDX-License-Identifier: MIT
//
// A libFuzzer program for one reader: SRGW_FUZZ_TARGET names a target of targets.cpp.
#include <cstdint>
#include <string_view>

#include "fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const srgw::fuzz::Target& target = srgw::fuzz::target(SRGW_FUZZ_TARGET);
  target.read({reinterpret_cast<const char*>(data), size});
  return 0;
}
