// SPDX-License-Identifier: MIT
#include "cli/partition_result.hpp"

#include <algorithm>

#include "cli/agreement.hpp"
#include "srgw/graph.hpp"
#include "srgw/metrics.hpp"

namespace srgw::cli {

namespace {

using Json = nlohmann::ordered_json;

Assignment chosen(const Assignment& labels, const std::vector<bool>& choice) {
  Assignment result;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (choice[i]) result.push_back(labels[i]);
  }
  return result;
}

/// Whether each node has an edge to another one.
std::vector<bool> are_connected(const Graph& graph) {
  const Components components = connected_components(graph);
  std::vector<bool> result;
  for (const NodeId label : components.labels) result.push_back(components.sizes[label] > 1);
  return result;
}

Json path_json(const std::vector<PartitionPathPoint>& path) {
  Json points = Json::array();
  for (const PartitionPathPoint& point : path) {
    points.push_back({{"sparsity", point.sparsity},
                      {"clusters", point.clusters},
                      {"value", point.value},
                      {"modularity", point.modularity}});
  }
  return points;
}

Json cuts_json(const std::vector<PartitionCut>& cuts) {
  Json list = Json::array();
  for (const PartitionCut& cut : cuts) {
    Json& one = list.emplace_back();
    one = {{"components", cut.components}, {"edges", cut.edges}};
    one["cut"] = nullptr;
    one["relative"] = nullptr;
    if (cut.weight) one["cut"] = *cut.weight;
    if (cut.relative) one["relative"] = *cut.relative;
    one["exact"] = cut.exact;
  }
  return list;
}

Json hierarchy_json(const Partition& found) {
  Json list = Json::array();
  const std::vector<HierarchyLevel> sizes = hierarchy_levels(found);
  for (std::size_t l = 0; l < sizes.size(); ++l) {
    const PartitionLevel& level = found.hierarchy[l];
    list.push_back({{"clusters", level.clusters},
                    {"sizes", sizes[l].sizes},
                    {"resolution", level.resolution},
                    {"modularity", level.modularity},
                    {"result", level.is_result},
                    {"parents", level.parents}});
  }
  return list;
}

}  // namespace

Json agreement(const PartitionData& data, const Assignment& labels) {
  Json result = Json::object();
  if (data.truth.empty()) return result;
  const std::vector<bool> connected = are_connected(data.read.graph);
  add_agreement(result, data.truth, labels);
  add_agreement(result, chosen(data.truth, connected), chosen(labels, connected), "_connected");
  return result;
}

std::vector<ComparedPartition> compared(const PartitionData& data, const Assignment& labels) {
  std::vector<ComparedPartition> result;
  for (const auto& [name, theirs] : data.compared) {
    ComparedPartition one{.name = name,
                          .clusters = static_cast<Index>(std::ranges::max(theirs)) + 1,
                          .modularity = modularity_of(data, theirs),
                          .ami_with_result = metrics::adjusted_mutual_information(theirs, labels)};
    if (!data.truth.empty()) {
      one.ami = metrics::adjusted_mutual_information(data.truth, theirs);
    }
    result.push_back(std::move(one));
  }
  return result;
}

void add_compared(Json& json, const std::vector<ComparedPartition>& compared) {
  if (compared.empty()) return;
  Json& list = json["compared"] = Json::array();
  for (const ComparedPartition& one : compared) {
    list.push_back({{"name", one.name},
                    {"clusters", one.clusters},
                    {"modularity", one.modularity},
                    {"ami_with_result", one.ami_with_result}});
    if (one.ami) list.back()["ami"] = *one.ami;
  }
}

void print_compared(const std::vector<ComparedPartition>& compared) {
  for (const ComparedPartition& one : compared) {
    fmt::print("{:<13} {} clusters, modularity {:.6f}, AMI with the result {:.4f}{}\n", one.name,
               one.clusters, one.modularity, one.ami_with_result,
               one.ami ? fmt::format(", with the truth {:.4f}", *one.ami) : "");
  }
}

