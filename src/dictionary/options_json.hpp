// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <type_traits>

#include "srgw/dictionary.hpp"

namespace srgw::detail {

/// Options by the names of their fields; enumerators as numbers.
template <class Options>
[[nodiscard]] nlohmann::json options_to_json(const Options& options) {
  nlohmann::json json = nlohmann::json::object();
  for_each_field(options, [&](const auto& field, const auto& value) {
    if constexpr (std::is_enum_v<std::remove_cvref_t<decltype(value)>>) {
      json[std::string(field.name)] = static_cast<int>(value);
    } else {
      json[std::string(field.name)] = value;
    }
  });
  return json;
}

/// What is not in the object keeps its default.
template <class Options>
void options_from_json(const nlohmann::json& json, Options& options) {
  for_each_field(options, [&](const auto& field, auto& value) {
    using Value = std::remove_cvref_t<decltype(value)>;
    const auto found = json.find(std::string(field.name));
    if (found == json.end()) return;
    if constexpr (std::is_enum_v<Value>) {
      value = static_cast<Value>(found->template get<int>());
    } else {
      value = found->template get<Value>();
    }
  });
  check_fields(options);
}

[[nodiscard]] nlohmann::json projection_to_json(const Projection& projection);
[[nodiscard]] Projection projection_from_json(const nlohmann::json& json);

}  // namespace srgw::detail
