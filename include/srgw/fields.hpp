// SPDX-License-Identifier: MIT
#pragma once

#include <limits>
#include <string_view>
#include <tuple>
#include <type_traits>

namespace srgw {

namespace detail {
/// Throws: "name is value, expected a number from smallest to largest".
[[noreturn]] void fail_range(std::string_view name, double value, double smallest, double largest);
}  // namespace detail

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
