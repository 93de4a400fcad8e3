// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "srgw/graph_shard.hpp"
#include "srgw/io.hpp"
#include "srgw/ranks.hpp"

/// Files of one large graph, read and written by several ranks together, each its part. All of it
/// is collective; an error on one rank is thrown on all of them.
namespace srgw::io {

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

}  // namespace srgw::io
