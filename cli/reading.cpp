// SPDX-License-Identifier: MIT
#include "cli/reading.hpp"

#include <filesystem>
#include <limits>
#include <map>
#include <unordered_map>

#include "cli/common.hpp"
#include "cli/exit_code.hpp"
#include "cli/options.hpp"
#include "srgw/io.hpp"

namespace srgw::cli {

namespace {

const std::map<std::string, Duplicates> duplicate_rules{
    {"", Duplicates::refuse},
    {"sum", Duplicates::sum},
    {"max", Duplicates::maximum},
    {"first", Duplicates::first},
};

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const auto& format : io::formats()) names.emplace_back(format.name);
  return names;
}

}  // namespace

void add_reading(CLI::App& app, Reading& reading) {
  Options options(app, "Reading");
  options.text("--from", reading.from, "FORMAT", "Format of the input. Default: by file extension")
      ->check(check_choice(format_names()));
  options.flag("--directed", reading.directed, "Read the lines of an edge list as directed edges");
  options.flag("--symmetrize", reading.symmetrize,
               "Make a directed graph undirected; of two weights the larger is kept");
  options.choice("--duplicates", reading.duplicates, {"sum", "max", "first"},
                 "How to combine repeated weighted edges. Default: report an error");
  auto* nodes = options.number("--nodes", reading.nodes,
                               "Number of nodes; node names are the indices 0..N-1", 1, 0xFFFFFFFF);
  options.number("--index-base", reading.index_base, "Only with --nodes: the first index", 0, 1)
      ->type_name("0|1")
      ->default_str("")
      ->needs(nodes);
  options
      .file("--node-file", reading.node_file,
            "Text file with the names of all nodes in its first column")
      ->excludes(nodes);
  options.text("--weight-attribute", reading.weight_attribute, "NAME",
               "Edge attribute or column with the weights (files with named columns)");
}

void add_format_of_output(CLI::App& app, std::optional<std::string>& format) {
  std::vector<std::string> names = format_names();
  names.insert(names.end(), {"tud", "folder"});
  Options(app)
      .text("--to", format, "FORMAT",
            fmt::format("Format of the output: {}. Default: by file extension",
                        fmt::join(names, ", ")))
      ->check(check_choice(names));
}

io::ReadOptions read_options(const Reading& reading, int threads) {
  io::ReadOptions options{
      .format = reading.from,
      .directed = reading.directed,
      .symmetrize = reading.symmetrize,
      .duplicates = duplicate_rules.at(reading.duplicates),
      .nodes = reading.nodes,
      .index_base = reading.index_base,
      .weight_attribute = reading.weight_attribute,
      .threads = threads,
  };
  if (!reading.node_file.empty()) options.known_nodes = io::read_names(reading.node_file);
  return options;
}

bool is_dataset(const std::string& path) {
  if (std::filesystem::is_directory(path)) return true;
  if (!path.ends_with(".npz") || !std::filesystem::is_regular_file(path)) return false;
  try {
    return io::Archive::read(path, "", std::numeric_limits<int>::max()).kind() == "dataset";
  } catch (const Error& error) {
    if (error.kind() == Error::Kind::stopped) throw;
    return false;  // a SciPy matrix, or a damaged file, which its reader explains
  }
}

bool names_nodes(const std::string& path) {
  return !std::filesystem::path(path).filename().string().ends_with(".npy");
}

io::NodeLabels read_labels_of(const std::string& path, const NodeNames& names) {
  if (names_nodes(path)) return io::read_labels(path, names);
  io::NodeLabels labels = io::read_labels(path);
  if (labels.names.size() != names.size()) {
    fail_input("{}: {} labels without names, expected one for each of {} nodes", path,
               labels.names.size(), names.size());
  }
  labels.names = names;
  return labels;
}

Assignment compact(const std::vector<std::int64_t>& labels) {
  std::unordered_map<std::int64_t, NodeId> numbers;
  Assignment result;
  result.reserve(labels.size());
  for (const std::int64_t label : labels) {
    const auto next = static_cast<NodeId>(numbers.size());
    result.push_back(numbers.try_emplace(label, next).first->second);
  }
  return result;
}

}  // namespace srgw::cli
