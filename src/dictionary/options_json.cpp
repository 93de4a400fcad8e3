// SPDX-License-Identifier: MIT
#include "dictionary/options_json.hpp"

namespace srgw::detail {

namespace {

constexpr const char* mirror_descent = "mirror_descent";
constexpr const char* conditional_gradient = "conditional_gradient";

}  // namespace

nlohmann::json projection_to_json(const Projection& projection) {
  const bool mirror = std::holds_alternative<MirrorDescent>(projection.method);
  return {{"alpha", projection.alpha},
          {"sparsity", projection.sparsity},
          {"entropy", projection.entropy},
          {"method", mirror ? mirror_descent : conditional_gradient},
          {"options", std::visit([](const auto& options) { return options_to_json(options); },
                                 projection.method)}};
}

Projection projection_from_json(const nlohmann::json& json) {
  Projection projection{.alpha = json.at("alpha").get<double>(),
                        .sparsity = json.at("sparsity").get<double>(),
                        .entropy = json.at("entropy").get<double>()};
  if (json.at("method") == mirror_descent) projection.method = MirrorDescent{};
  std::visit([&](auto& options) { options_from_json(json.at("options"), options); },
             projection.method);
  return projection;
}

}  // namespace srgw::detail
