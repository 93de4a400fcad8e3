// SPDX-License-Identifier: MIT
//
// Options structs whose fields are keywords.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <string_view>
#include <type_traits>

#include "srgw/baselines.hpp"
#include "srgw/dictionary.hpp"
#include "srgw/fields.hpp"
#include "srgw/solve.hpp"

namespace srgw::python {

namespace nb = nanobind;

template <class T>
T cast_option(std::string_view field, nb::handle given, const char* expected) {
  try {
    return nb::cast<T>(given);
  } catch (const nb::cast_error&) {
    const std::string message =
        std::string(field) + " is " + nb::repr(given).c_str() + ", expected " + expected;
    throw nb::type_error(message.c_str());
  }
}

template <class T>
T option_from(std::string_view field, nb::handle given) {
  if constexpr (HasNames<T>) {
    return from_name<T>(cast_option<std::string>(field, given, "a string"), field);
  } else if constexpr (std::is_same_v<T, bool>) {
    return cast_option<T>(field, given, "True or False");
  } else {
    return cast_option<T>(field, given, std::is_integral_v<T> ? "a whole number" : "a number");
  }
}

/// Options by the names of their fields.
template <class Options>
Options options_from(const nb::dict& given) {
  Options options;
  std::size_t used = 0;
  for_each_field(options, [&](const auto& field, auto& value) {
    const std::string word(field.name);
    if (!given.contains(word.c_str())) return;
    value = option_from<std::remove_cvref_t<decltype(value)>>(field.name, given[word.c_str()]);
    ++used;
  });
  if (used != given.size()) throw nb::type_error("unknown option of the method");
  check_fields(options);
  return options;
}

/// For properties of results.
template <class Result>
std::string status_of(const Result& self) {
  return std::string(name(self.status));
}
template <class Result>
bool has_converged(const Result& self) {
  return self.status == Status::converged;
}

/// The keywords are the fields of the options struct.
template <class Options>
void bind_options(nb::module_& module, const char* name, const char* doc) {
  nb::class_<Options>(module, name, doc)
      .def("__init__", [](Options* self, const nb::kwargs& given) {
        new (self) Options(options_from<Options>(given));
      });
}

}  // namespace srgw::python
