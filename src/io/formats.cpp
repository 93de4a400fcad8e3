// SPDX-License-Identifier: MIT
#include "io/formats.hpp"

#include <algorithm>
#include <cctype>

#include "base/message.hpp"
#include "graph/csr_build.hpp"
#include "graph/csr_rows.hpp"
#include "graph/symmetry.hpp"

namespace srgw {

namespace detail {

namespace {

/// One format: what users see of it, and its reader and writer.
struct Format {
  io::FormatInfo info;
  GraphReader read;
  GraphWriter write;
};

/// The one list of graph formats. The first with an ending is the one that the ending means.
const std::vector<Format>& table() {
  static const std::vector<Format> formats = {
      {{"edges", {".txt", ".tsv", ".edges", ".edgelist"}, "edge list, one edge a line"},
       read_edge_list,
       write_edge_list},
      {{"csv", {".csv"}, "edge list with commas"}, read_edge_list, write_edge_csv},
      {{"mtx", {".mtx"}, "Matrix Market"}, read_matrix_market, write_matrix_market},
      {{"metis", {".graph", ".metis"}, "METIS adjacency lists"}, read_metis, write_metis},
      {{"graphml", {".graphml", ".xml"}, "GraphML"}, read_graphml, write_graphml},
      {{"gml", {".gml"}, "GML"}, read_gml, write_gml},
      {{"npy", {".npy"}, "dense matrix of NumPy"}, read_dense_npy, write_dense_npy},
      {{"npz", {".npz"}, "sparse matrix of SciPy; packed graphs are read, too"},
       read_npz,
       write_scipy_npz},
      {{"packed", {}, "packed graph of this library, an .npz that maps"},
       read_npz,
       write_packed_graph},
  };
  return formats;
}

std::string known_extensions() {
  std::string result;
  for (const Format& format : table()) {
    for (const auto extension : format.info.extensions) {
      result += (result.empty() ? "" : " ") + std::string(extension);
    }
  }
  return result;
}

const Format* find_by_extension(const std::string& extension) {
  for (const Format& format : table()) {
    const auto& known = format.info.extensions;
    if (std::find(known.begin(), known.end(), extension) != known.end()) return &format;
  }
  return nullptr;
}

const Format& find_format(const std::filesystem::path& path,
                          const std::optional<std::string>& name) {
  if (name) {
    std::string known;
    for (const Format& format : table()) {
      if (format.info.name == *name) return format;
      known += (known.empty() ? "" : ", ") + std::string(format.info.name);
    }
    fail_argument("format {} is unknown, expected one of {}", quote(*name), known);
  }
  const std::string extension = extension_of(path);
  // Pipes have no ending, and edge lists are what is piped.
  if (extension.empty() && !std::filesystem::is_regular_file(path)) return table().front();
  if (const Format* format = find_by_extension(extension)) return *format;
  throw Error(Error::Kind::format,
              message_at({path.string()}, "the ending " + quote(extension) +
                                              " is unknown, expected one of " + known_extensions() +
                                              ", or the name of a format"));
}

NamedGraph read_with(const Format& format, const Input& input, const ReadOptions& options) {
  check(options);
  return name_file_in_errors(input.name, [&] { return format.read(input, options); });
}

}  // namespace

std::string extension_of(const std::filesystem::path& path) {
  std::string name = path.filename().string();
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (name.ends_with(".gz")) name.resize(name.size() - 3);
  return std::filesystem::path(name).extension().string();
}

bool is_graph_file(const std::filesystem::path& path) {
  return find_by_extension(extension_of(path)) != nullptr;
}

std::string_view format_of(const std::filesystem::path& path,
                           const std::optional<std::string>& name) {
  return find_format(path, name).info.name;
}

void check(const ReadOptions& options) {
  if (options.index_base != 0 && options.index_base != 1) {
    fail_argument("index base {}, expected 0 or 1", options.index_base);
  }
  if (options.index_base != 0 && !options.nodes) {
    fail_argument("index base {} without a number of nodes, expected both: without, ids are names",
                  options.index_base);
  }
  if (options.nodes) check_row_count(*options.nodes);
}

void check_promised_nodes(const Where& where, std::uint64_t nodes, const Input& input,
                          const ReadOptions& options) {
  constexpr std::uint64_t always_fine = std::uint64_t{1} << 24;
  const bool confirmed = options.nodes && static_cast<std::uint64_t>(*options.nodes) >= nodes;
  if (confirmed || nodes <= always_fine || nodes / 16 <= input.bytes.size()) return;
  throw Error(
      Error::Kind::format,
      message_at(where, fmt::format("promises {} nodes in {} bytes, expected a larger file or "
                                    "fewer nodes; give the number of nodes to confirm it",
                                    nodes, input.bytes.size())));
}

Index count_nodes(const Where& where, Index nodes, const ReadOptions& options) {
  if (!options.nodes) return nodes;
  if (*options.nodes < nodes) {
    fail_at(where, "{} nodes, expected at most the {} that were asked for", nodes, *options.nodes);
  }
  return *options.nodes;
}

void refuse_index_base(const Input& input, const ReadOptions& options) {
  if (options.index_base != 0) {
    fail_at({input.name}, "the format says where indices start, expected no index base");
  }
}

void fail_duplicate(const Where& where, std::size_t first_line, const DuplicateEdge& edge,
                    std::string_view source, std::string_view target, bool turned) {
  fail_at(where,
          "edge {} {} is given again, with weight {} after {} in line {}; expected once, or a rule "
          "for duplicates: sum, max or first{}",
          source, target, edge.second, edge.first, first_line,
          turned ? "; if the lines are arcs, read them as directed (--directed)" : "");
}

void require_no_names(const NamedGraph& graph, const Output& out, std::string_view format) {
  if (graph.names.are_indices()) return;
  fail_argument(
      "{}: the nodes have names, which {} cannot hold; write GraphML, GML or an edge list, or "
      "renumber the nodes",
      out.name(), format);
}

NamedGraph matrix_graph(Csr matrix, const ReadOptions& options) {
  const Mirrors mirrors = options.directed ? Mirrors{} : find_mirrors(matrix, options.threads);
  Graph graph = options.directed ? Graph::from_adjacency(std::move(matrix), true)
                : mirrors.complete
                    ? Graph({.adjacency = std::move(matrix), .self_loops = mirrors.self_loops})
                    : Graph::from_matrix(std::move(matrix));
  const Index nodes = graph.nodes();
  return symmetrize_if_asked({.graph = std::move(graph), .names = NodeNames::numbered(nodes)},
                             options);
}

NamedGraph symmetrize_if_asked(NamedGraph named, const ReadOptions& options) {
  if (options.symmetrize && named.graph.directed()) {
    named.graph = named.graph.undirected();
    named.symmetrized = true;
  }
  return named;
}

}  // namespace detail

namespace io {

std::span<const FormatInfo> formats() {
  static const std::vector<FormatInfo> infos = [] {
    std::vector<FormatInfo> result;
    for (const auto& format : detail::table()) result.push_back(format.info);
    return result;
  }();
  return infos;
}

NamedGraph read_graph(const std::filesystem::path& path, const ReadOptions& options) {
  const auto& format = detail::find_format(path, options.format);
  return detail::read_with(format, detail::open_input(path, options.max_unpacked_bytes), options);
}

NamedGraph parse_graph(std::string_view bytes, const std::string& name,
                       const ReadOptions& options) {
  const auto& format = detail::find_format(name, options.format);
  return detail::read_with(format, detail::memory_input(bytes, name, options.max_unpacked_bytes),
                           options);
}

void write_graph(const NamedGraph& graph, const std::filesystem::path& path,
                 const WriteOptions& options) {
  const auto& format = detail::find_format(path, options.format);
  if (graph.names.size() != graph.graph.nodes()) {
    detail::fail_argument("{} names for {} nodes, expected as many", graph.names.size(),
                          graph.graph.nodes());
  }
  detail::Output out(path);
  format.write(graph, out);
  out.finish();
}

}  // namespace io

}  // namespace srgw
