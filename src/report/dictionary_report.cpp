// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/message.hpp"
#include "report/parts.hpp"
#include "srgw/report.hpp"

namespace srgw {

namespace {

using namespace detail;

std::vector<std::string> classes_of(const Dataset& dataset) {
  std::vector<std::string> classes;
  for (const std::int64_t label : dataset.labels) classes.push_back(fmt::format("{}", label));
  return classes;
}

std::string class_of(const Dataset& dataset, std::size_t graph) {
  return dataset.labels.empty() ? "" : fmt::format(" (class {})", dataset.labels[graph]);
}

ReportSection dataset_section(const Dataset& dataset, const std::string& file) {
  Index nodes = 0, edges = 0, largest = 0;
  for (const Graph& graph : dataset.graphs) {
    nodes += graph.nodes();
    edges += graph.edges();
    largest = std::max(largest, graph.nodes());
  }
  std::vector<std::int64_t> labels = dataset.labels;
  std::ranges::sort(labels);
  const auto classes = std::unique(labels.begin(), labels.end()) - labels.begin();
  return {.id = "input",
          .title = "Input",
          .facts = {{"dataset", file},
                    {"graphs", fmt::format("{}", dataset.graphs.size())},
                    {"classes", classes == 0 ? "not known" : fmt::format("{}", classes)},
                    {"nodes", fmt::format("{} in all, {} in the largest graph", nodes, largest)},
                    {"edges", fmt::format("{} in all", edges)}}};
}

/// How many graphs use how many nodes of the atom.
ReportSection sizes_section(const Matrix& embedding) {
  std::vector<double> counts(embedding.cols() + 1, 0);
  for (Index g = 0; g < embedding.rows(); ++g) {
    counts[(embedding.row(g).array() > 0).count()] += 1;
  }
  BarsPicture bars{.groups = {}, .series = {"graphs"}, .values = {{}}, .y_label = "graphs"};
  for (std::size_t size = 1; size < counts.size(); ++size) {
    bars.groups.push_back(fmt::format("{}", size));
    bars.values[0].push_back(counts[size]);
  }
  return {.id = "used", .title = "How many nodes of the atom graphs use", .chart = std::move(bars)};
}

/// Graphs from the worst fitted to the best.
ReportSection graphs_section(const Dataset& dataset, const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order,
                           [&](std::size_t a, std::size_t b) { return values[a] > values[b]; });
  ReportTable table{{"graph", "class", "nodes", "edges", "value"}, {}};
  for (const std::size_t g : order) {
    table.rows.push_back({dataset.names.empty() ? fmt::format("{}", g) : dataset.names[g],
                          dataset.labels.empty() ? "" : fmt::format("{}", dataset.labels[g]),
                          fmt::format("{}", dataset.graphs[g].nodes()),
                          fmt::format("{}", dataset.graphs[g].edges()),
                          fmt::format("{:.6g}", values[g])});
  }
  return {.id = "graphs", .title = "Graphs, the worst fitted first", .table = std::move(table)};
}

}  // namespace

Report dictionary_report(const DictionaryReport& what) {
  const Learned& learned = what.learned;
  const std::size_t graphs = what.dataset.graphs.size();
  if (learned.plans.size() != graphs || learned.values.size() != graphs) {
    fail_argument("report of a dictionary: {} plans of {} graphs, expected as many",
                  learned.plans.size(), graphs);
  }
  Report report{
      fmt::format("Atom of {} nodes, learned from {}", learned.atom.size(), what.file),
      fmt::format("{} graphs, loss {:.6g}, {} epochs", graphs, learned.loss, learned.epochs),
      {}};
  const bool done = learned.status == Status::converged;
  report.sections.push_back(
      {.id = "result",
       .title = "Result",
       .sentences = {done ? "Learning ended by itself: another epoch gains next to nothing."
                          : "Learning was ended by its limits: more epochs or more time may lower "
                            "the loss."},
       .facts = {{"loss", fmt::format("{:.10g}, the mean value of the graphs", learned.loss)},
                 {"epochs", fmt::format("{}", learned.epochs)}}});
  const Vector weights = learned.embedding.colwise().mean();
  std::vector<AtomRow> rows;
  for (const std::size_t g : what.drawn) {
    rows.push_back({what.dataset.graphs[g], learned.plans[g],
                    fmt::format("graph {}{}", g, class_of(what.dataset, g))});
  }
  report.sections.push_back(
      {.id = "atom",
       .title = "The atom",
       .picture = draw_atom(
           {.structure = learned.atom.structure, .weights = weights, .rows = std::move(rows)})});
  report.sections.push_back({.id = "embedding",
                             .title = "Graphs by their target weights",
                             .chart = ReportPoints{learned.embedding, classes_of(what.dataset)}});
  add_curve(report.sections, "loss", "Loss", "evaluation", "loss", learned.losses);
  report.sections.push_back(sizes_section(learned.embedding));
  report.sections.push_back(graphs_section(what.dataset, learned.values));
  report.sections.push_back(dataset_section(what.dataset, what.file));
  report.sections.push_back(origin_section(what.origin));
  return report;
}

Report embedding_report(const EmbeddingReport& what) {
  const Matrix& rows = what.embedding.coordinates;
  if (rows.rows() != std::ssize(what.dataset.graphs)) {
    fail_argument("report of an embedding: {} rows of {} graphs, expected as many", rows.rows(),
                  what.dataset.graphs.size());
  }
  Report report{fmt::format("{} on {}", what.file, what.model),
                fmt::format("{} graphs as {} numbers each, mean value {:.6g}", rows.rows(),
                            rows.cols(), what.embedding.mean_value),
                {}};
  report.sections.push_back({.id = "embedding",
                             .title = "Graphs in the plane of their main directions",
                             .chart = ReportPoints{rows, classes_of(what.dataset)}});
  std::vector<double> values;
  for (Index g = 0; g < rows.rows(); ++g) values.push_back(what.embedding.values.row(g).mean());
  report.sections.push_back(graphs_section(what.dataset, values));
  report.sections.push_back(dataset_section(what.dataset, what.file));
  report.sections.push_back(origin_section(what.origin));
  return report;
}

}  // namespace srgw
