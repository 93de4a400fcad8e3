// SPDX-License-Identifier: MIT
#include "cli/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/common.hpp"

namespace srgw::cli {

namespace {

constexpr double as_good_as_any = 1e9;  // messages name larger limits only if they are exceeded

}  // namespace

CLI::Validator check_number(double least, double most, bool whole) {
  return CLI::Validator(
      [=](const std::string& text) {
        const auto number = to_number(text);
        const bool fits = number && (!whole || *number == std::floor(*number));
        if (fits && *number >= least && *number <= most) return std::string();
        const bool told = most < as_good_as_any || (number && *number > most);
        return fmt::format("'{}', expected a {}number from {}{}", text, whole ? "whole " : "",
                           least, told ? fmt::format(" to {}", most) : "");
      },
      "");
}

CLI::Validator check_choice(std::vector<std::string> choices) {
  return CLI::Validator(
      [choices = std::move(choices)](const std::string& text) {
        if (std::ranges::find(choices, text) != choices.end()) return std::string();
        return fmt::format("'{}', expected one of: {}", text, fmt::join(choices, ", "));
      },
      "");
}

CLI::Validator one_name_of_stdout() {
  return CLI::Validator(
      [](std::string& text) {
        if (text == "/dev/stdout" || text == "/dev/fd/1" || text == "/proc/self/fd/1") text = "-";
        return std::string();
      },
      "");
}

}  // namespace srgw::cli
