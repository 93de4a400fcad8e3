// SPDX-License-Identifier: MIT
#include "argument_errors.hpp"

#include <array>
#include <cstddef>
#include <cstring>
#include <exception>
#include <string_view>
#include <utility>

namespace srgw::python {

namespace {

// nanobind calls a function in one of a few ways, which depend on its parameters.
constexpr std::size_t most_ways = 8;

// The higher bits are flags of Python and nanobind.
constexpr std::size_t count_bits = 0xffffffff;

std::array<vectorcallfunc, most_ways>& ways() {
  static std::array<vectorcallfunc, most_ways> found{};
  return found;
}

/// Replaces the current error if it says that no signature fits.
void explain(PyObject* function, PyObject* const* args, std::size_t count, PyObject* keywords) {
  nb::python_error error;
  try {
    const nb::str message(error.value());
    if (std::string_view(message.c_str()).find("incompatible function arguments") !=
        std::string_view::npos) {
      nb::list positional;
      for (std::size_t i = 0; i < count; ++i) positional.append(nb::handle(args[i]));
      nb::dict named;
      const std::size_t names = keywords == nullptr ? 0 : nb::len(nb::handle(keywords));
      for (std::size_t i = 0; i < names; ++i) {
        named[nb::handle(keywords)[i]] = nb::handle(args[count + i]);
      }
      const nb::object better =
          nb::module_::import_("srgw._argument_errors")
              .attr("explain")(nb::handle(function), message, positional, named);
      if (!better.is_none()) {
        PyErr_SetObject(PyExc_TypeError, better.ptr());
        return;
      }
    }
  } catch (const std::exception&) {
    // Outside of the package there is nobody to ask: the error stays as it is.
  }
  error.restore();
}

template <std::size_t way>
PyObject* call(PyObject* function, PyObject* const* args, std::size_t flags, PyObject* keywords) {
  PyObject* result = ways()[way](function, args, flags, keywords);
  if (result == nullptr && PyErr_ExceptionMatches(PyExc_TypeError) != 0) {
    explain(function, args, flags & count_bits, keywords);
  }
  return result;
}

template <std::size_t... indices>
constexpr std::array<vectorcallfunc, most_ways> calls_of(std::index_sequence<indices...>) {
  return {&call<indices>...};
}

constexpr auto calls = calls_of(std::make_index_sequence<most_ways>());

void lead_through(PyObject* function) {
  char* place = reinterpret_cast<char*>(function) + Py_TYPE(function)->tp_vectorcall_offset;
  vectorcallfunc way = nullptr;
  std::memcpy(&way, place, sizeof(way));
  for (std::size_t i = 0; i < most_ways; ++i) {
    vectorcallfunc& known = ways()[i];
    if (known == nullptr) known = way;
    if (known != way) continue;
    std::memcpy(place, &calls[i], sizeof(way));
    return;
  }
}

bool is_function(nb::handle value) {
  const std::string_view kind = Py_TYPE(value.ptr())->tp_name;
  return kind.ends_with("nb_func") || kind.ends_with("nb_method");
}

}  // namespace

void name_wrong_arguments(nb::module_& module) {
  for (const nb::handle value : nb::borrow<nb::dict>(module.attr("__dict__")).values()) {
    if (is_function(value)) lead_through(value.ptr());
    if (!nb::isinstance<nb::type_object>(value)) continue;
    for (const nb::handle member : value.attr("__dict__").attr("values")()) {
      if (is_function(member)) lead_through(member.ptr());
    }
  }
}

}  // namespace srgw::python
