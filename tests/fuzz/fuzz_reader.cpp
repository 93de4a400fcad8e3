// SPDX-License-Identifier: MIT
//
// A libFuzzer program; the variable SRGW_FUZZ_TARGET names a target of targets.cpp. Without it, the
// targets are printed with the endings of their seeds, a line each.
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string_view>

#include "fuzz/targets.hpp"

namespace {

const char* chosen() { return std::getenv("SRGW_FUZZ_TARGET"); }

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* /*count*/, char*** /*words*/) {
  if (chosen() != nullptr) return 0;
  for (const srgw::fuzz::Target& target : srgw::fuzz::targets()) {
    std::cout << target.name;
    for (const std::string& ending : target.endings) std::cout << ' ' << ending;
    std::cout << '\n';
  }
  std::exit(0);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const srgw::fuzz::Target& target = srgw::fuzz::target(chosen());
  target.read({reinterpret_cast<const char*>(data), size});
  return 0;
}
