// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>

namespace srgw::cli {

/// Adds --config to the program. Keys of the file are long options; those above all sections apply
/// to any command, those in `[partition]` to that command only. The command line takes precedence.
void add_config(CLI::App& program);

}  // namespace srgw::cli
