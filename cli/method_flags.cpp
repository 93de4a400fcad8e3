// SPDX-License-Identifier: MIT
#include "cli/method_flags.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>
#include <utility>

#include "cli/common.hpp"
#include "cli/exit_code.hpp"

namespace srgw::cli {

namespace {

constexpr auto names_of(bool) { return std::array{Named{true, "yes"}, Named{false, "no"}}; }

template <class T>
constexpr bool has_words = HasNames<T> || std::is_same_v<T, bool>;

/// The names of a field's type, of yes and no too.
template <class T>
auto rows_of(T value) {
  return names_of(value);
}

std::string flag_of(std::string_view field) {
  std::string flag(field);
  std::replace(flag.begin(), flag.end(), '_', '-');
  return "--" + flag;
}

template <class T>
std::string text_of(const T& value) {
  if constexpr (has_words<T>) {
    for (const auto& [meaning, word] : rows_of(value)) {
      if (meaning == value) return std::string(word);
    }
    return {};
  } else {
    return fmt::format("{}", value);
  }
}

template <class T>
std::string type_of(const T& value) {
  if constexpr (has_words<T>) {
    std::string words;
    for (const auto& [meaning, word] : rows_of(value)) {
      words += (words.empty() ? "" : "|") + std::string(word);
    }
    return words;
  } else {
    return std::is_integral_v<T> ? "N" : "X";
  }
}

template <class T>
void set(T& value, std::string_view field, const std::string& text) {
  if constexpr (has_words<T>) {
    for (const auto& [meaning, word] : rows_of(value)) {
      if (text == word) {
        value = meaning;
        return;
      }
    }
  } else {
    const auto number = to_number(text);
    const bool fits = number && (std::is_floating_point_v<T> ||
                                 (std::abs(*number) <= 1e9 && *number == std::floor(*number)));
    if (fits) {
      value = static_cast<T>(*number);
      return;
    }
  }
  fail_usage("{} '{}', expected {}", flag_of(field), text,
             has_words<T> ? type_of(value)
                          : std::string(std::is_integral_v<T> ? "a whole number" : "a number"));
}

/// Fields that only balanced problems read, which the commands do not have.
bool is_balanced_only(std::string_view field) {
  return field == "alternating" || field.starts_with("scaling_");
}

/// Drops flags with the default of `Other`, which help shows.
template <class Other>
void drop_defaults(MethodFlags& flags) {
  const Other defaults;
  for_each_field(defaults, [&](const auto& field, const auto& value) {
    const auto given = flags.find(std::string(field.name));
    if (given != flags.end() && given->second == text_of(value)) flags.erase(given);
  });
}

template <class Options, class Other>
Options options_from_flags(MethodFlags flags, const char* name) {
  Options options;
  std::string known;
  for_each_field(options, [&](const auto& field, auto& value) {
    const auto given = flags.find(std::string(field.name));
    if (!is_balanced_only(field.name)) known += " " + flag_of(field.name);
    if (given == flags.end()) return;
    set(value, field.name, given->second);
    flags.erase(given);
  });
  drop_defaults<Other>(flags);
  if (!flags.empty()) {
    fail_usage("{} is not an option of {}, expected one of{}", flag_of(flags.begin()->first), name,
               known);
  }
  try {
    check_fields(options);
  } catch (const Error& error) {  // begins with the name of the field
    const std::string text = error.what();
    const std::size_t end = text.find(' ');
    throw UsageError(flag_of(text.substr(0, end)) + text.substr(end));
  }
  return options;
}

template <class Options>
void add_flags_of(CLI::App& app, MethodFlags& flags, const std::string& group) {
  Options defaults;
  for_each_field(defaults, [&](const auto& field, const auto& value) {
    const std::string flag = flag_of(field.name), name(field.name);
    if (is_balanced_only(name)) return;
    if (CLI::Option* both = app.get_option_no_throw(flag); both != nullptr) {
      if (both->get_default_str() != text_of(value)) {
        both->description(fmt::format("{}. Default: {}, with --epsilon {}", both->get_description(),
                                      both->get_default_str(), text_of(value)));
        both->default_str("");
      }
      return;
    }
    // 0: conditional gradient
    const std::string standard = name == "epsilon" ? "0" : text_of(value);
    app.add_option_function<std::string>(
           flag, [&flags, name](const std::string& text) { flags[name] = text; },
           std::string(field.doc))
        ->type_name(type_of(value))
        ->default_str(standard)
        ->group(group);
  });
}

}  // namespace

void add_method_flags(CLI::App& app, MethodFlags& flags) {
  add_flags_of<ConditionalGradient>(app, flags, "Method");
  add_flags_of<MirrorDescent>(app, flags, "Mirror descent (--epsilon above 0)");
}

Method method_from_flags(MethodFlags flags, MethodName name) {
  const auto epsilon = flags.find("epsilon");
  if (epsilon != flags.end()) {
    double value = 0;
    set(value, "epsilon", epsilon->second);
    if (value != 0) {
      return options_from_flags<MirrorDescent, ConditionalGradient>(
          std::move(flags), "mirror descent (--epsilon above 0)");
    }
    flags.erase(epsilon);
  }
  if (name == MethodName::mirror_descent) {
    fail_usage("--method mirror-descent needs --epsilon above 0");
  }
  const char* const words = "conditional gradient (--epsilon 0)";
  if (name == MethodName::automatic) {
    return options_from_flags<Automatic, MirrorDescent>(std::move(flags), words);
  }
  return options_from_flags<ConditionalGradient, MirrorDescent>(std::move(flags), words);
}

std::map<std::string, std::string> settings(const Method& method) {
  std::map<std::string, std::string> result;
  std::visit(
      [&](const auto& options) {
        result["name"] = text_of(static_cast<MethodName>(method.index()));
        for_each_field(options, [&](const auto& field, const auto& value) {
          result[std::string(field.name)] = text_of(value);
        });
      },
      method);
  return result;
}

}  // namespace srgw::cli
