// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace srgw::cli {

/// One option as help shows it, for completions and the manual.
struct OptionEntry {
  std::vector<std::string> names;  ///< with their dashes; of a positional its name
  std::string type;                ///< of its value; empty: a flag
  std::string text, fallback, group;
  bool positional = false, required = false;
  bool several = false;  ///< takes any number of values

  /// The values of a type such as auto|always|never; empty for others.
  [[nodiscard]] std::vector<std::string> choices() const;
};
[[nodiscard]] OptionEntry entry_of(const CLI::Option& option);
/// Visible options of a command, positionals first; `nested` adds those of its subcommands.
[[nodiscard]] std::vector<OptionEntry> option_list(const CLI::App& app, bool nested = false);

/// The word of a list with the smallest edit distance to `word`.
[[nodiscard]] std::string closest_word(const std::string& word,
                                       const std::vector<std::string>& words);

/// The commands of a program that are not hidden.
[[nodiscard]] std::vector<const CLI::App*> command_list(const CLI::App& app);

}  // namespace srgw::cli
