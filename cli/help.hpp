// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>

namespace srgw::cli {

/// Gives the program, before its commands are added, `--help` with the most used options of a
/// command and `--help-all` with all of them, by groups.
void add_help(CLI::App& program);

}  // namespace srgw::cli
