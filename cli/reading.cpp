// SPDX-License-Identifier: MIT
#include "cli/reading.hpp"

#include <filesystem>
#include <limits>
#include <map>
#include <unordered_map>

#include "cli/common.hpp"
#include "cli/exit_code.hpp"
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
  const std::string group = "Reading";
  app.add_option("--from", reading.from, "Format of the input, by default told by its ending")
      ->type_name("FORMAT")
      ->check(silent(CLI::IsMember(format_names())))
      ->group(group);
  app.add_flag("--directed", reading.directed, "The lines of an edge list are arcs")->group(group);
  app.add_flag("--symmetrize", reading.symmetrize,
               "Make a directed graph undirected by union, of two weights the larger")
      ->group(group);
  app.add_option("--duplicates", reading.duplicates,
                 "What to do with a weighted edge that is given again; by default an error")
      ->type_name("sum|max|first")
      ->check(silent(CLI::IsMember({"sum", "max", "first"})))
      ->group(group);
  auto* nodes =
      app.add_option("--nodes", reading.nodes, "Ids are the indices 0..N-1 and all N nodes exist")
          ->type_name("N")
          ->check(silent(CLI::Range(Index{1}, Index{0xFFFFFFFF})))
          ->group(group);
  app.add_option("--index-base", reading.index_base, "With --nodes: the first of the ids")
      ->type_name("0|1")
      ->check(silent(CLI::Range(0, 1)))
      ->needs(nodes)
      ->group(group);
  app.add_option("--node-file", reading.node_file,
                 "Text file whose first column names nodes that exist")
      ->type_name("FILE")
      ->excludes(nodes)
      ->group(group);
  app.add_option("--weight-attribute", reading.weight_attribute,
                 "Edge attribute or column that is the weight, by default 'weight'")
      ->type_name("NAME")
      ->group(group);
}

void add_format_of_output(CLI::App& app, std::optional<std::string>& format) {
  std::vector<std::string> names = format_names();
  names.insert(names.end(), {"tud", "folder"});
  std::string known;
  for (const std::string& name : names) known += " " + name;
  app.add_option("--to", format, "Format of the output, by default told by its ending:" + known)
      ->type_name("FORMAT")
      ->check(silent(CLI::IsMember(names)));
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
