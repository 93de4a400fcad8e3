// SPDX-License-Identifier: MIT
#pragma once

#include "srgw/io.hpp"

namespace srgw::detail {

/// The name of the TUDataset in a folder: NAME of its file NAME_A.txt; empty when there is none.
[[nodiscard]] std::string tud_name(const std::filesystem::path& folder);
[[nodiscard]] Dataset read_tud(const std::filesystem::path& folder, const io::ReadOptions& options);
void write_tud(const Dataset& dataset, const std::filesystem::path& folder);

[[nodiscard]] std::unique_ptr<io::DatasetReader::Source> open_graph_folder(
    const std::filesystem::path& folder, const io::ReadOptions& options);
void write_graph_folder(const Dataset& dataset, const std::filesystem::path& folder);

}  // namespace srgw::detail
