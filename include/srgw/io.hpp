// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "srgw/graph.hpp"
#include "srgw/ranks.hpp"
#include "srgw/types.hpp"

namespace srgw::detail {
struct ArchiveAccess;
struct ZipMember;
}  // namespace srgw::detail

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
/// Reads from memory. Messages call it `name`, and by default the format is taken from that name.
[[nodiscard]] NamedGraph parse_graph(std::string_view bytes, const std::string& name,
                                     const ReadOptions& options = {});
/// Graphs on the same nodes.
struct GraphLayers {
  std::vector<Graph> graphs;
  NodeNames names;                ///< of the nodes of all graphs
  std::vector<bool> symmetrized;  ///< of each graph: was directed in the file
};
/// Reads several files whose nodes are matched by name: a graph has the nodes of all files, those
/// that it does not name without edges. Files that have no names (matrices, METIS) must have the
/// same number of nodes, which are matched by their places, or by their numbers from 0 with names.
[[nodiscard]] GraphLayers read_layers(std::span<const std::filesystem::path> paths,
                                      const ReadOptions& options = {});
/// Replaces the file in one step, so that nobody sees half of it; devices, pipes and standard
/// output (`-`) are written directly. Attributes that a format cannot hold are left out, and a
/// graph that would read back as another one is refused.
void write_graph(const NamedGraph& graph, const std::filesystem::path& path,
                 const WriteOptions& options = {});

/// A label for each node. Labels that are no whole numbers are numbered as they occur.
struct NodeLabels {
  NodeNames names;
  std::vector<std::int64_t> labels;
  std::vector<std::string> classes = {};  ///< what label k is called; empty: labels are numbers
  /// Further labels of each node, such as the levels of a hierarchy: columns that are written after
  /// `labels` and called level_0, level_1, ... Readers leave them out.
  std::vector<Assignment> levels = {};

  friend bool operator==(const NodeLabels&, const NodeLabels&) = default;
};
/// .tsv, .txt (name, tab, label), .csv (header node,label), .npy (in node order) or .json (an
/// object from name to label, or an array in node order). Of several columns, which .tsv and .csv
/// announce by a header, .npy by a second dimension and .json by arrays, the first one is read.
[[nodiscard]] NodeLabels read_labels(const std::filesystem::path& path);
/// Reads from memory; the extension of `name` tells the kind of file.
[[nodiscard]] NodeLabels parse_labels(std::string_view bytes, const std::string& name);
/// The labels of these nodes, in their order. Throws when one has none.
[[nodiscard]] NodeLabels read_labels(const std::filesystem::path& path, const NodeNames& names);
/// Puts labels that were read without names in the order of `names`.
[[nodiscard]] NodeLabels join(const NodeLabels& labels, const NodeNames& names);
/// Labels of some of the nodes of a graph.
struct SomeLabels {
  std::vector<std::int64_t> labels;       ///< of each node of the graph, from 0 on; -1: none
  std::vector<std::string> classes = {};  ///< what label k is called; empty: labels are numbers
  Index unknown = 0;                      ///< labelled nodes that the graph does not have
};
/// Reads them. Labelled nodes that the graph does not have are counted, or refused with their line.
/// Labels in node order have to be as many as nodes. Throws for numbers below 0 or
/// above 2^53.
[[nodiscard]] SomeLabels read_some_labels(const std::filesystem::path& path, const NodeNames& names,
                                          bool refuses_unknown);
void write_labels(const NodeLabels& labels, const std::filesystem::path& path);
/// Lines of a source node and a target node, separated by blanks, or by commas in a .csv. Throws
/// with the line for nodes that a graph does not have.
[[nodiscard]] std::vector<NodePair> read_pairs(const std::filesystem::path& path,
                                               const NodeNames& sources, const NodeNames& targets);
/// The labels of a partition; without names nodes are called 0, 1, ...
void write_labels(const Assignment& labels, const std::filesystem::path& path,
                  const std::optional<NodeNames>& names = {});

/// The first column of a text file: nodes that exist. See ReadOptions::known_nodes.
[[nodiscard]] NodeNames read_names(const std::filesystem::path& path);

/// One row of numbers for each node: .npy in node order; .csv (.tsv with tabs) in node order, or by
/// name when its header starts with `node`, `name` or `id`.
[[nodiscard]] Matrix read_features(const std::filesystem::path& path, const NodeNames& names);
/// Reads from memory; the extension of `name` tells the kind of file.
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

