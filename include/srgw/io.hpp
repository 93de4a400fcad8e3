// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "srgw/csr.hpp"
#include "srgw/dataset.hpp"
#include "srgw/graph.hpp"
#include "srgw/names.hpp"
#include "srgw/types.hpp"

/// Files. Everything here throws Error of kind `format` when a file says what it may not say, `io`
/// when it cannot be read or written, `resource` when it is too large, with a message
/// `FILE:LINE: what was found, what was expected`. The formats are described in docs/formats.md.
namespace srgw::io {

/// A named column about the nodes, or the edges, of a graph. One with gaps is text, empty there.
struct Attribute {
  std::string name;
  std::variant<std::vector<std::int64_t>, std::vector<double>, std::vector<std::string>> values;

  friend bool operator==(const Attribute&, const Attribute&) = default;
};

/// A graph with what its file says besides.
struct NamedGraph {
  Graph graph;
  NodeNames names;                              ///< one for each node
  bool symmetrized = false;                     ///< was directed in the file
  std::vector<Attribute> node_attributes = {};  ///< a value for each node
  std::vector<Attribute> edge_attributes = {};  ///< a value for each entry of the adjacency
};

struct ReadOptions {
  /// A name in formats(); by default told by the ending of the file name. `-` is an edge list.
  std::optional<std::string> format = {};
  bool directed = false;    ///< the lines of an edge list are arcs; matrices stay directed
  bool symmetrize = false;  ///< make a directed graph undirected by union, weight: the larger
  Duplicates duplicates = Duplicates::refuse;  ///< of weighted edges; others are one edge
  /// Ids of an edge list are indices and all of these nodes exist; elsewhere, nodes without edges
  /// are added up to this number.
  std::optional<Index> nodes = {};
  int index_base = 0;  ///< 0 or 1: the first of the ids that `nodes` makes indices
  /// Nodes that exist whether or not an edge names them.
  std::optional<NodeNames> known_nodes = {};
  /// GraphML, GML and edge lists with a header; by default `weight` where there is one.
  std::optional<std::string> weight_attribute = {};
  int threads = 0;  ///< 0: all cores
  /// A packed file (.gz, .npz) may not grow beyond this; by default 1 GiB or 64 times its size,
  /// whichever is more.
  std::optional<std::uint64_t> max_unpacked_bytes = {};
};

struct WriteOptions {
  std::optional<std::string> format = {};  ///< by default told by the ending of the file name
};

/// One row of the table of graph formats.
struct FormatInfo {
  std::string_view name;
  std::vector<std::string_view> extensions;  ///< with their dot; each also with .gz
  std::string_view description;
};
[[nodiscard]] std::span<const FormatInfo> formats();

/// Reads a graph from a file, a pipe, or standard input (`-`).
[[nodiscard]] NamedGraph read_graph(const std::filesystem::path& path,
                                    const ReadOptions& options = {});
/// The same from memory, named `name` in messages; the format is taken from that name by default.
[[nodiscard]] NamedGraph parse_graph(std::string_view bytes, const std::string& name,
                                     const ReadOptions& options = {});
/// Replaces the file in one step, so that nobody sees half of it; devices, pipes and standard
/// output (`-`) are written directly. What a format cannot hold is left out (attributes) or refused
/// (anything that would read back as another graph).
void write_graph(const NamedGraph& graph, const std::filesystem::path& path,
                 const WriteOptions& options = {});

/// A label for each node. Labels that are no whole numbers are numbered as they occur.
struct NodeLabels {
  NodeNames names;
  std::vector<std::int64_t> labels;
  std::vector<std::string> classes = {};  ///< what label k is called; empty: labels are numbers

  friend bool operator==(const NodeLabels&, const NodeLabels&) = default;
};
/// .tsv, .txt (name, tab, label), .csv (header node,label), .npy (in node order) or .json (an
/// object from name to label, or an array in node order).
[[nodiscard]] NodeLabels read_labels(const std::filesystem::path& path);
/// The same from memory; the kind of file is told by `name`.
[[nodiscard]] NodeLabels parse_labels(std::string_view bytes, const std::string& name);
/// The labels of these nodes, in their order. Throws when one has none.
[[nodiscard]] NodeLabels read_labels(const std::filesystem::path& path, const NodeNames& names);
/// Puts labels that were read without names in the order of `names`.
[[nodiscard]] NodeLabels join(const NodeLabels& labels, const NodeNames& names);
void write_labels(const NodeLabels& labels, const std::filesystem::path& path);
/// The labels of a partition; without names nodes are called 0, 1, ...
void write_labels(const Assignment& labels, const std::filesystem::path& path,
                  const std::optional<NodeNames>& names = {});

/// The first column of a text file: nodes that exist. See ReadOptions::known_nodes.
[[nodiscard]] NodeNames read_names(const std::filesystem::path& path);

/// One row of numbers for each node: .npy in node order; .csv (.tsv with tabs) in node order, or by
/// name when its header starts with `node`, `name` or `id`.
[[nodiscard]] Matrix read_features(const std::filesystem::path& path, const NodeNames& names);
/// The same from memory; the kind of file is told by `name`.
[[nodiscard]] Matrix parse_features(std::string_view bytes, const std::string& name,
                                    const NodeNames& names);
/// .npy, or .csv or .tsv with names and a header.
void write_features(MatrixView features, const NodeNames& names, const std::filesystem::path& path);

/// .npy with one or two dimensions; one dimension is a column.
[[nodiscard]] Matrix read_matrix(const std::filesystem::path& path);
void write_matrix(MatrixView matrix, const std::filesystem::path& path);

/// A TUDataset folder, a folder of graph files (with or without labels.csv), or a packed .npz.
[[nodiscard]] Dataset read_dataset(const std::filesystem::path& path,
                                   const ReadOptions& options = {});
/// A packed .npz by its ending, else a folder: format `tud` (default) or `folder` (of GraphML).
void write_dataset(const Dataset& dataset, const std::filesystem::path& path,
                   const WriteOptions& options = {});

}  // namespace srgw::io
