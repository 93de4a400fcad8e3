// SPDX-License-Identifier: MIT
#include <algorithm>
#include <tuple>

#include "base/message.hpp"
#include "io/dataset_source.hpp"
#include "io/datasets.hpp"
#include "io/formats.hpp"
#include "io/formats/packed.hpp"
#include "io/label_text.hpp"

// A folder of graph files. labels.csv (header graph,label) gives their classes and order; without
// it they are taken in the order of their names. Node attributes `label` (whole numbers) and
// x0, x1, ... (numbers) are the labels and features of nodes.

namespace srgw {

namespace detail {

namespace {

namespace fs = std::filesystem;

constexpr const char* labels_file = "labels.csv";

const std::vector<std::int64_t>* node_labels(const NamedGraph& graph) {
  for (const Attribute& attribute : graph.node_attributes) {
    if (attribute.name == "label") return std::get_if<0>(&attribute.values);
  }
  return nullptr;
}

/// Columns x0, x1, ...; nothing when there is no x0.
std::optional<Matrix> node_features(const NamedGraph& graph) {
  std::vector<const Attribute*> columns;
  for (;;) {
    const std::string name = fmt::format("x{}", columns.size());
    const auto found =
        std::find_if(graph.node_attributes.begin(), graph.node_attributes.end(),
                     [&](const Attribute& attribute) { return attribute.name == name; });
    if (found == graph.node_attributes.end() || found->values.index() == 2) break;
    columns.push_back(&*found);
  }
  if (columns.empty()) return std::nullopt;
  Matrix features(graph.graph.nodes(), std::ssize(columns));
  for (std::size_t k = 0; k < columns.size(); ++k) {
    for (Index i = 0; i < features.rows(); ++i) {
      const std::size_t item = i;
      const auto* numbers = std::get_if<1>(&columns[k]->values);
      features(i, static_cast<Index>(k)) =
          numbers != nullptr ? (*numbers)[item]
                             : static_cast<double>(std::get<0>(columns[k]->values)[item]);
    }
  }
  return features;
}

std::vector<std::string> files_in(const fs::path& folder) {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string file = entry.path().filename().string();
    if (entry.is_regular_file() && file != labels_file && is_graph_file(file)) {
      files.push_back(file);
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Files and classes as labels.csv lists them.
void read_classes(const fs::path& folder, Dataset& dataset) {
  const Input input = open_input(folder / labels_file);
  LineReader lines(input);
  std::vector<std::string> fields, classes;
  bool first = true;
  while (lines.next_content("#")) {
    if (!split_fields(lines.line(), ',', fields) || fields.size() != 2) {
      fail_at(lines.where(), "{}, expected a graph file and its label", quote(lines.line()));
    }
    const bool header = first && (fields[0] == "graph" || fields[0] == "file");
    first = false;
    if (header) continue;
    if (fields[0].find('/') != std::string::npos || !fs::exists(folder / fields[0])) {
      fail_at(lines.where(), "no file {} in the folder, expected one", quote(fields[0]));
    }
    if (fields[1].empty()) fail_at(lines.where(), "an empty label, expected the class of a graph");
    dataset.names.push_back(fields[0]);
    classes.push_back(fields[1]);
  }
  std::tie(dataset.labels, dataset.classes) = number_classes(classes);
}

/// A file for each graph, read when its turn comes.
struct GraphFolder final : io::DatasetReader::Source {
  GraphFolder(const fs::path& path, const ReadOptions& how) : folder(path), options(how) {
    listed.name = folder.filename().string();
    if (fs::exists(folder / labels_file)) {
      read_classes(folder, listed);
    } else {
      listed.names = files_in(folder);
    }
    if (listed.names.empty()) {
      fail_at({folder.string()}, "no graph files, expected a TUDataset or files of graphs");
    }
  }

  [[nodiscard]] std::size_t graphs() const override { return listed.names.size(); }

  [[nodiscard]] Dataset read(std::size_t begin, std::size_t end) override {
    Dataset dataset{.name = listed.name, .classes = listed.classes, .first = begin};
    for (std::size_t g = begin; g < end; ++g) {
      NamedGraph graph = io::read_graph(folder / listed.names[g], options);
      if (const auto* labels = node_labels(graph)) dataset.node_labels.push_back(*labels);
      if (auto rows = node_features(graph)) dataset.node_features.push_back(std::move(*rows));
      dataset.names.push_back(listed.names[g]);
      if (!listed.labels.empty()) dataset.labels.push_back(listed.labels[g]);
      dataset.graphs.push_back(std::move(graph.graph));
    }
    // A list of a dataset has an item for each graph, or none.
    if (dataset.node_labels.size() != dataset.graphs.size()) dataset.node_labels.clear();
    if (dataset.node_features.size() != dataset.graphs.size()) dataset.node_features.clear();
    return dataset;
  }

  [[nodiscard]] std::vector<std::uint64_t> costs() override {
    std::vector<std::uint64_t> costs;
    for (const std::string& file : listed.names) {
      std::error_code ignored;
      const auto bytes = fs::file_size(folder / file, ignored);
      costs.push_back(ignored ? 1 : bytes + 1);
    }
    return costs;
  }

  fs::path folder;
  ReadOptions options;
  Dataset listed;  // names and classes only
};

}  // namespace

std::unique_ptr<io::DatasetReader::Source> open_graph_folder(const fs::path& folder,
                                                             const ReadOptions& options) {
  return std::make_unique<GraphFolder>(folder, options);
}

void write_graph_folder(const Dataset& dataset, const fs::path& folder) {
  fs::create_directories(folder);
  const auto digits = std::to_string(dataset.graphs.size()).size();
  std::string classes = "graph,label\n";
  for (std::size_t g = 0; g < dataset.graphs.size(); ++g) {
    const Graph& graph = dataset.graphs[g];
    NamedGraph named{.graph = graph, .names = NodeNames::numbered(graph.nodes())};
    if (!dataset.node_labels.empty()) {
      named.node_attributes.push_back({"label", dataset.node_labels[g]});
    }
    if (!dataset.node_features.empty()) {
      const Matrix& features = dataset.node_features[g];
      for (Index k = 0; k < features.cols(); ++k) {
        std::vector<double> column(features.rows());
        for (Index i = 0; i < features.rows(); ++i) {
          column[i] = features(i, k);
        }
        named.node_attributes.push_back({fmt::format("x{}", k), std::move(column)});
      }
    }
    const std::string file = fmt::format("{:0{}}.graphml", g, digits);
    io::write_graph(named, folder / file);
    if (dataset.labels.empty()) continue;
    const std::int64_t label = dataset.labels[g];
    classes += fmt::format(
        "{},{}\n", file,
        dataset.classes.empty() ? std::to_string(label) : csv_field(dataset.classes[label], ','));
  }
  if (dataset.labels.empty()) return;
  Output out(folder / labels_file);
  out.write(classes);
  out.finish();
}

}  // namespace detail

namespace io {

void write_dataset(const Dataset& dataset, const std::filesystem::path& path,
                   const WriteOptions& options) {
  check(dataset);
  const bool npz = detail::extension_of(path) == ".npz";
  const std::string format = options.format.value_or(npz ? "packed" : "tud");
  if (format == "packed") {
    detail::write_packed_dataset(dataset, path);
  } else if (format == "tud") {
    detail::write_tud(dataset, path);
  } else if (format == "folder") {
    detail::write_graph_folder(dataset, path);
  } else {
    detail::fail_argument("format {} is unknown, expected packed, tud or folder",
                          detail::quote(format));
  }
}

}  // namespace io

}  // namespace srgw
