// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>

namespace srgw::cli {

/// Adds --config to the program. Keys of the file are long options; those above all sections are
/// meant for the command at hand, `[partition]` and the like only for theirs. What is given on the
/// command line wins.
void add_config(CLI::App& program);

}  // namespace srgw::cli
