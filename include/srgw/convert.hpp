// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "srgw/io.hpp"

namespace srgw::io {

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
