// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>

namespace srgw::cli {

/// Throws if an output is an input, if two outputs are one file, or if an output has an empty name.
void check_outputs(const CLI::App& command);

/// Opens closed standard streams such that using them fails; otherwise the next opened file would
/// take their place.
void open_standard_streams();

}  // namespace srgw::cli
