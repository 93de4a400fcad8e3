// SPDX-License-Identifier: MIT
#include "cli/common.hpp"

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "cli/exit_code.hpp"
#include "cli/options.hpp"
#include "cli/stopping.hpp"

namespace srgw::cli {

namespace {

template <class T>
std::optional<T> parse(const std::string& text) {
  T number{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) return {};
  return number;
}

CLI::Validator check_limit() {
  return CLI::Validator(
      [](const std::string& text) {
        const auto seconds = to_number(text);
        return seconds && *seconds > 0 ? "" : "'" + text + "', expected a number above 0";
      },
      "");
}

/// Seeds have 64 bits, more than a double holds.
CLI::Validator check_seed() {
  return CLI::Validator(
      [](const std::string& text) {
        return parse<std::uint64_t>(text) ? "" : "'" + text + "', expected a whole number from 0";
      },
      "");
}

constexpr std::array units{"B", "kB", "MB", "GB", "TB"};
constexpr double unit_step = 1024;

}  // namespace

void add_common(CLI::App& app, Common& common) {
  Options options(app, "Common");
  options
      .number("-j,--threads", common.threads,
              "Number of threads; the result does not depend on it. Default: all cores", 0, 4096)
      ->default_str("");
  const auto set_limit = [](const std::string& text) { set_time_limit(*to_number(text)); };
  app.add_option_function<std::string>(
         "--time-limit", set_limit,
         "Return the best result so far this many seconds after the start of the program")
      ->type_name("S")
      ->check(check_limit())
      ->group("Common");
  options.flag("--json", common.json, "Print one JSON object and nothing else");
  options.flag("-q,--quiet", common.quiet, "Only print results and errors");
  options.flag("-v,--verbose", common.verbose, "Verbose output");
}

void add_progress(CLI::App& app, Common& common) {
  Options(app, "Common")
      .choice("--progress", common.progress, {"auto", "always", "never"}, "Progress bar on stderr");
}

void add_seed(CLI::App& app, std::uint64_t& seed) {
  Options(app, "Common")
      .text("--seed", seed, "N", "Seed of all random numbers")
      ->check(check_seed());
}

void check_folder_of(const std::string& file) {
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  if (file.empty() || folder.empty() || std::filesystem::is_directory(folder)) return;
  throw Error(Error::Kind::io, fmt::format("{}: cannot be written: the folder {} does not exist",
                                           file, folder.string()));
}

void print_note(const std::string& text) { std::fputs(("srgw: " + text + "\n").c_str(), stderr); }

void print_json(const nlohmann::ordered_json& object) {
  // Node names from files may not be UTF-8; they are printed anyway.
  const auto replace = nlohmann::ordered_json::error_handler_t::replace;
  std::puts(object.dump(2, ' ', false, replace).c_str());
}

std::optional<double> to_number(const std::string& text) {
  const auto number = parse<double>(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

std::optional<Index> to_index(const std::string& text) { return parse<Index>(text); }

std::optional<Index> auto_or_count(const std::string& text, const char* option) {
  if (text == "auto") return {};
  const auto count = to_index(text);
  if (!count || *count < 1)
    fail_usage("{} {}, expected auto or a whole number from 1", option, text);
  return count;
}

std::string size_text(double bytes) {
  std::size_t unit = 0;
  for (; bytes >= unit_step && unit + 1 < units.size(); ++unit) bytes /= unit_step;
  return fmt::format("{:.{}f} {}", bytes, unit == 0 ? 0 : 1, units[unit]);
}

std::uint64_t size_from_text(const std::string& text) {
  std::size_t digits = 0;
  while (digits < text.size() &&
         (std::isdigit(static_cast<unsigned char>(text[digits])) != 0 || text[digits] == '.')) {
    ++digits;
  }
  std::string unit;
  for (const char c : text.substr(digits)) {
    if (c != 'i' && c != ' ') {
      unit += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
  }
  if (unit.size() > 1 && unit.back() == 'B') unit.pop_back();
  const auto number = to_number(text.substr(0, digits));
  const auto power = unit.empty() ? 0 : std::string("BKMGT").find(unit);
  if (!number || !(*number > 0) || unit.size() > 1 || power == std::string::npos) {
    fail_usage("--max-memory '{}', expected a size such as 500M or 2G", text);
  }
  return static_cast<std::uint64_t>(*number * std::pow(unit_step, static_cast<double>(power)));
}

}  // namespace srgw::cli
