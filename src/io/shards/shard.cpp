// SPDX-License-Identifier: MIT
#include "io/shards/shard.hpp"

#include <algorithm>

#include "base/message.hpp"
#include "base/parallel.hpp"
#include "graph/csr_rows.hpp"
#include "io/shards/rows.hpp"
#include "srgw/io.hpp"

namespace srgw {

namespace detail {

void fail_for_ranks(const std::string& what, const std::string& file, const Ranks& ranks) {
  throw Error(
      Error::Kind::format,
      fmt::format("{}, which {} ranks cannot read in parts; `srgw convert {} graph.npz --to "
                  "packed` makes a file that they can",
                  what, ranks.count(), file));
}

void fail_directed(const std::string& file) {
  fail_at({file},
          "directed, expected an undirected graph where it is spread over ranks; symmetrize it");
}

std::string_view share_of_lines(std::string_view text, const Ranks& ranks) {
  const std::size_t count = ranks.count();
  const auto begin_of = [&](std::size_t rank) {
    const std::size_t at = text.size() / count * rank;
    if (at == 0) return std::size_t{0};
    if (rank == count) return text.size();
    const std::size_t end = text.find('\n', at - 1);
    return end == std::string_view::npos ? text.size() : end + 1;
  };
  const std::size_t mine = ranks.rank();
  const std::size_t begin = begin_of(mine);
  const std::size_t end = mine + 1 == count ? text.size() : begin_of(mine + 1);
  return text.substr(begin, end - begin);
}

}  // namespace detail

namespace io {

GraphShard read_shard(const std::filesystem::path& path, const ReadOptions& options, Ranks& ranks) {
  const auto refuse = [&](const std::string& what) {
    detail::fail_for_ranks(detail::message_at({path.string()}, what), path.string(), ranks);
  };
  const std::string_view format = detail::format_of(path, options.format);
  detail::check(options);
  if (path == "-") refuse("standard input");
  if (path.string().ends_with(".gz")) refuse("compressed");
  const detail::Input input = detail::open_input(path, options.max_unpacked_bytes);
  if (!input.mapped && !input.bytes.empty()) refuse("no plain file");
  return detail::name_file_in_errors(input.name, [&]() -> GraphShard {
    if (format == "edges" || format == "csv") {
      return detail::read_edge_shard(input, options, ranks);
    }
    if (format == "npz" || format == "packed") {
      return detail::read_packed_shard(input, options, ranks);
    }
    refuse(fmt::format("a file of format {}", format));
    return {};
  });
}

std::vector<Index> shard_starts(const Graph& graph, int ranks) {
  return detail::with_rows(graph.adjacency(), [&](const auto& rows) {
    return detail::cut_rows(rows.size(), ranks, [&](Index block) -> std::uint64_t {
      return rows.offsets[std::min(rows.size(), block * detail::block_rows)];
    });
  });
}

}  // namespace io

}  // namespace srgw
