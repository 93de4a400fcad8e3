// SPDX-License-Identifier: MIT
#pragma once

#include "io/input.hpp"
#include "srgw/io.hpp"
#include "srgw/streams.hpp"

namespace srgw::detail {

[[nodiscard]] io::NamedGraph read_packed_graph(const Input& input, const io::ReadOptions& options);
[[nodiscard]] std::unique_ptr<io::DatasetReader::Source> open_packed_dataset(const Input& input);
void write_packed_dataset(const Dataset& dataset, const std::filesystem::path& path);

}  // namespace srgw::detail
