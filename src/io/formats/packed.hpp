// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "io/input.hpp"
#include "srgw/io.hpp"

namespace srgw::detail {

inline constexpr int newest_packed_version = 1;

/// The rows of the one graph of an archive, which stay in the file. The sizes of the arrays fit,
/// their values are not looked at.
struct PackedRows {
  Csr rows;
  bool directed = false;
};
[[nodiscard]] PackedRows map_packed_rows(const io::Archive& archive, const std::string& file);
/// The names of the nodes [begin, end) of that graph.
[[nodiscard]] NodeNames read_packed_names(const io::Archive& archive, const nlohmann::json& header,
                                          const std::string& file, Index nodes, Index begin,
                                          Index end);

/// Errors of the JSON library say nothing about the file.
[[noreturn]] void fail_packed_header(const std::string& file);

[[nodiscard]] io::NamedGraph read_packed_graph(const Input& input, const io::ReadOptions& options);
[[nodiscard]] std::unique_ptr<io::DatasetReader::Source> open_packed_dataset(const Input& input);
void write_packed_dataset(const Dataset& dataset, const std::filesystem::path& path);

}  // namespace srgw::detail
