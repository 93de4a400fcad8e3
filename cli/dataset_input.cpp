// SPDX-License-Identifier: MIT
#include "cli/dataset_input.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "cli/exit_code.hpp"
#include "cli/job.hpp"
#include "cli/options.hpp"
#include "cli/structure_word.hpp"
#include "srgw/io.hpp"

namespace srgw::cli {

namespace {

Transform transform_of(const StructureWord& structure, const WeightsWord& weights) {
  return [structure, weights](const Graph& graph) {
    return make_source(graph, structure, weights, {}, 1);
  };
}

WeightsWord named_weights(const std::string& text, const StructureWord& structure) {
  WeightsWord weights = weights_from_text(text, structure);
  if (weights.is_file) fail_usage("--weights {}, expected uniform, degree or power:b", text);
  return weights;
}

}  // namespace

void add_dataset_path(CLI::App& app, DatasetInput& input) {
  Options(app).argument("DATASET", input.path, "Folder of graphs, TUDataset folder or packed .npz");
}

void add_dataset_problem(CLI::App& app, DatasetInput& input) {
  Options options(app, "Problem");
  options.text("--structure", input.structure, "NAME", "Matrix of a graph, as for solve");
  options.text("--weights", input.weights, "NAME",
               "Node weights: uniform, degree or power:b. Default: those of the structure");
  options.choice("--features", input.features.take,
                 "Node features; auto: attributes, else a column for each label, else none");
  options.choice("--standardise", input.features.standardisation,
                 "Standardise attributes over graph means, or over nodes");
}

void check_dataset_path(const std::string& path) {
  if (!std::filesystem::is_regular_file(path) || path.ends_with(".npz")) return;
  fail_input(
      "{}: is a single file, expected a dataset: a folder of graph files, a TUDataset folder, or "
      "the .npz of `srgw convert`",
      path);
}

std::vector<std::string> names_of_all(const DatasetSamples& data, Ranks* ranks) {
  if (ranks == nullptr) return data.dataset.names;
  std::string own;
  for (const std::string& one : data.dataset.names) own += one + '\n';
  const std::vector<char> all = join_on_first(ranks, std::vector<char>(own.begin(), own.end()));
  std::vector<std::string> names(1);
  for (const char c : all) {
    if (c == '\n') {
      names.emplace_back();
    } else {
      names.back() += c;
    }
  }
  names.pop_back();
  return names;
}

DatasetSamples read_samples(const DatasetInput& input, const Common& common, Ranks* ranks) {
  check_dataset_path(input.path);
  const StructureWord structure = structure_from_text(input.structure);
  const WeightsWord weights = named_weights(input.weights, structure);
  io::DatasetShare found =
      io::read_share(input.path, read_options(input.reading, common.threads), ranks);
  DatasetSamples read{std::move(found.dataset), {}, {}, found.share};
  read.features = fit_features(read.dataset, input.features, ranks);
  for (const std::string& warning : read.features.warnings) note(common, "{}", warning);
  if (!read.dataset.edge_labels.empty()) note(common, "edge labels are not used");
  read.samples =
      make_samples(read.dataset, read.features, transform_of(structure, weights), common.threads);
  return read;
}

Transform transform_of(const AtomModel& model) {
  const StructureWord structure =
      structure_from_text(model.structure.empty() ? "adjacency" : model.structure);
  return transform_of(structure, named_weights(model.node_weights, structure));
}

void note_unknown_labels(const FeatureMap& map, const Dataset& dataset, const Common& common) {
  const std::string sentence = unknown_labels(map, dataset);
  if (!sentence.empty()) note(common, "{}", sentence);
}

DatasetSamples read_samples(const DatasetInput& input, const AtomModel& model,
                            const Common& common) {
  check_dataset_path(input.path);
  DatasetSamples read{io::read_dataset(input.path, read_options(input.reading, common.threads)),
                      model.features,
                      {}};
  read.share = {0, read.dataset.graphs.size(), read.dataset.graphs.size()};
  note_unknown_labels(model.features, read.dataset, common);
  read.samples = make_samples(read.dataset, read.features, transform_of(model), common.threads);
  return read;
}

void check_rows_file(const std::string& file) {
  for (const char* ending : {".npy", ".csv", ".tsv"}) {
    if (file.ends_with(ending)) return check_folder_of(file);
  }
  fail_usage("--output {}, expected a file that ends in .npy, .csv or .tsv", file);
}

void write_rows(const Matrix& rows, const std::string& file, const std::vector<std::string>& names,
                const std::string& first_column) {
  io::RowsWriter writer(file, rows.rows(), rows.cols(), first_column);
  writer.append(rows, names);
  writer.finish();
}

void write_rows(const Matrix& rows, const DatasetSamples& data, Ranks* ranks,
                const std::string& file) {
  io::RowsWriter writer(file, static_cast<Index>(data.share.total), rows.cols(), data.share, ranks);
  writer.append(rows, data.dataset.names);
  writer.finish();
}

void refuse_on_ranks(const std::string& what) {
  if (const Ranks* all = ranks(); all != nullptr) {
    fail_usage("{} does not work on {} ranks; start srgw without mpirun", what, all->count());
  }
}

}  // namespace srgw::cli
