// SPDX-License-Identifier: MIT
#include "cli/partition_result.hpp"

#include <algorithm>

#include "cli/agreement.hpp"
#include "srgw/metrics.hpp"

namespace srgw::cli {

PartitionResult partition_result(const PartitionData& data, const Selection& selection,
                                 const Clusters& clusters, const Setup& setup,
                                 std::optional<bool> judged) {
  const Graph& graph = data.read.graph;
  PartitionResult result{.labels = clusters.labels,
                         .sizes = clusters.sizes,
                         .clusters = clusters.count(),
                         .unconnected = selection.left_out(),
                         .symmetrized = data.read.symmetrized};
  result.modularity = metrics::modularity(graph, result.labels);
  const bool maximised = setup.structure.row->name == "modularity";
  result.significant =
      judged.value_or(result.clusters > 1 && (!maximised || result.modularity > 0));
  if (!judged && !result.significant && result.clusters > 1) {
    std::fill(result.labels.begin(), result.labels.end(), NodeId{1});
    for (const NodeId node : selection.kept) result.labels[node] = 0;
    result.sizes = {static_cast<Index>(selection.kept.size())};
    result.clusters = 1;
    result.modularity = metrics::modularity(graph, result.labels);
  }
  if (!data.truth.empty()) {
    add_agreement(result.agreement, data.truth, result.labels);
    add_agreement(result.agreement, connected_only(data.truth, selection),
                  connected_only(result.labels, selection), "_connected");
  }
  return result;
}

void add_to_json(nlohmann::ordered_json& json, const PartitionResult& result,
                 const std::string& labels_file) {
  json["clusters"] = result.clusters;
  json["sizes"] = result.sizes;
  json["modularity"] = result.modularity;
  json["unconnected"] = result.unconnected;
  json["significant"] = result.significant;
  json["symmetrized"] = result.symmetrized;
  if (result.resolution) json["resolution"] = *result.resolution;
  if (!result.reasons.empty()) json["reasons"] = result.reasons;
  json["labels_file"] = nullptr;
  if (!labels_file.empty()) json["labels_file"] = labels_file;
  json.update(result.agreement);
}

void print_partition(const PartitionResult& result) {
  constexpr std::size_t shown = 12;
  std::string sizes;
  for (std::size_t k = 0; k < std::min(shown, result.sizes.size()); ++k) {
    sizes += fmt::format(" {}", result.sizes[k]);
  }
  fmt::print("clusters      {}, sizes{}{}\n", result.clusters, sizes,
             result.sizes.size() > shown ? " ..." : "");
  if (result.unconnected > 0) {
    fmt::print("unconnected   {} nodes, a group of their own\n", result.unconnected);
  }
  fmt::print("modularity    {:.6f}\n", result.modularity);
  for (const std::string& sentence : result.reasons) fmt::print("why           {}\n", sentence);
  for (const char* key : {"ami", "ari", "ri", "nmi"}) {
    if (!result.agreement.contains(key)) continue;
    fmt::print("{:<13} {:.4f}, of connected nodes {:.4f}\n", key,
               result.agreement[key].get<double>(),
               result.agreement[key + std::string("_connected")].get<double>());
  }
}

}  // namespace srgw::cli
