// SPDX-License-Identifier: MIT
#pragma once

#include "io/input.hpp"
#include "srgw/io.hpp"

namespace srgw::detail {

[[nodiscard]] io::NamedGraph read_packed_graph(const Input& input, const io::ReadOptions& options);
[[nodiscard]] Dataset read_packed_dataset(const Input& input);
void write_packed_dataset(const Dataset& dataset, const std::filesystem::path& path);

}  // namespace srgw::detail
