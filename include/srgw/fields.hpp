// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <limits>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

namespace srgw {

namespace detail {
/// Throws: "name is value, expected a number from smallest to largest".
[[noreturn]] void fail_range(std::string_view name, double value, double smallest, double largest);
/// Throws: "option 'given', expected one of: known".
[[noreturn]] void fail_name(std::string_view option, std::string_view given,
                            const std::string& known);
}  // namespace detail

/// An enumerator and its name on the command line, in Python and in files.
template <class Enum>
struct Named {
  Enum value;
  std::string_view name;
};

template <class Enum>
Named(Enum, std::string_view) -> Named<Enum>;

/// An enum whose header has the list of its names: constexpr auto names_of(Enum).
template <class Enum>
concept HasNames = requires(Enum value) {
  names_of(value).begin()->name;
};

template <HasNames Enum>
[[nodiscard]] constexpr std::string_view name(Enum value) {
  for (const auto& row : names_of(value)) {
    if (row.value == value) return row.name;
  }
  return {};
}

/// All names with something between them.
template <HasNames Enum>
[[nodiscard]] std::string join_names(std::string_view between) {
  std::string text;
  for (const auto& row : names_of(Enum{})) {
    if (!text.empty()) text += between;
    text += row.name;
  }
  return text;
}

/// Throws an argument error that names the option and lists the names.
template <HasNames Enum>
[[nodiscard]] Enum from_name(std::string_view given, std::string_view option) {
  for (const auto& row : names_of(Enum{})) {
    if (row.name == given) return row.value;
  }
  detail::fail_name(option, given, join_names<Enum>(", "));
}

/// One entry of an options struct: what validation, command-line flags, Python keywords and the
/// echo of a run all read. The default is the struct's own and stands nowhere else.
template <class Options, class T>
struct Field {
  std::string_view name;
  T Options::*member;
  double smallest, largest;  ///< closed range of a number, or of that behind an enumerator
  std::string_view doc;
};

template <class Options, class T>
Field(std::string_view, T Options::*, double, double, std::string_view) -> Field<Options, T>;

/// Calls `visit(field, value)` for each entry of fields(options); options inside options are walked
/// by their own lists.
template <class Options, class Visitor>
void for_each_field(Options& options, const Visitor& visit) {
  const auto visit_one = [&](const auto& field) {
    auto& value = options.*field.member;
    if constexpr (requires { fields(value); }) {
      for_each_field(value, visit);
    } else {
      visit(field, value);
    }
  };
  std::apply([&](const auto&... field) { (visit_one(field), ...); }, fields(options));
}

/// Throws when a number or enumerator is outside its range or not a number.
template <class Options>
void check_fields(const Options& options) {
  for_each_field(options, [](const auto& field, const auto& value) {
    using T = std::remove_cvref_t<decltype(value)>;
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      const auto number = static_cast<double>(value);
      if (!(number >= field.smallest && number <= field.largest)) {
        detail::fail_range(field.name, number, field.smallest, field.largest);
      }
    }
  });
}

}  // namespace srgw