/// An array of numbers in row-major order.
struct Array {
  using Values = std::variant<SharedArray<double>, SharedArray<float>, SharedArray<std::int64_t>,
                              SharedArray<std::int32_t>, SharedArray<std::uint64_t>,
                              SharedArray<std::uint32_t>, SharedArray<std::uint8_t>>;
  std::vector<Index> shape;
  Values values;
};

/// Named arrays and a JSON header in one file: what models, results and packed graphs are saved as.
/// The file is an .npz without pickled objects, so NumPy reads it too; its arrays are stored as
/// they are and aligned to 64 bytes, so that reading maps them.
class Archive {
 public:
  /// `kind` says what the file is (`graph`, `model`, ...), `version` how to read that kind.
  Archive(std::string kind, int version) : kind_(std::move(kind)), version_(version) {}

  /// Throws when the file is no archive, is cut short, is of another kind (unless `kind` is empty)
  /// or of a version above `newest`.
  [[nodiscard]] static Archive read(const std::filesystem::path& path, std::string_view kind,
                                    int newest);
  /// Reads from memory that `owner` keeps; without an owner arrays are copied.
  [[nodiscard]] static Archive parse(std::string_view bytes, std::shared_ptr<const void> owner,
                                     const std::string& name, std::string_view kind, int newest);
  void write(const std::filesystem::path& path) const;

  [[nodiscard]] const std::string& kind() const { return kind_; }
  [[nodiscard]] int version() const { return version_; }
  /// A JSON object; anything that is no array.
  [[nodiscard]] const std::string& header() const { return header_; }
  /// Throws unless the text is a JSON object.
  void set_header(std::string json);

  /// Throws when the name is taken, is no plain word, or the shape does not fit the values.
  void add(const std::string& name, Array array);
  template <class T>
  void add(const std::string& name, std::vector<T> values) {
    const auto size = static_cast<Index>(values.size());
    add(name, {.shape = {size}, .values = SharedArray<T>(std::move(values))});
  }
  void add(const std::string& name, const Matrix& matrix);

  [[nodiscard]] bool has(const std::string& name) const { return arrays_.contains(name); }
  /// Throws when there is no such array.
  [[nodiscard]] const Array& array(const std::string& name) const;
  /// The values of an array; throws when they are of another type.
  template <class T>
  [[nodiscard]] const SharedArray<T>& values(const std::string& name) const {
    const auto* found = std::get_if<SharedArray<T>>(&array(name).values);
    if (found == nullptr) fail_type(name);
    return *found;
  }
  /// An array of doubles with two dimensions.
  [[nodiscard]] Matrix matrix(const std::string& name) const;
  [[nodiscard]] const std::map<std::string, Array>& arrays() const { return arrays_; }

 private:
  friend struct detail::ArchiveAccess;
  [[noreturn]] void fail_type(const std::string& name) const;
  static Archive from_members(const std::vector<detail::ZipMember>& members,
                              const std::string& name, std::string_view kind, int newest);

  std::string kind_;
  int version_ = 1;
  std::string header_ = "{}";
  std::string file_ = "archive";  // what messages call it
  std::map<std::string, Array> arrays_;
};

/// The graphs of a dataset in their order, some at a time. Only these are in memory if the dataset
/// is a packed .npz or a folder of graph files; a TUDataset or a gzipped file is read whole.
class DatasetReader {
 public:
  /// Throws as read_dataset() does.
  explicit DatasetReader(const std::filesystem::path& path, const ReadOptions& options = {});
  DatasetReader(DatasetReader&&) noexcept;
  DatasetReader& operator=(DatasetReader&&) noexcept;
  ~DatasetReader();

  [[nodiscard]] std::size_t graphs() const;  ///< of the whole dataset
  /// The work for each graph of the dataset: its nodes and entries, or the bytes of its file.
  [[nodiscard]] std::vector<std::uint64_t> costs();
  /// Goes on with this graph, which is not before the next one.
  void skip_to(std::size_t graph);
  /// The next graphs, `count` at most; none: there are no more. Dataset::first tells where they
  /// begin.
  [[nodiscard]] Dataset next(std::size_t count);

  struct Source;

 private:
  std::unique_ptr<Source> source_;
};

