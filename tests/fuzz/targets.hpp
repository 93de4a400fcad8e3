// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace srgw::fuzz {

/// A reader that is given any bytes. It may refuse them with an Error, in bounded memory; all else
/// is a mistake of the reader.
struct Target {
  const char* name;
  std::vector<std::string> endings;  ///< of its seeds in tests/fuzz/seeds and tests/data/bad
  void (*read)(std::string_view bytes);
};

[[nodiscard]] std::span<const Target> targets();
/// Throws std::out_of_range when there is no such target.
[[nodiscard]] const Target& target(std::string_view name);

}  // namespace srgw::fuzz
