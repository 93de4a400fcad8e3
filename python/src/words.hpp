// SPDX-License-Identifier: MIT
//
// Words that stand for enumerators, and options structs whose fields are keywords.
#pragma once

#include <nanobind/nanobind.h>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "srgw/dictionary.hpp"
#include "srgw/fields.hpp"
#include "srgw/baselines.hpp"
#include "srgw/solve.hpp"

namespace srgw::python {

namespace nb = nanobind;

template <class Value>
struct Word {
  const char* word;
  Value value;
};

constexpr std::array stopping_words{Word{"gap", Stopping::gap}, Word{"change", Stopping::change},
                                    Word{"change_of_former", Stopping::change_of_former}};
constexpr std::array tie_words{Word{"share", Ties::share}, Word{"first", Ties::first}};
constexpr std::array atom_start_words{Word{"noise", AtomStart::noise},
                                      Word{"descriptors", AtomStart::descriptors},
                                      Word{"both", AtomStart::both}};
constexpr std::array linear_start_words{Word{"noise", LinearStart::noise},
                                        Word{"graphs", LinearStart::graphs}};

template <class Value, std::size_t Count>
std::optional<Value> find(const std::array<Word<Value>, Count>& words, std::string_view word) {
  for (const auto& entry : words) {
    if (word == entry.word) return entry.value;
  }
  return {};
}

/// Throws a ValueError that lists the words.
template <class Value, std::size_t Count>
Value from_word(const std::array<Word<Value>, Count>& words, std::string_view what,
                const std::string& word) {
  if (const auto found = find(words, word)) return *found;
  std::string message = std::string(what) + " is '" + word + "', expected one of ";
  for (const auto& entry : words) message += std::string(entry.word) + " ";
  message.pop_back();
  throw nb::value_error(message.c_str());
}

template <class Value, std::size_t Count>
std::string to_word(const std::array<Word<Value>, Count>& words, Value value) {
  for (const auto& entry : words) {
    if (value == entry.value) return entry.word;
  }
  return {};
}

template <class T>
T option_from(std::string_view field, nb::handle given) {
  if constexpr (std::is_same_v<T, Stopping>) {
    return from_word(stopping_words, field, nb::cast<std::string>(given));
  } else if constexpr (std::is_same_v<T, Ties>) {
    return from_word(tie_words, field, nb::cast<std::string>(given));
  } else if constexpr (std::is_same_v<T, AtomStart>) {
    return from_word(atom_start_words, field, nb::cast<std::string>(given));
  } else if constexpr (std::is_same_v<T, LinearStart>) {
    return from_word(linear_start_words, field, nb::cast<std::string>(given));
  } else {
    return nb::cast<T>(given);
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
  if (used != given.size()) throw nb::type_error("a keyword that is no option of the method");
  check_fields(options);
  return options;
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
