// SPDX-License-Identifier: MIT
#include "communities/sources.hpp"

#include <algorithm>

#include "base/message.hpp"
#include "structure/transforms/degrees.hpp"
#include "structure/transforms/implicit.hpp"

namespace srgw::detail {

namespace {

using Kind = PartitionStructure::Kind;

Vector given_weights(const Vector& weights) {
  if (!(weights.minCoeff() >= 0)) {
    fail_argument("the least weight is {}, expected no negative ones", weights.minCoeff());
  }
  return detail::normalize(weights, "weights");
}

}  // namespace

Source Sources::kernel(const PartitionStructure& structure) {
  const bool same =
      structure.kind == last_structure_.kind && structure.number == last_structure_.number;
  if (!last_ || !same) {
    last_.reset();  // two would take twice the memory
    last_ = make_kernel(structure.kind == Kind::heat, *structure.number);
    last_structure_ = structure;
  }
  return *last_;
}

Source Sources::make_kernel(bool heat, double time) {
  if (graph_.nodes() > largest_formed_kernel) {
    return heat ? implicit_heat_kernel(graph_, time, 1e-10, threads_)
                : implicit_stability(graph_, time);
  }
  if (series_is_cheaper(graph_, time)) {
    return heat ? heat_kernel(graph_, time, threads_) : stability(graph_, time, threads_);
  }
  std::optional<Kernels>& kernels = heat ? heat_ : stability_;
  if (!kernels) {
    kernels = heat ? Kernels::heat(graph_, threads_) : Kernels::stability(graph_, threads_);
  }
  return kernels->at(time);
}

Source Sources::structure(const PartitionStructure& structure) {
  if (structure.kind == Kind::heat || structure.kind == Kind::stability) return kernel(structure);
  if (structure.kind == Kind::other) return structure.make(graph_, threads_);
  const auto names = structure_names();
  const auto row = std::ranges::find(names, structure.kind, &StructureName::kind);
  return make_source(graph_, {&*row, structure.number}, threads_);
}

Source Sources::of(const PartitionOptions& options) {
  Source source = structure(options.structure);
  switch (options.weights.kind) {
    case PartitionWeights::Kind::automatic: break;
    case PartitionWeights::Kind::uniform: source.weights = uniform_weights(graph_.nodes()); break;
    case PartitionWeights::Kind::degree: source.weights = degree_weights(graph_); break;
    case PartitionWeights::Kind::power:
      source.weights = power_weights(graph_, options.weights.exponent);
      break;
    case PartitionWeights::Kind::given:
      source.weights = given_weights(options.weights.values);
      break;
  }
  return source;
}

}  // namespace srgw::detail
