// SPDX-License-Identifier: MIT
#include <algorithm>

#include "base/message.hpp"
#include "graph/csr_rows.hpp"
#include "io/datasets.hpp"
#include "io/formats.hpp"

// Files NAME_A.txt (entries "row, column" over all graphs, from 1), NAME_graph_indicator.txt (graph
// of each node), NAME_graph_labels.txt, NAME_node_labels.txt, NAME_node_attributes.txt and
// NAME_edge_labels.txt (label of each line of NAME_A.txt).

namespace srgw::detail {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view entries_ending = "_A.txt";

/// The numbers of a line, between commas.
template <class Number, class Parse>
void parse_numbers(const LineReader& lines, Parse parse, std::string_view what,
                   std::vector<Number>& numbers) {
  std::string_view rest = lines.line();
  for (;;) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view word = trim(rest.substr(0, comma));
    const auto number = parse(word);
    if (!number) fail_at(lines.where(), "{}, expected {}", quote(word), what);
    numbers.push_back(*number);
    if (comma == rest.size()) return;
    rest.remove_prefix(comma + 1);
  }
}

class TudReader {
 public:
  TudReader(fs::path folder, const ReadOptions& options)
      : folder_(std::move(folder)), options_(options), name_(tud_name(folder_)) {}

  Dataset read() {
    Dataset dataset;
    dataset.name = name_;
    read_indicator();
    read_entries();
    const auto edge_labels = optional_column("edge_labels");
    if (edge_labels && edge_labels->size() != lines_.size()) {
      fail_at({file("edge_labels")}, "{} lines, expected one for each of {} entries",
              edge_labels->size(), lines_.size());
    }
    make_graphs(dataset, edge_labels);
    if (const auto labels = optional_column("graph_labels")) {
      // Files with graphs that have no nodes give labels to these, too, or leave them out.
      const bool gaps = numbers_.back() != numbers_.size();
      const bool of_all = gaps && labels->size() >= numbers_.back();
      if (!of_all) check_count("graph_labels", labels->size(), numbers_.size(), "graphs");
      for (std::size_t g = 0; g < numbers_.size(); ++g) {
        dataset.labels.push_back((*labels)[of_all ? numbers_[g] - 1 : g]);
      }
    }
    if (numbers_.back() != numbers_.size()) {
      for (const std::size_t number : numbers_) dataset.names.push_back(std::to_string(number));
      dataset.left_out = numbers_.back() - numbers_.size();
    }
    if (const auto labels = optional_column("node_labels")) {
      check_count("node_labels", labels->size(), starts_.back(), "nodes");
      for (std::size_t g = 0; g + 1 < starts_.size(); ++g) {
        dataset.node_labels.emplace_back(labels->begin() + static_cast<Index>(starts_[g]),
                                         labels->begin() + static_cast<Index>(starts_[g + 1]));
      }
    }
    if (exists("node_attributes")) read_attributes(dataset);
    check(dataset);
    return dataset;
  }

 private:
  [[nodiscard]] std::string file(const std::string& part) const {
    return (folder_ / (name_ + "_" + part + ".txt")).string();
  }
  [[nodiscard]] bool exists(const std::string& part) const { return fs::exists(file(part)); }

  void check_count(const std::string& part, std::size_t found, std::size_t expected,
                   std::string_view what) const {
    if (found != expected) {
      fail_at({file(part)}, "{} lines, expected one for each of {} {}", found, expected, what);
    }
  }

  /// One whole number a line.
  [[nodiscard]] std::vector<std::int64_t> column(const std::string& part) const {
    const Input input = open_input(file(part), options_.max_unpacked_bytes);
    LineReader lines(input);
    std::vector<std::int64_t> values, numbers;
    while (lines.next_content("")) {
      numbers.clear();
      parse_numbers(lines, to_integer, "a whole number", numbers);
      if (numbers.size() != 1) {
        fail_at(lines.where(), "{} numbers, expected one in a line", numbers.size());
      }
      values.push_back(numbers[0]);
    }
    return values;
  }
  [[nodiscard]] std::optional<std::vector<std::int64_t>> optional_column(
      const std::string& part) const {
    if (!exists(part)) return std::nullopt;
    return column(part);
  }