void note_communities(const Partition& found, const Common& common) {
  if (found.significant) return;
  if (found.clusters > 1 && (!found.costs.empty() || !found.ids.empty())) {
    note(common, "the graph has no communities; it has {} clusters because of the options",
         found.clusters);
  } else if (found.clusters > 1) {
    note(common, "the graph has no communities; the {} clusters are kept because -k was given",
         found.clusters);
  } else {
    note(common, "the graph has no communities: no split is better than none");
  }
}

void add_to_json(Json& json, const Partition& found, const Json& agreement,
                 const std::string& labels_file) {
  json["clusters"] = found.clusters;
  json["sizes"] = found.sizes;
  json["modularity"] = found.modularity;
  json["unconnected"] = found.unconnected;
  json["significant"] = found.significant;
  json["symmetrized"] = found.symmetrized;
  json["resolution"] = found.resolution;
  json["criterion"] = nullptr;
  if (found.criterion) json["criterion"] = name(*found.criterion);
  for (const PartitionLayerFit& layer : found.layers) {
    json["layers"].push_back(
        {{"weight", layer.weight}, {"edges", layer.edges}, {"modularity", layer.modularity}});
  }
  if (found.setting) {
    json["selected"] = {{"time", found.setting->time},
                        {"scale", found.setting->scale},
                        {"exponent", found.setting->exponent},
                        {"epsilon", found.setting->epsilon}};
  }
  if (!found.path.empty()) json["path"] = path_json(found.path);
  for (const PartitionLength& tried : found.lengths) {
    json["description_lengths"].push_back({{"resolution", tried.resolution},
                                           {"clusters", tried.clusters},
                                           {"length", tried.length},
                                           {"modularity", tried.modularity}});
  }
  if (!found.cuts.empty()) json["cuts"] = cuts_json(found.cuts);
  if (!found.hierarchy.empty()) json["hierarchy"] = hierarchy_json(found);
  if (!found.reasons.empty()) json["reasons"] = found.reasons;
  json["labels_file"] = nullptr;
  if (!labels_file.empty()) json["labels_file"] = labels_file;
  json.update(agreement);
}

void print_partition(const Partition& found, const Json& agreement) {
  constexpr std::size_t shown = 12;
  std::string sizes;
  for (std::size_t k = 0; k < std::min(shown, found.sizes.size()); ++k) {
    sizes += fmt::format(" {}", found.sizes[k]);
  }
  fmt::print("clusters      {}, sizes{}{}\n", found.clusters, sizes,
             found.sizes.size() > shown ? " ..." : "");
  if (found.unconnected > 0) {
    fmt::print("unconnected   {} nodes, a separate group\n", found.unconnected);
  }
  fmt::print("modularity    {:.6f}\n", found.modularity);
  for (std::size_t l = 0; l < found.layers.size(); ++l) {
    const PartitionLayerFit& layer = found.layers[l];
    fmt::print("layer {:<7} {} edges, weight {:.4g}, modularity {:.6f}\n", l + 1, layer.edges,
               layer.weight, layer.modularity);
  }
  for (const PartitionPathPoint& point : found.path) {
    fmt::print("sparsity      {:<10.3g} {} clusters, modularity {:.4f}\n", point.sparsity,
               point.clusters, point.modularity);
  }
  for (const PartitionLevel& level : found.hierarchy) {
    fmt::print("level         {} clusters at resolution {:.3g}, modularity {:.4f}{}\n",
               level.clusters, level.resolution, level.modularity,
               level.is_result ? ", the result" : "");
  }
  for (const std::string& sentence : found.reasons) fmt::print("why           {}\n", sentence);
  for (const char* key : {"ami", "ari", "ri", "nmi"}) {
    if (!agreement.contains(key)) continue;
    fmt::print("{:<13} {:.4f}, of connected nodes {:.4f}\n", key, agreement[key].get<double>(),
               agreement[key + std::string("_connected")].get<double>());
  }
}

}  // namespace srgw::cli
