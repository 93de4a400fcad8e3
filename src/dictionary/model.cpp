// SPDX-License-Identifier: MIT
#include <cmath>

#include "base/message.hpp"
#include "dictionary/model_parts.hpp"
#include "srgw/dictionary.hpp"

namespace srgw {

using nlohmann::json;

namespace {

constexpr const char* mirror_descent = "mirror_descent";
constexpr const char* conditional_gradient = "conditional_gradient";

std::vector<double> to_list(const Vector& vector) { return {vector.begin(), vector.end()}; }

Vector to_vector(const json& values) {
  const auto list = values.get<std::vector<double>>();
  return Eigen::Map<const Vector>(list.data(), std::ssize(list));
}

}  // namespace

void to_json(json& out, const Projection& projection) {
  const bool mirror = std::holds_alternative<MirrorDescent>(projection.method);
  out = {{"alpha", projection.alpha},
         {"sparsity", projection.sparsity},
         {"entropy", projection.entropy},
         {"method", mirror ? mirror_descent : conditional_gradient}};
  std::visit([&](const auto& options) { out["options"] = options; }, projection.method);
}

void from_json(const json& found, Projection& projection) {
  found.at("alpha").get_to(projection.alpha);
  found.at("sparsity").get_to(projection.sparsity);
  found.at("entropy").get_to(projection.entropy);
  if (found.at("method") == mirror_descent) projection.method = MirrorDescent{};
  std::visit([&](auto& options) { found.at("options").get_to(options); }, projection.method);
}

void to_json(json& out, const FeatureMap& map) {
  out = {{"take", map.take},
         {"labels", map.labels},
         {"attributes", map.attributes},
         {"shift", to_list(map.shift)},
         {"scale", to_list(map.scale)}};
}

void from_json(const json& found, FeatureMap& map) {
  found.at("take").get_to(map.take);
  found.at("labels").get_to(map.labels);
  found.at("attributes").get_to(map.attributes);
  map.shift = to_vector(found.at("shift"));
  map.scale = to_vector(found.at("scale"));
  if (map.take <= NodeFeatures::automatic || map.take > NodeFeatures::both) {
    throw Error(Error::Kind::format,
                fmt::format("header of the model: features are of kind {}, expected {} to {}",
                            static_cast<int>(map.take), static_cast<int>(NodeFeatures::none),
                            static_cast<int>(NodeFeatures::both)));
  }
}

void check(const AtomModel& model) {
  const std::vector<Atom>& atoms = model.atoms;
  if (atoms.empty()) detail::fail_argument("the dictionary has no atoms, expected one or more");
  int exponent = 0;
  if (!(model.unit > 0 && std::frexp(model.unit, &exponent) == 0.5 && std::abs(exponent) <= 512)) {
    detail::fail_argument("unit of the model is {}, expected a power of two from 2^-512 to 2^511",
                          model.unit);
  }
  for (std::size_t a = 0; a < atoms.size(); ++a) {
    const auto& [B, X] = atoms[a];
    if (B.rows() < 1 || B.rows() != B.cols() || !B.allFinite()) {
      detail::fail_argument(
          "structure of atom {} is {} x {}, expected a square matrix of finite numbers", a,
          B.rows(), B.cols());
    }
    if (X.cols() != model.columns() || (X.cols() > 0 && X.rows() != B.rows()) || !X.allFinite()) {
      detail::fail_argument("features of atom {} are {} x {}, expected {} x {} finite numbers", a,
                            X.rows(), X.cols(), B.rows(), model.columns());
    }
  }
}

template io::Archive to_archive(const Dictionary& model);
template Dictionary from_archive(const io::Archive& archive);
template Dictionary load(const std::filesystem::path& path);

}  // namespace srgw
