// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "srgw/io.hpp"

namespace srgw::cli {

/// Options of reading a graph.
struct Reading {
  std::optional<std::string> from;
  bool directed = false;
  bool symmetrize = false;
  std::string duplicates;
  std::optional<Index> nodes;
  int index_base = 0;
  std::string node_file;
  std::optional<std::string> weight_attribute;
};
void add_reading(CLI::App& app, Reading& reading);
/// --to, the output format.
void add_format_of_output(CLI::App& app, std::optional<std::string>& format);

[[nodiscard]] io::ReadOptions read_options(const Reading& reading, int threads);

/// Whether the path is a dataset: a folder, or a packed file of many graphs.
[[nodiscard]] bool is_dataset(const std::string& path);

/// Labels in the order of these nodes. A file without names (.npy) must have as many as nodes.
[[nodiscard]] io::NodeLabels read_labels_of(const std::string& path, const NodeNames& names);
/// Whether a label file has node names.
[[nodiscard]] bool names_nodes(const std::string& path);

/// Any labels as numbers from 0, in order of appearance.
[[nodiscard]] Assignment compact(const std::vector<std::int64_t>& labels);

}  // namespace srgw::cli
