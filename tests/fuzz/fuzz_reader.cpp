// SPDX-License-Identifier: MIT
//
// A libFuzzer program; the variable SRGW_FUZZ_TARGET names a target of targets.cpp.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const srgw::fuzz::Target& target = []() -> const srgw::fuzz::Target& {
    const char* name = std::getenv("SRGW_FUZZ_TARGET");
    return srgw::fuzz::target(name != nullptr ? name : "");
  }();
  target.read({reinterpret_cast<const char*>(data), size});
  return 0;
}
