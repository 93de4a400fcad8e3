// SPDX-License-Identifier: MIT
#include "communities/sources.hpp"

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
  return normalized(weights, "weights");
}

}  // namespace

Source Sources::kernel(const PartitionStructure& structure) {
  const bool heat = structure.kind == Kind::heat;
  if (graph_.nodes() > largest_formed_kernel) {
    return heat ? implicit_heat_kernel(graph_, structure.time, 1e-10, threads_)
                : implicit_stability(graph_, structure.time);
  }
  if (series_is_cheaper(graph_, structure.time)) {
    return heat ? heat_kernel(graph_, structure.time, threads_)
                : stability(graph_, structure.time, threads_);
  }
  std::optional<Kernels>& kernels = heat ? heat_ : stability_;
  if (!kernels) {
    kernels = heat ? Kernels::heat(graph_, threads_) : Kernels::stability(graph_, threads_);
  }
  return kernels->at(structure.time);
}

Source Sources::structure(const PartitionOptions& options) {
  switch (options.structure.kind) {
    case Kind::heat:
    case Kind::stability: return kernel(options.structure);
    case Kind::modularity: return modularity(graph_);
    case Kind::adjacency: return adjacency(graph_);
    case Kind::other: return options.structure.make(graph_, threads_);
    case Kind::automatic: break;
  }
  // A learned target fits blocks to the adjacency, diag(hbar) is made for it; a scaled identity is
  // a resolution of modularity.
  const auto target = options.target.kind;
  const bool plain =
      target == PartitionTarget::Kind::learned || target == PartitionTarget::Kind::interpolated;
  return plain ? adjacency(graph_) : modularity(graph_);
}

Source Sources::of(const PartitionOptions& options) {
  Source source = structure(options);
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