  void read_indicator() {
    const auto graphs = column("graph_indicator");
    if (graphs.empty()) fail_at({file("graph_indicator")}, "no nodes, expected at least one");
    std::int64_t current = 0;
    graph_of_.reserve(graphs.size());
    for (std::size_t node = 0; node < graphs.size(); ++node) {
      if (graphs[node] < std::max<std::int64_t>(current, 1)) {
        fail_at({file("graph_indicator"), node + 1},
                "graph {} after graph {}, expected graphs 1, 2, ... in rising order", graphs[node],
                current);
      }
      // Numbers that are left out are graphs without nodes, of which there is nothing to read.
      if (graphs[node] > current) {
        starts_.push_back(node);
        numbers_.push_back(static_cast<std::size_t>(graphs[node]));
      }
      current = graphs[node];
      graph_of_.push_back(numbers_.size() - 1);
    }
    starts_.push_back(graphs.size());
  }

  void read_entries() {
    const Input input = open_input(file("A"), options_.max_unpacked_bytes);
    LineReader lines(input);
    std::vector<std::int64_t> numbers;
    const auto nodes = static_cast<std::int64_t>(graph_of_.size());
    while (lines.next_content("")) {
      numbers.clear();
      parse_numbers(lines, to_integer, "a node", numbers);
      if (numbers.size() != 2) {
        fail_at(lines.where(), "{} numbers, expected two nodes", numbers.size());
      }
      for (const std::int64_t node : numbers) {
        if (node < 1 || node > nodes) {
          fail_at(lines.where(), "node {}, expected 1 to {} as in the graph indicator", node,
                  nodes);
        }
      }
      const std::size_t row = numbers[0] - 1;
      const std::size_t column = numbers[1] - 1;
      if (graph_of_[row] != graph_of_[column]) {
        fail_at(lines.where(), "an edge from graph {} to graph {}, expected edges inside of graphs",
                numbers_[graph_of_[row]], numbers_[graph_of_[column]]);
      }
      lines_.emplace_back(row, column);
    }
  }

  void make_graphs(Dataset& dataset, const std::optional<std::vector<std::int64_t>>& labels) const {
    struct Line {
      EdgeChunk::Ends place;
      std::size_t line = 0;
    };
    std::vector<std::vector<Line>> by_graph(starts_.size() - 1);
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const std::size_t g = graph_of_[lines_[i].first];
      by_graph[g].push_back({{static_cast<NodeId>(lines_[i].first - starts_[g]),
                              static_cast<NodeId>(lines_[i].second - starts_[g])},
                             i});
    }
    for (std::size_t g = 0; g < by_graph.size(); ++g) {
      auto& entries = by_graph[g];
      std::stable_sort(entries.begin(), entries.end(),
                       [](const Line& a, const Line& b) { return a.place < b.place; });
      // Some datasets list every entry twice: the file is a set.
      entries.erase(std::unique(entries.begin(), entries.end(),
                                [](const Line& a, const Line& b) { return a.place == b.place; }),
                    entries.end());
      std::vector<Entry> matrix;
      for (const Line& entry : entries) matrix.push_back({entry.place[0], entry.place[1]});
      Csr csr =
          make_csr(static_cast<Index>(starts_[g + 1] - starts_[g]), matrix, Duplicates::refuse);
      Graph graph = options_.directed ? Graph::from_adjacency(std::move(csr), true)
                                      : Graph::from_matrix(std::move(csr));
      const bool turn = graph.directed() && options_.symmetrize;
      if (labels && !turn) {
        auto& list = dataset.edge_labels.emplace_back();
        for (const Line& entry : entries) list.push_back((*labels)[entry.line]);
      }
      dataset.graphs.push_back(turn ? graph.undirected() : std::move(graph));
    }
    // Labels of edges that were turned around are not known for all graphs.
    if (dataset.edge_labels.size() != dataset.graphs.size()) dataset.edge_labels.clear();
  }

  void read_attributes(Dataset& dataset) const {
    const Input input = open_input(file("node_attributes"), options_.max_unpacked_bytes);
    LineReader lines(input);
    std::vector<double> values;
    std::size_t columns = 0, rows = 0;
    while (lines.next_content("")) {
      const std::size_t before = values.size();
      parse_numbers(lines, to_number, "a finite number", values);
      if (rows == 0) columns = values.size();
      if (values.size() - before != columns) {
        fail_at(lines.where(), "{} attributes, expected {} as in the first line",
                values.size() - before, columns);
      }
      ++rows;
    }
    check_count("node_attributes", rows, starts_.back(), "nodes");
    for (std::size_t g = 0; g + 1 < starts_.size(); ++g) {
      dataset.node_features.emplace_back(Eigen::Map<const Matrix>(
          values.data() + starts_[g] * columns, static_cast<Index>(starts_[g + 1] - starts_[g]),
          static_cast<Index>(columns)));
    }
  }

  fs::path folder_;
  const ReadOptions& options_;
  std::string name_;
  std::vector<std::size_t> starts_, graph_of_;
  std::vector<std::size_t> numbers_;  // of the graphs that have nodes, as the file counts
  std::vector<std::pair<std::size_t, std::size_t>> lines_;
};

