// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/message.hpp"
#include "draw/blocks.hpp"
#include "report/parts.hpp"
#include "srgw/report.hpp"

namespace srgw {

namespace {

using namespace detail;

constexpr Index most_cells = 60;

std::string name_of_id(std::int64_t id, const PreviousLabels& previous) {
  const auto known = static_cast<std::int64_t>(previous.names.size());
  return id >= 0 && id < known ? previous.names[id] : fmt::format("{}", id);
}

/// The name of cluster k: its id if it has one, else its position from 1 on.
std::string name_of_cluster(const PartitionReport& what, std::size_t k) {
  const std::vector<std::int64_t>& ids = what.partition.ids;
  return k < ids.size() ? name_of_id(ids[k], what.previous) : fmt::format("{}", k + 1);
}

ReportSection result_section(const PartitionReport& what) {
  const Partition& found = what.partition;
  ReportSection section{.id = "result", .title = "Result"};
  if (!found.significant) {
    section.sentences.emplace_back("No communities: no split is better than none.");
  }
  for (const std::string& reason : found.reasons) section.sentences.push_back(reason);
  section.facts = {{"clusters", fmt::format("{}", found.clusters)},
                   {"modularity", fmt::format("{:.6f}", found.modularity)},
                   {"resolution", fmt::format("{:.4g}", found.resolution)},
                   {"value", fmt::format("{:.10g}", found.solution.value)}};
  if (found.criterion) {
    section.facts.push_back({"number of clusters by", std::string(name(*found.criterion))});
  }
  for (std::size_t l = 0; l < found.layers.size(); ++l) {
    const PartitionLayerFit& layer = found.layers[l];
    section.facts.push_back(
        {fmt::format("layer {}", l + 1),
         fmt::format("{}, weight {:.4g}, modularity {:.6f}", format_count(layer.edges, "edge"),
                     layer.weight, layer.modularity)});
  }
  if (found.unconnected > 0) {
    section.facts.push_back({"in no cluster", format_count(found.unconnected, "node")});
  }
  if (found.setting) {
    section.facts.push_back(
        {"chosen by modularity",
         fmt::format("time {:.4g}, scale {:.4g}, exponent {:.4g}, epsilon {:.4g}",
                     found.setting->time, found.setting->scale, found.setting->exponent,
                     found.setting->epsilon)});
  }
  section.facts.insert(section.facts.end(), what.agreement.begin(), what.agreement.end());
  return section;
}

/// The changes since the previous labels.
ReportSection update_section(const PartitionReport& what) {
  const PartitionUpdate& update = *what.partition.update;
  ReportSection section{.id = "update", .title = "What changed"};
  section.facts = {{"nodes that moved", fmt::format("{} of {} ({:.2f} %)", update.moved,
                                                    update.known, 100 * update.share())},
                   {"AMI with the previous labels", fmt::format("{:.4f}", update.ami)},
                   {"new nodes", fmt::format("{}", update.added)},
                   {"nodes that vanished", fmt::format("{}", what.previous.vanished)}};
  if (what.previous.ids.size() != what.partition.labels.size()) return section;
  ReportTable table{{"cluster", "nodes before", "nodes now", "stayed", "left", "joined", "remark"},
                    {}};
  Index fresh = 0, gone = 0, touched = 0;
  std::vector<ClusterChange> changes = cluster_changes(what.partition, what.previous.ids);
  // Not std::ranges: clang 14 does not compile the subrange that it returns.
  std::stable_partition(changes.begin(), changes.end(), [](const ClusterChange& change) {
    return change.before == 0 || change.now == 0;
  });
  for (const ClusterChange& change : changes) {
    const Index left = change.before - change.stayed, joined = change.now - change.stayed;
    std::string words;
    if (change.before == 0) {
      ++fresh;
      words = "new";
    } else if (change.now == 0) {
      ++gone;
      words = "vanished";
    } else if (left + joined == 0) {
      continue;
    }
    ++touched;
    if (change.other) {
      words += fmt::format(", {} {} cluster {}", format_count(change.shared, "node"),
                           change.before == 0 ? "from" : "now in",
                           name_of_id(*change.other, what.previous));
    }
    table.rows.push_back({name_of_id(change.id, what.previous), fmt::format("{}", change.before),
                          fmt::format("{}", change.now), fmt::format("{}", change.stayed),
                          fmt::format("{}", left), fmt::format("{}", joined), words});
  }
  section.facts.push_back({"new clusters", fmt::format("{}", fresh)});
  section.facts.push_back({"clusters that vanished", fmt::format("{}", gone)});
  if (touched > 0) section.table = std::move(table);
  section.notes.push_back(
      fmt::format("{} of {} clusters have the nodes that they had before and are not in the table.",
                  std::ssize(changes) - touched, changes.size()));
  return section;
}

ReportSection costs_section(const std::vector<PartitionCost>& costs) {
  ReportSection section{.id = "costs", .title = "What the constraints cost"};
  ReportTable table{{"constraint", "modularity with it", "without it", "cost"}, {}};
  for (const PartitionCost& cost : costs) {
    table.rows.push_back({cost.constraint, fmt::format("{:.6f}", cost.with),
                          fmt::format("{:.6f}", cost.without),
                          fmt::format("{:.6f}", cost.without - cost.with)});
  }
  section.table = std::move(table);
  section.notes.emplace_back("Modularity is that at the resolution of the search.");
  return section;
}

ReportSection sizes_section(const PartitionReport& what) {
  const Partition& found = what.partition;
  ReportSection section{.id = "sizes", .title = "Sizes of the clusters"};
  BarsPicture bars{.groups = {}, .series = {"nodes"}, .values = {{}}, .y_label = "nodes"};
  for (std::size_t k = 0; k < std::min<std::size_t>(found.sizes.size(), most_cells); ++k) {
    bars.groups.push_back(name_of_cluster(what, k));
    bars.values[0].push_back(static_cast<double>(found.sizes[k]));
  }
  if (std::ssize(found.sizes) > most_cells) {
    section.notes.push_back(
        fmt::format("The {} largest of {} clusters.", most_cells, found.sizes.size()));
  }
  section.chart = std::move(bars);
  return section;
}

ReportSection cuts_section(const PartitionReport& what) {
  const Partition& found = what.partition;
  ReportSection section{.id = "cuts", .title = "How well clusters are connected"};
  ReportTable table{
      {"cluster", "nodes", "components", "edges inside", "smallest cut", "relative cut"}, {}};
  Index apart = 0, weak = 0;
  for (std::size_t k = 0; k < found.cuts.size(); ++k) {
    const PartitionCut& cut = found.cuts[k];
    const char* bound = cut.exact ? "" : "at most ";
    if (cut.components > 1) ++apart;
    if (cut.components == 1 && cut.relative && *cut.relative <= 1) ++weak;
    table.rows.push_back({name_of_cluster(what, k), fmt::format("{}", found.sizes[k]),
                          fmt::format("{}", cut.components), fmt::format("{}", cut.edges),
                          cut.weight ? fmt::format("{}{:.4g}", bound, *cut.weight) : "",
                          cut.relative ? fmt::format("{}{:.4g}", bound, *cut.relative) : ""});
  }
  section.table = std::move(table);
  section.facts = {{"clusters that are not connected", fmt::format("{}", apart)},
                   {"connected, with a relative cut of at most 1", fmt::format("{}", weak)}};
  section.notes.emplace_back(
      "The relative cut is the smallest cut divided by log10 of the number of nodes; above 1 a "
      "cluster is well connected.");
  return section;
}

ReportSection levels_section(const Partition& found) {
  const std::vector<PartitionLevel>& levels = found.hierarchy;
  ReportSection section{.id = "levels", .title = "Levels"};
  ReportTable table{{"level", "clusters", "resolution", "modularity", "remark"}, {}};
  for (std::size_t l = 0; l < levels.size(); ++l) {
    table.rows.push_back({fmt::format("{}", l), fmt::format("{}", levels[l].clusters),
                          fmt::format("{:.4g}", levels[l].resolution),
                          fmt::format("{:.4f}", levels[l].modularity),
                          levels[l].is_result ? "the result" : ""});
  }
  section.table = std::move(table);
  section.chart = HierarchyPicture{.levels = hierarchy_levels(found)};
  section.notes.emplace_back(
      "Each cluster lies in one cluster of the next level. Width: nodes; colours are those of the "
      "result.");
  return section;
}

/// How many of the possible edges there are inside of clusters and between them.
ReportSection cells_section(const PartitionReport& what) {
  const Partition& found = what.partition;
  const Index count = std::min<Index>(std::ssize(found.sizes), most_cells);
  std::vector<NodeId> groups(found.labels.size());
  for (std::size_t i = 0; i < groups.size(); ++i) {
    groups[i] = std::min(found.labels[i], static_cast<NodeId>(count));
  }
  const Matrix sums = block_weights(what.graph, groups, count + 1);
  ReportCells cells{{},
                    Matrix::Zero(count, count),
                    what.graph.weighted() ? "weight for each pair" : "of the pairs are joined"};
  for (Index a = 0; a < count; ++a) {
    cells.names.push_back(name_of_cluster(what, a));
    for (Index b = 0; b < count; ++b) {
      const auto rows = static_cast<double>(found.sizes[a]);
      const auto columns = static_cast<double>(found.sizes[b]);
      const double pairs = a == b ? rows * std::max(rows - 1, 1.0) : rows * columns;
      cells.values(a, b) = pairs > 0 ? sums(a, b) / pairs : 0;
    }
  }
  return {.id = "blocks", .title = "Edges within clusters and between them", .chart = cells};
}

/// The result beside what others found.
ReportSection compared_section(const PartitionReport& what) {
  ReportSection section{.id = "compared", .title = "Beside other partitions"};
  ReportTable table{{"partition", "clusters", "modularity", "AMI with this one"}, {}};
  BarsPicture bars{.groups = {},
                   .series = {"modularity", "AMI with this one"},
                   .values = {{}, {}},
                   .y_label = "score"};
  if (what.ami) {
    table.columns.emplace_back("AMI with the truth");
    bars.series.emplace_back("AMI with the truth");
    bars.values.emplace_back();
  }
  std::vector<ComparedPartition> all{{.name = "this one",
                                      .clusters = what.partition.clusters,
                                      .modularity = what.partition.modularity,
                                      .ami_with_result = 1,
                                      .ami = what.ami}};
  all.insert(all.end(), what.compared.begin(), what.compared.end());
  for (const ComparedPartition& one : all) {
    table.rows.push_back({one.name, fmt::format("{}", one.clusters),
                          fmt::format("{:.4f}", one.modularity),
                          fmt::format("{:.4f}", one.ami_with_result)});
    bars.groups.push_back(one.name);
    bars.values[0].push_back(one.modularity);
    bars.values[1].push_back(one.ami_with_result);
    if (!what.ami) continue;
    table.rows.back().push_back(one.ami ? fmt::format("{:.4f}", *one.ami) : "");
    bars.values[2].push_back(one.ami.value_or(std::numeric_limits<double>::quiet_NaN()));
  }
  section.table = std::move(table);
  section.chart = std::move(bars);
  return section;
}

ReportSection path_section(const std::vector<PartitionPathPoint>& path) {
  Series modularity{"modularity", {}, {}};
  for (const PartitionPathPoint& point : path) {
    modularity.x.push_back(static_cast<double>(point.clusters));
    modularity.y.push_back(point.modularity);
  }
  return {.id = "path",
          .title = "Modularity along the path of penalties",
          .chart = CurvesPicture{
              .series = {modularity}, .x_label = "clusters", .y_label = "modularity"}};
}

/// The curve by which the number of clusters was chosen, and what was taken.
ReportSection lengths_section(const Partition& found) {
  ReportSection section{.id = "lengths", .title = "How the number of clusters was chosen"};
  Series tried{"description length", {}, {}}, chosen{"chosen", {}, {}};
  ReportTable table{{"resolution", "clusters", "description length (nats)", "modularity", "remark"},
                    {}};
  std::vector<PartitionLength> lengths = found.lengths;
  std::ranges::sort(lengths, {}, &PartitionLength::resolution);
  for (const PartitionLength& one : lengths) {
    const bool taken = std::abs(one.resolution - found.resolution) <= 1e-9 * one.resolution;
    tried.x.push_back(one.resolution);
    tried.y.push_back(one.length);
    if (taken) {
      chosen.x.push_back(one.resolution);
      chosen.y.push_back(one.length);
    }
    table.rows.push_back({fmt::format("{:.4g}", one.resolution), fmt::format("{}", one.clusters),
                          fmt::format("{:.1f}", one.length), fmt::format("{:.4f}", one.modularity),
                          taken ? "chosen" : ""});
  }
  CurvesPicture curves{.series = {std::move(tried)},
                       .x_label = "resolution",
                       .y_label = "description length (nats)",
                       .log_x = true};
  if (!chosen.x.empty()) curves.series.push_back(std::move(chosen));
  for (const std::string& reason : found.reasons) {
    if (reason.find("number of clusters was free") != std::string::npos) {
      section.sentences.push_back(reason);
    }
  }
  section.table = std::move(table);
  section.chart = std::move(curves);
  section.notes.emplace_back(
      "Lengths are up to a constant, with a uniform prior. The criterion also looks at modularity "
      "and at a prior for assortative clusters, so the shortest description is not always taken.");
  return section;
}

}  // namespace

std::vector<HierarchyLevel> hierarchy_levels(const Partition& found) {
  std::vector<HierarchyLevel> result;
  for (const PartitionLevel& level : found.hierarchy) {
    HierarchyLevel& one = result.emplace_back(
        HierarchyLevel{std::vector<Index>(level.clusters, 0), level.parents, level.is_result});
    for (const NodeId label : level.labels) {
      if (label < one.sizes.size()) ++one.sizes[label];
    }
  }
  return result;
}

Report partition_report(const PartitionReport& what) {
  const Partition& found = what.partition;
  const Index clusters = std::ssize(found.sizes);
  if (clusters == 0) fail_argument("report of a partition: no clusters, expected some");
  const std::string subtitle =
      fmt::format("{}, {}; {}, modularity {:.4f}", format_count(what.graph.nodes(), "node"),
                  format_count(what.graph.edges(), what.graph.directed() ? "arc" : "edge"),
                  format_count(found.clusters, "cluster"), found.modularity);
  Report report{"Partition of " + what.file, subtitle, {}};
  const Plan* plan =
      found.solution.plan.rows() == what.graph.nodes() ? &found.solution.plan : nullptr;
  report.sections.push_back(result_section(what));
  report.sections.push_back(certificate_section(found.solution));
  if (found.update) report.sections.push_back(update_section(what));
  if (!found.costs.empty()) report.sections.push_back(costs_section(found.costs));
  GraphView view = graph_view(what.graph, what.names, found.labels, clusters, plan);
  for (std::size_t k = 0; k < view.graph.clusters.size(); ++k) {
    view.graph.clusters[k] = "cluster " + name_of_cluster(what, k);
  }
  report.sections.push_back(graph_section("The graph", std::move(view),
                                          draw_partition({.graph = what.graph,
                                                          .names = what.names,
                                                          .labels = found.labels,
                                                          .clusters = clusters,
                                                          .plan = plan})));
  report.sections.push_back(sizes_section(what));
  if (!found.cuts.empty()) report.sections.push_back(cuts_section(what));
  if (found.lengths.size() > 1) report.sections.push_back(lengths_section(found));
  if (!found.hierarchy.empty()) report.sections.push_back(levels_section(found));
  report.sections.push_back(cells_section(what));
  report.sections.push_back({.id = "members", .title = "Members", .members = true});
  if (!what.compared.empty()) report.sections.push_back(compared_section(what));
  if (found.path.size() > 1) report.sections.push_back(path_section(found.path));
  add_curves(report.sections, found.solution);
  report.sections.push_back(
      {.id = "input", .title = "Input", .facts = graph_facts(what.graph, what.file)});
  if (found.symmetrized) {
    report.sections.back().notes.emplace_back(
        "The graph is directed; the union of both directions was taken.");
  }
  report.sections.push_back(origin_section(what.origin));
  return report;
}

}  // namespace srgw
