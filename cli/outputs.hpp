// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>

namespace srgw::cli {

/// Throws when a command would write over one of its inputs, would write two outputs into one file,
/// or has an empty name for one.
void check_outputs(const CLI::App& command);

/// Opens those of the standard streams that are closed, such that using them fails: else the next
/// file would take their place.
void open_standard_streams();

}  // namespace srgw::cli