template <class Write>
void write_text(const fs::path& path, Write write) {
  Output out(path);
  write(out);
  out.finish();
}

}  // namespace

std::string tud_name(const fs::path& folder) {
  std::string found;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string file = entry.path().filename().string();
    if (!file.ends_with(entries_ending)) continue;
    if (!found.empty()) {
      fail_at({folder.string()}, "two files *{}, expected one dataset", entries_ending);
    }
    found = file.substr(0, file.size() - entries_ending.size());
  }
  return found;
}

Dataset read_tud(const fs::path& folder, const ReadOptions& options) {
  return TudReader(folder, options).read();
}

void write_tud(const Dataset& dataset, const fs::path& folder) {
  const std::string name = dataset.name.empty() ? folder.filename().string() : dataset.name;
  const auto path = [&](const std::string& part) { return folder / (name + "_" + part + ".txt"); };
  for (const Graph& graph : dataset.graphs) {
    if (graph.weighted()) {
      fail_argument("{}: a graph has weights, which TUDataset files cannot hold; write .npz",
                    folder.string());
    }
  }
  fs::create_directories(folder);
  const auto each = [&](const std::string& part, auto write) {
    write_text(path(part), [&](Output& out) {
      for (std::size_t g = 0; g < dataset.graphs.size(); ++g) write(g, out);
    });
  };
  Index before = 1;
  each("A", [&](std::size_t g, Output& out) {
    for_each_entry(dataset.graphs[g].adjacency(), [&](Index row, Index column, double) {
      out.print("{}, {}\n", before + row, before + column);
    });
    before += dataset.graphs[g].nodes();
  });
  each("graph_indicator", [&](std::size_t g, Output& out) {
    for (Index i = 0; i < dataset.graphs[g].nodes(); ++i) out.print("{}\n", g + 1);
  });
  if (!dataset.labels.empty()) {
    each("graph_labels", [&](std::size_t g, Output& out) { out.print("{}\n", dataset.labels[g]); });
  }
  const auto each_of = [](const std::vector<std::int64_t>& list, Output& out) {
    for (const std::int64_t label : list) out.print("{}\n", label);
  };
  if (!dataset.node_labels.empty()) {
    each("node_labels", [&](std::size_t g, Output& out) { each_of(dataset.node_labels[g], out); });
  }
  if (!dataset.edge_labels.empty()) {
    each("edge_labels", [&](std::size_t g, Output& out) { each_of(dataset.edge_labels[g], out); });
  }
  if (!dataset.node_features.empty() && dataset.node_features[0].cols() > 0) {
    each("node_attributes", [&](std::size_t g, Output& out) {
      const Matrix& features = dataset.node_features[g];
      for (Index i = 0; i < features.rows(); ++i) {
        for (Index k = 0; k < features.cols(); ++k) {
          out.print("{}{}", k == 0 ? "" : ", ", features(i, k));
        }
        out.write("\n");
      }
    });
  }
}

}  // namespace srgw::detail
