// SPDX-License-Identifier: MIT
#pragma once

#include "io/input.hpp"
#include "srgw/io.hpp"

namespace srgw::detail {

inline constexpr int newest_packed_version = 1;
inline constexpr std::uint8_t packed_directed = 1, packed_weighted = 2;  ///< flags of a graph

/// Errors of the JSON library say nothing about the file.
[[noreturn]] void fail_packed_header(const std::string& file);

[[nodiscard]] io::NamedGraph read_packed_graph(const Input& input, const io::ReadOptions& options);
[[nodiscard]] std::unique_ptr<io::DatasetReader::Source> open_packed_dataset(const Input& input);
void write_packed_dataset(const Dataset& dataset, const std::filesystem::path& path);

}  // namespace srgw::detail
