// SPDX-License-Identifier: MIT
#include "cli/common.hpp"

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "cli/exit_code.hpp"
#include "cli/stopping.hpp"

namespace srgw::cli {

namespace {

template <class T>
std::optional<T> parsed(const std::string& text) {
  T number{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) return {};
  return number;
}

constexpr std::array units{"B", "kB", "MB", "GB", "TB"};
constexpr double unit_step = 1024;

}  // namespace

void add_common(CLI::App& app, Common& common) {
  app.add_option("-j,--threads", common.threads,
                 "Threads, by default all cores; they do not change the result")
      ->type_name("N")
      ->check(silent(CLI::Range(0, 4096)))
      ->group("Common");
  app.add_option_function<double>(
         "--time-limit", set_time_limit,
         "Seconds from the start of the program after which the best result so far is returned")
      ->type_name("S")
      ->check(number_from(0, false))
      ->group("Common");
  app.add_flag("--json", common.json, "Print one JSON object and nothing else")->group("Common");
  app.add_flag("-q,--quiet", common.quiet, "Say nothing but the result and errors")
      ->group("Common");
  app.add_flag("-v,--verbose", common.verbose, "Say more")->group("Common");
}

void add_progress(CLI::App& app, Common& common) {
  app.add_option("--progress", common.progress, "Progress bar on standard error")
      ->type_name("auto|always|never")
      ->check(silent(CLI::IsMember({"auto", "always", "never"})))
      ->capture_default_str()
      ->group("Common");
}

void add_seed(CLI::App& app, std::uint64_t& seed) {
  app.add_option("--seed", seed, "Seed of all random numbers")
      ->type_name("N")
      ->check(whole_number())
      ->capture_default_str()
      ->group("Common");
}

CLI::Validator silent(CLI::Validator validator) {
  validator.description("");
  return validator;
}

CLI::Validator number_from(double least, bool or_equal) {
  return CLI::Validator(
      [=](const std::string& text) {
        const auto number = to_number(text);
        if (number && (or_equal ? *number >= least : *number > least)) return std::string();
        return fmt::format("'{}', expected a number {} {}", text, or_equal ? "from" : "above",
                           least);
      },
      "");
}

CLI::Validator whole_number() {
  return CLI::Validator(
      [](const std::string& text) {
        if (parsed<std::uint64_t>(text)) return std::string();
        return fmt::format("'{}', expected a whole number from 0", text);
      },
      "");
}

void check_folder_of(const std::string& file) {
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  if (file.empty() || folder.empty() || std::filesystem::is_directory(folder)) return;
  throw Error(Error::Kind::io,
              fmt::format("{}: cannot be written: there is no folder {}, expected one", file,
                          folder.string()));
}

void print_note(const std::string& text) { std::fputs(("srgw: " + text + "\n").c_str(), stderr); }

void print_json(const nlohmann::ordered_json& object) {
  // Node names come from files; what is not UTF-8 there must not stop the output here.
  const auto replace = nlohmann::ordered_json::error_handler_t::replace;
  std::puts(object.dump(2, ' ', false, replace).c_str());
}

std::optional<double> to_number(const std::string& text) {
  const auto number = parsed<double>(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

std::optional<Index> to_index(const std::string& text) { return parsed<Index>(text); }

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
