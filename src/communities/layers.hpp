// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "srgw/partition.hpp"

namespace srgw::detail {

/// Throws for weights and numbers of nodes that do not fit together.
void check_layers(std::span<const PartitionLayer> layers);

/// The union of both directions of a directed graph.
[[nodiscard]] Graph undirected_layer(const Graph& graph);

[[nodiscard]] std::vector<PartitionLayerFit> fit_of_layers(std::span<const PartitionLayer> layers,
                                                           const Assignment& labels);

/// A sentence about what was maximised.
[[nodiscard]] std::string explain_layers(const std::vector<PartitionLayerFit>& fits, bool is_free);

}  // namespace srgw::detail