/// Graphs [begin, end) of a dataset of `total`.
struct Share {
  std::size_t begin = 0, end = 0, total = 0;
  [[nodiscard]] std::size_t size() const { return end - begin; }
};
/// The graphs that this rank takes: ranks have consecutive ones that cost about the same, and may
/// have none. Without ranks (null): all of them.
[[nodiscard]] Share share_of(DatasetReader& reader, const Ranks* ranks);

/// The graphs of this rank, from Dataset::first on. Labels and features that only some graphs of
/// the dataset have are left out on every rank, as read_dataset() does. Collective.
struct DatasetShare {
  Dataset dataset;
  Share share;
};
[[nodiscard]] DatasetShare read_share(const std::filesystem::path& path, const ReadOptions& options,
                                      Ranks* ranks);

/// A table that is written as its rows come: .npy, or .csv or .tsv with the name of each row.
class RowsWriter {
 public:
  /// Rows are graphs; `first_column` is the header of their names. Throws when the ending is
  /// another one, or the file cannot be written.
  RowsWriter(const std::filesystem::path& path, Index rows, Index columns,
             const std::string& first_column = "graph");
  /// One file from all ranks, which each bring the rows of their share. Collective, as finish() is
  /// then; without ranks (null) as above.
  RowsWriter(const std::filesystem::path& path, Index rows, Index columns, const Share& own,
             Ranks* ranks, const std::string& first_column = "graph");
  RowsWriter(RowsWriter&&) noexcept;
  RowsWriter& operator=(RowsWriter&&) noexcept;
  ~RowsWriter();

  /// The next rows. Without names, which .npy leaves out, rows are called by their numbers.
  void append(MatrixView rows, std::span<const std::string> names = {});
  /// The file gets its name; throws unless all rows have come.
  void finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Files of one large graph, read and written by several ranks together, each its part. All of it
// is collective; an error on one rank is thrown on all of them.

/// The graph that read_graph() gives, made undirected, in rows that the ranks share: no rank has
/// all edges. Reads edge lists whose ids are whole numbers, by byte range, and packed graphs, which
/// `convert` makes of all other files; throws for those. A directed graph is refused unless the
/// options symmetrize it. Of ReadOptions::known_nodes each rank may give other ones; those of all
/// ranks exist.
[[nodiscard]] GraphShard read_shard(const std::filesystem::path& path, const ReadOptions& options,
                                    Ranks& ranks);

/// Where the rows of each rank begin, and the last ones end, when so many ranks read this graph;
/// the ranks themselves may cut some blocks of rows elsewhere, since they count entries that are
/// given twice.
[[nodiscard]] std::vector<Index> shard_starts(const Graph& graph, int ranks);

/// A part of the labels of a file, on each rank another.
struct LabelShare {
  std::string file;
  NodeLabels labels;               ///< the classes are those of the whole file
  std::vector<std::size_t> lines;  ///< of the file; empty for labels in node order
};
/// Reads a table (.tsv, .txt, .csv) whose nodes are whole numbers, or labels in node order (.npy).
[[nodiscard]] LabelShare read_label_share(const std::filesystem::path& path, Ranks& ranks);
/// The labels of this rank's rows, from what all ranks have read. Throws when a node has none.
[[nodiscard]] NodeLabels join(const LabelShare& share, const GraphShard& shard, Ranks& ranks);

/// Writes one file with the labels of all ranks, the bytes that write_labels() writes in one
/// process. A regular file is written by all at once; others, and .gz, by the first rank.
void write_labels(const NodeLabels& own, const std::filesystem::path& path, Ranks& ranks);

/// The size of a graph that was converted.
struct ConvertedGraph {
  Index nodes = 0, edges = 0;
};

/// Converts an edge list of whole numbers into a packed graph, a sparse matrix of SciPy or an edge
/// list without holding the edges in memory: they wait, sorted by ranges of rows, in files without
/// a name in the folder of the output, and about `memory` bytes of them are sorted at a time. A
/// node takes up to 16 bytes besides. The bytes are those of read_graph() and write_graph().
/// Returns nothing, and writes nothing, where that does not work: other formats, names that are no
/// plain numbers, compressed files and pipes, nodes that the options list, directed graphs that are
/// to be symmetrised, or lines with an error, which read_graph() explains.
[[nodiscard]] std::optional<ConvertedGraph> convert_in_parts(const std::filesystem::path& from,
                                                             const std::filesystem::path& to,
                                                             const ReadOptions& reading,
                                                             const WriteOptions& writing,
                                                             std::uint64_t memory);

}  // namespace srgw::io
