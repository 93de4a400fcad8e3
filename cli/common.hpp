// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "srgw/types.hpp"

namespace srgw::cli {

/// Options that every command has.
struct Common {
  bool json = false;
  bool quiet = false;
  bool verbose = false;
  int threads = 0;  ///< 0: all cores
  std::string progress = "auto";
};
/// --time-limit is among them: set_time_limit() hears of it.
void add_common(CLI::App& app, Common& common);
/// --progress, for commands that report progress.
void add_progress(CLI::App& app, Common& common);

/// The seed, for commands that draw random numbers.
void add_seed(CLI::App& app, std::uint64_t& seed);

/// A validator that help does not mention: the type and the text of the option do.
[[nodiscard]] CLI::Validator silent(CLI::Validator validator);

/// Validators with a message a reader understands: a number from `least` (or above it), and a whole
/// number that is not negative.
[[nodiscard]] CLI::Validator number_from(double least, bool or_equal = true);
[[nodiscard]] CLI::Validator whole_number();

/// Throws when a file to be written has no folder to be in; `-` is fine. Before long work, not
/// after.
void check_folder_of(const std::string& file);

/// One line on standard error.
void print_note(const std::string& text);

/// Tells what the user should know (unless --quiet).
template <class... Args>
void note(const Common& common, fmt::format_string<Args...> text, Args&&... args) {
  if (!common.quiet) print_note(fmt::format(text, std::forward<Args>(args)...));
}
/// Tells what the user may want to know (--verbose).
template <class... Args>
void detail_note(const Common& common, fmt::format_string<Args...> text, Args&&... args) {
  if (common.verbose && !common.quiet) print_note(fmt::format(text, std::forward<Args>(args)...));
}

/// The one object that --json prints.
void print_json(const nlohmann::ordered_json& object);

/// The whole text as a number, or nothing.
[[nodiscard]] std::optional<double> to_number(const std::string& text);
[[nodiscard]] std::optional<Index> to_index(const std::string& text);

/// 1536 -> "1.5 kB", and back from 100M, 2G, 1.5GB.
[[nodiscard]] std::string size_text(double bytes);
[[nodiscard]] std::uint64_t size_from_text(const std::string& text);

}  // namespace srgw::cli
