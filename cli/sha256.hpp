// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace srgw::cli {

/// The SHA-256 of a file (FIPS 180-4) as `sha256sum` prints it; empty when it cannot be read again,
/// as standard input, and for a large file when the program has to stop.
[[nodiscard]] std::string sha256_of_file(const std::string& path);

}  // namespace srgw::cli
