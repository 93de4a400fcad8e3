// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/message.hpp"
#include "draw/blocks.hpp"
#include "report/parts.hpp"
#include "srgw/report.hpp"

namespace srgw {

namespace {

using namespace detail;

constexpr Index most_cells = 60;

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
  if (found.update) {
    section.facts.push_back(
        {"moved", fmt::format("{} of {} nodes ({:.2f} %)", found.update->moved, found.update->known,
                              100 * found.update->share())});
    section.facts.push_back(
        {"AMI with the previous labels", fmt::format("{:.4f}", found.update->ami)});
  }
  for (const PartitionCost& cost : found.costs) {
    section.facts.push_back(
        {"cost of " + cost.constraint,
         fmt::format("{:.6f} of modularity at the resolution", cost.without - cost.with)});
  }
  section.facts.insert(section.facts.end(), what.agreement.begin(), what.agreement.end());
  return section;
}

ReportSection sizes_section(const Partition& found) {
  ReportSection section{.id = "sizes", .title = "Sizes of the clusters"};
  BarsPicture bars{.groups = {}, .series = {"nodes"}, .values = {{}}, .y_label = "nodes"};
  for (std::size_t k = 0; k < std::min<std::size_t>(found.sizes.size(), most_cells); ++k) {
    bars.groups.push_back(fmt::format("{}", k + 1));
    bars.values[0].push_back(static_cast<double>(found.sizes[k]));
  }
  if (std::ssize(found.sizes) > most_cells) {
    section.notes.push_back(
        fmt::format("The {} largest of {} clusters.", most_cells, found.sizes.size()));
  }
  section.chart = std::move(bars);
  return section;
}

ReportSection cuts_section(const Partition& found) {
  ReportSection section{.id = "cuts", .title = "How clusters hang together"};
  ReportTable table{
      {"cluster", "nodes", "components", "edges inside", "smallest cut", "relative cut"}, {}};
  for (std::size_t k = 0; k < found.cuts.size(); ++k) {
    const PartitionCut& cut = found.cuts[k];
    const char* bound = cut.exact ? "" : "at most ";
    table.rows.push_back({fmt::format("{}", k + 1), fmt::format("{}", found.sizes[k]),
                          fmt::format("{}", cut.components), fmt::format("{}", cut.edges),
                          cut.weight ? fmt::format("{}{:.4g}", bound, *cut.weight) : "",
                          cut.relative ? fmt::format("{}{:.4g}", bound, *cut.relative) : ""});
  }
  section.table = std::move(table);
  section.notes.emplace_back(
      "The relative cut is the smallest cut divided by log10 of the number of nodes; above 1 a "
      "cluster is well connected.");
  return section;
}

ReportSection levels_section(const std::vector<PartitionLevel>& levels) {
  ReportSection section{.id = "levels", .title = "Levels"};
  ReportTable table{{"level", "clusters", "resolution", "modularity", ""}, {}};
  for (std::size_t l = 0; l < levels.size(); ++l) {
    table.rows.push_back({fmt::format("{}", l), fmt::format("{}", levels[l].clusters),
                          fmt::format("{:.4g}", levels[l].resolution),
                          fmt::format("{:.4f}", levels[l].modularity),
                          levels[l].is_result ? "the result" : ""});
  }
  section.table = std::move(table);
  section.notes.emplace_back("Each cluster lies in one cluster of the next level.");
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
    cells.names.push_back(fmt::format("{}", a + 1));
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

ReportSection lengths_section(const std::vector<PartitionLength>& lengths) {
  Series length{"description length", {}, {}};
  for (const PartitionLength& tried : lengths) {
    length.x.push_back(static_cast<double>(tried.clusters));
    length.y.push_back(tried.length);
  }
  return {.id = "lengths",
          .title = "Description length of the resolutions that were tried",
          .chart = CurvesPicture{.series = {length},
                                 .x_label = "clusters",
                                 .y_label = "description length (nats, up to a constant)"}};
}

}  // namespace

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
  GraphView view = graph_view(what.graph, what.names, found.labels, clusters, plan);
  report.sections.push_back(graph_section("The graph", std::move(view),
                                          draw_partition({.graph = what.graph,
                                                          .names = what.names,
                                                          .labels = found.labels,
                                                          .clusters = clusters,
                                                          .plan = plan})));
  report.sections.push_back(sizes_section(found));
  if (!found.cuts.empty()) report.sections.push_back(cuts_section(found));
  if (!found.hierarchy.empty()) report.sections.push_back(levels_section(found.hierarchy));
  report.sections.push_back(cells_section(what));
  report.sections.push_back({.id = "members", .title = "Members", .members = true});
  if (!what.compared.empty()) report.sections.push_back(compared_section(what));
  if (found.lengths.size() > 1) report.sections.push_back(lengths_section(found.lengths));
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
