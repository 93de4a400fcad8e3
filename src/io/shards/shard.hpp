// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "io/formats.hpp"
#include "srgw/graph.hpp"
#include "srgw/ranks.hpp"

namespace srgw::detail {

[[nodiscard]] GraphShard read_edge_shard(const Input& input, const ReadOptions& options,
                                         Ranks& ranks);
[[nodiscard]] GraphShard read_packed_shard(const Input& input, const ReadOptions& options,
                                           Ranks& ranks);

/// Throws: what stands in the file is fine, but not for several ranks, and how to help that.
[[noreturn]] void fail_for_ranks(const std::string& what, const std::string& file,
                                 const Ranks& ranks);

/// The lines that begin in this rank's share of the bytes.
[[nodiscard]] std::string_view share_of_lines(std::string_view text, const Ranks& ranks);

[[noreturn]] void fail_directed(const std::string& file);

}  // namespace srgw::detail
