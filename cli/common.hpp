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
/// --time-limit is passed to set_time_limit().
void add_common(CLI::App& app, Common& common);
/// --progress, for commands that report progress.
void add_progress(CLI::App& app, Common& common);

/// The seed, for commands that draw random numbers.
void add_seed(CLI::App& app, std::uint64_t& seed);

/// Throws when the folder of an output file does not exist; `-` is fine. Called before long work.
void check_folder_of(const std::string& file);

/// Prints one line to stderr.
void print_note(const std::string& text);

/// Prints a note, unless --quiet.
template <class... Args>
void note(const Common& common, fmt::format_string<Args...> text, Args&&... args) {
  if (!common.quiet) print_note(fmt::format(text, std::forward<Args>(args)...));
}
/// Prints a note with --verbose.
template <class... Args>
void detail_note(const Common& common, fmt::format_string<Args...> text, Args&&... args) {
  if (common.verbose && !common.quiet) print_note(fmt::format(text, std::forward<Args>(args)...));
}

/// Prints the result of --json.
void print_json(const nlohmann::ordered_json& object);

/// The whole text as a number, or nothing.
[[nodiscard]] std::optional<double> to_number(const std::string& text);
[[nodiscard]] std::optional<Index> to_index(const std::string& text);
/// Absent for `auto`; throws a usage error that names the option unless it is a number from 1.
[[nodiscard]] std::optional<Index> auto_or_count(const std::string& text, const char* option);

/// 1536 -> "1.5 kB", and back from 100M, 2G, 1.5GB.
[[nodiscard]] std::string size_text(double bytes);
[[nodiscard]] std::uint64_t size_from_text(const std::string& text);

}  // namespace srgw::cli
