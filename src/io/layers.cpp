// SPDX-License-Identifier: MIT
// Several graphs on the same nodes.
#include <algorithm>
#include <unordered_set>

#include "base/message.hpp"
#include "graph/csr_rows.hpp"
#include "io/formats.hpp"
#include "srgw/io.hpp"

namespace srgw::io {

namespace {

using detail::fail_argument;

/// Whether a file tells its nodes apart by their places alone.
bool has_places_only(const std::filesystem::path& path, const ReadOptions& options,
                     const NodeNames& names) {
  const std::string_view format = detail::format_of(path, options.format);
  const bool nameless = format == "mtx" || format == "metis" || format == "npy" ||
                        format == "npz" || format == "packed";
  return nameless && names.are_indices();
}

/// All names of the files, of numbers in their order, else in the order of the files.
NodeNames union_of(const std::vector<NodeNames>& lists) {
  const bool are_numbers =
      std::ranges::all_of(lists, [](const NodeNames& names) { return names.are_numbers(); });
  if (are_numbers) {
    std::vector<std::int64_t> ids;
    for (const NodeNames& names : lists) {
      for (Index i = 0; i < names.size(); ++i) ids.push_back(names.number(i));
    }
    std::ranges::sort(ids);
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    return NodeNames(std::move(ids));
  }
  std::vector<std::string> texts;
  std::unordered_set<std::string> known;
  for (const NodeNames& names : lists) {
    for (Index i = 0; i < names.size(); ++i) {
      if (known.insert(names[i]).second) texts.push_back(names[i]);
    }
  }
  return NodeNames(std::move(texts));
}

/// The graph with its nodes at their places among all names.
Graph place_nodes(const Graph& graph, const NodeNames& names, const NameIndex& all, Index count) {
  std::vector<NodeId> place(static_cast<std::size_t>(names.size()));
  for (std::size_t i = 0; i < place.size(); ++i) {
    place[i] = *all.find(names[static_cast<Index>(i)]);
  }
  std::vector<Entry> entries;
  const Csr& rows = graph.adjacency();
  entries.reserve(static_cast<std::size_t>(graph.edges()));
  detail::with_rows(rows, [&](const auto& row) {
    for (std::size_t i = 0; i < place.size(); ++i) {
      for (std::size_t e = row.offsets[i]; e < row.offsets[i + 1]; ++e) {
        if (!graph.directed() && rows.columns[e] < i) continue;
        entries.push_back(
            {place[i], place[rows.columns[e]], rows.has_values() ? rows.values[e] : 1});
      }
    }
  });
  return Graph::from_edges(count, std::span<const Entry>(entries), graph.directed());
}

}  // namespace

GraphLayers read_layers(std::span<const std::filesystem::path> paths, const ReadOptions& options) {
  if (paths.empty()) fail_argument("no files of layers, expected at least one");
  GraphLayers result;
  std::vector<NodeNames> lists;
  std::optional<std::size_t> placed;  // the first file that names no nodes
  for (std::size_t l = 0; l < paths.size(); ++l) {
    NamedGraph read = read_graph(paths[l], options);
    if (has_places_only(paths[l], options, read.names)) {
      if (placed && lists[*placed].size() != read.names.size()) {
        throw Error(Error::Kind::argument,
                    fmt::format("{} has {} nodes and {} has {}, and neither names them; expected "
                                "the same number, or files with names",
                                paths[*placed].string(), lists[*placed].size(), paths[l].string(),
                                read.names.size()));
      }
      if (!placed) placed = l;
    }
    result.symmetrized.push_back(read.symmetrized);
    result.graphs.push_back(std::move(read.graph));
    lists.push_back(std::move(read.names));
  }
  const auto differs = [&](const NodeNames& names) { return names != lists[0]; };
  if (std::ranges::none_of(lists, differs)) {
    result.names = std::move(lists[0]);
    return result;
  }
  result.names = union_of(lists);
  const NameIndex all(result.names);
  for (std::size_t l = 0; l < paths.size(); ++l) {
    if (lists[l] == result.names) continue;
    result.graphs[l] = place_nodes(result.graphs[l], lists[l], all, result.names.size());
  }
  return result;
}

}  // namespace srgw::io
