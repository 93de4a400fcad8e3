// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>

namespace srgw::cli {

/// Prints what makes a shell complete the commands and options of the program.
void print_bash_completions(const CLI::App& program);
void print_zsh_completions(const CLI::App& program);

}  // namespace srgw::cli
