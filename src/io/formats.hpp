// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "graph/edges.hpp"
#include "io/input.hpp"
#include "io/output.hpp"
#include "io/text.hpp"
#include "srgw/io.hpp"

/// Helpers of the readers and writers of graph formats. Each format is a file of its own with a
/// reader (bytes in, value out) and a writer; formats.cpp has the table of them.
namespace srgw::detail {

using io::Attribute;
using io::NamedGraph;
using io::ReadOptions;

using GraphReader = NamedGraph (*)(const Input&, const ReadOptions&);
using GraphWriter = void (*)(const NamedGraph&, Output&);

NamedGraph read_edge_list(const Input& input, const ReadOptions& options);
void write_edge_list(const NamedGraph& graph, Output& out);  ///< separated by tabs
void write_edge_csv(const NamedGraph& graph, Output& out);   ///< with a header
NamedGraph read_matrix_market(const Input& input, const ReadOptions& options);
void write_matrix_market(const NamedGraph& graph, Output& out);
NamedGraph read_metis(const Input& input, const ReadOptions& options);
void write_metis(const NamedGraph& graph, Output& out);
NamedGraph read_graphml(const Input& input, const ReadOptions& options);
void write_graphml(const NamedGraph& graph, Output& out);
NamedGraph read_gml(const Input& input, const ReadOptions& options);
void write_gml(const NamedGraph& graph, Output& out);
NamedGraph read_dense_npy(const Input& input, const ReadOptions& options);
void write_dense_npy(const NamedGraph& graph, Output& out);
NamedGraph read_npz(const Input& input, const ReadOptions& options);
void write_scipy_npz(const NamedGraph& graph, Output& out);
void write_packed_graph(const NamedGraph& graph, Output& out);

/// The small edge-list files of tests walk over many chunks with this.
NamedGraph read_edge_list_in_chunks(const Input& input, const ReadOptions& options,
                                    std::size_t chunk_bytes);

/// Ending of a file name in lower case, .gz left out.
[[nodiscard]] std::string extension_of(const std::filesystem::path& path);

/// Whether a file of this name holds a graph in a format of the table.
[[nodiscard]] bool is_graph_file(const std::filesystem::path& path);

/// The name of the format that a file is read in: the given one, or what its ending means.
[[nodiscard]] std::string_view format_of(const std::filesystem::path& path,
                                         const std::optional<std::string>& name);

/// Throws for options that are wrong whatever the file holds.
void check(const ReadOptions& options);

/// Calls `read`; errors that do not say where get the name of the file, and those about memory too.
template <class Read>
auto name_file_in_errors(const std::string& name, Read read) -> decltype(read()) {
  try {
    return read();
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::argument) throw;
    throw Error(Error::Kind::format, message_at({name}, error.what()));
  } catch (const std::bad_alloc&) {
    throw Error(Error::Kind::resource, message_at({name}, "not enough memory to read it"));
  } catch (const std::length_error&) {
    throw Error(Error::Kind::resource, message_at({name}, "not enough memory to read it"));
  }
}

/// The parts of a reader that walks over lines.
class TextReader {
 protected:
  TextReader(const Input& input, const ReadOptions& options)
      : input_(input), options_(options), lines_(input) {}

  /// Throws an error about the line that was read last.
  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> text, Args&&... args) const {
    fail_at(lines_.where(), text, std::forward<Args>(args)...);
  }

  /// A word that must be a whole number from 0 on.
  [[nodiscard]] std::int64_t count(std::string_view word, std::string_view what) const {
    const auto number = to_integer(word);
    if (!number || *number < 0) fail("{}, expected {}", quote(word), what);
    return *number;
  }

  const Input& input_;
  const ReadOptions& options_;
  LineReader lines_;
};

/// Throws unless a file of this size may speak of so many nodes. Nodes without edges are legal, so
/// a short file may have some millions of them; more has to be confirmed by the caller.
void check_promised_nodes(const Where& where, std::uint64_t nodes, const Input& input,
                          const ReadOptions& options);

/// For a format whose nodes are 0..n-1: the number of nodes that the options ask for, at least
/// `nodes` of the file.
[[nodiscard]] Index count_nodes(const Where& where, Index nodes, const ReadOptions& options);

/// Throws when an option is given that formats with nodes of their own do not have.
void refuse_index_base(const Input& input, const ReadOptions& options);

/// Throws the error about an edge that is given twice, found at `where` and before in `first_line`;
/// `turned`: the other way round, in a file that may be of arcs.
[[noreturn]] void fail_duplicate(const Where& where, std::size_t first_line,
                                 const DuplicateEdge& edge, std::string_view source,
                                 std::string_view target, bool turned = false);

/// The graph of a square matrix: undirected when it is symmetric, unless the options say otherwise.
[[nodiscard]] NamedGraph matrix_graph(Csr matrix, const ReadOptions& options);

/// Makes a directed graph undirected when the options ask for it.
[[nodiscard]] NamedGraph symmetrize_if_asked(NamedGraph graph, const ReadOptions& options);

/// Throws when the nodes have names and the format has none.
void require_no_names(const NamedGraph& graph, const Output& out, std::string_view format);

}  // namespace srgw::detail
