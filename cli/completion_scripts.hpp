// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>

namespace srgw::cli {

/// Prints the completion script of a shell.
void print_bash_completions(const CLI::App& program);
void print_zsh_completions(const CLI::App& program);

}  // namespace srgw::cli
