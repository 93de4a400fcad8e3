// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>
#include <concepts>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "srgw/fields.hpp"

namespace srgw::cli {

/// Accepts numbers in a closed range; `whole`: integers only.
[[nodiscard]] CLI::Validator check_number(double least, double most, bool whole);
/// Accepts the values of a list.
[[nodiscard]] CLI::Validator check_choice(std::vector<std::string> choices);

/// Turns /dev/stdout into "-": as the name of a file it would be replaced, with all that was
/// printed before.
[[nodiscard]] CLI::Validator one_name_of_stdout();

/// Declares options of one group of the help. A value that is neither empty nor optional is printed
/// as the default.
class Options {
 public:
  /// Without a name: the first group, which has no heading of its own.
  explicit Options(CLI::App& app, std::string group = "") : app_(app), group_(std::move(group)) {}

  /// A required argument without dashes.
  template <class T>
  CLI::Option* argument(const std::string& name, T& value, const std::string& help) {
    return place(app_.add_option(name, value, help))
        ->type_name("")
        ->required()
        ->transform(one_name_of_stdout());
  }
  /// Optional further arguments without dashes.
  CLI::Option* more(const std::string& name, std::vector<std::string>& values,
                    const std::string& help) {
    return place(app_.add_option(name, values, help))
        ->type_name("")
        ->transform(one_name_of_stdout());
  }
  CLI::Option* flag(const std::string& names, bool& value, const std::string& help) {
    return place(app_.add_flag(names, value, help));
  }
  /// A text; help calls its value `type`.
  template <class T>
  CLI::Option* text(const std::string& names, T& value, const std::string& type,
                    const std::string& help) {
    return place(app_.add_option(names, value, help), is_set(value))->type_name(type);
  }
  template <class T>
  CLI::Option* file(const std::string& names, T& value, const std::string& help) {
    return text(names, value, "FILE", help)->transform(one_name_of_stdout());
  }
  /// One of a few values.
  template <class T>
  CLI::Option* choice(const std::string& names, T& value, const std::vector<std::string>& choices,
                      const std::string& help) {
    return text(names, value, CLI::detail::join(choices, "|"), help)->check(check_choice(choices));
  }
  /// One of the names of an enum.
  template <HasNames Enum>
  CLI::Option* choice(const std::string& names, Enum& value, const std::string& help) {
    return name_of<Enum>(names, value, help)->default_str(std::string(name(value)));
  }
  template <HasNames Enum>
  CLI::Option* choice(const std::string& names, std::optional<Enum>& value,
                      const std::string& help) {
    return name_of<Enum>(names, value, help);
  }
  /// A number in a closed range.
  template <class T>
  CLI::Option* number(const std::string& names, T& value, const std::string& help, double least = 0,
                      double most = std::numeric_limits<double>::infinity()) {
    constexpr bool whole = std::is_integral_v<Plain<T>>;
    if (whole) most = std::min(most, static_cast<double>(std::numeric_limits<Plain<T>>::max()));
    return text(names, value, whole ? "N" : "X", help)->check(check_number(least, most, whole));
  }

 private:
  template <class T>
  struct Inside {
    using Type = T;
  };
  template <class T>
  struct Inside<std::optional<T>> {
    using Type = T;
  };
  template <class T>
  using Plain = typename Inside<T>::Type;

  template <class T>
  static bool is_set(const T& value) {
    if constexpr (std::is_arithmetic_v<T>) return true;
    if constexpr (requires { value.empty(); }) return !value.empty();
    return false;
  }

  template <class Enum, class Value>
  CLI::Option* name_of(const std::string& names, Value& value, const std::string& help) {
    const auto set = [&value](const std::string& text) { value = from_name<Enum>(text, "value"); };
    std::vector<std::string> known;
    for (const auto& row : names_of(Enum{})) known.emplace_back(row.name);
    return place(app_.add_option_function<std::string>(names, set, help))
        ->type_name(join_names<Enum>("|"))
        ->check(check_choice(std::move(known)));
  }

  CLI::Option* place(CLI::Option* option, bool shows_default = false) const {
    if (!group_.empty()) option->group(group_);
    return shows_default ? option->capture_default_str() : option;
  }

  CLI::App& app_;
  std::string group_;
};

}  // namespace srgw::cli
