// SPDX-License-Identifier: MIT
#include <zlib.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/parallel.hpp"
#include "graph/csr_build.hpp"
#include "graph/csr_rows.hpp"
#include "io/archive.hpp"
#include "io/formats/packed.hpp"
#include "io/shards/rows.hpp"
#include "io/shards/shard.hpp"
#include "io/zip.hpp"

// A packed graph is mapped, so that a rank reads the rows that it takes and no others. Checksums
// are made of those of the parts that the ranks look at.

namespace srgw::detail {

namespace {

using io::Archive;

/// The part of `bytes` that a rank looks at.
std::string_view part_of(std::string_view bytes, std::size_t rank, std::size_t ranks) {
  const auto at = [&](std::size_t r) {
    return r == ranks ? bytes.size() : bytes.size() / ranks * r;
  };
  return bytes.substr(at(rank), at(rank + 1) - at(rank));
}

void check_checksums(const Input& input, const std::vector<ZipMember>& members, Ranks& ranks) {
  const std::size_t count = ranks.count();
  std::vector<std::uint32_t> own;
  for (const ZipMember& member : members) {
    const auto part = part_of(member.content.bytes, ranks.rank(), count);
    own.push_back(checksum_of(input, part));
    forget_pages(input, part);
  }
  std::vector<std::vector<std::uint32_t>> all;
  for (const Bytes& parcel : ranks.gather(std::as_bytes(std::span(own)))) {
    all.push_back(items_of<std::uint32_t>(parcel));
  }
  for (std::size_t i = 0; i < members.size(); ++i) {
    uLong sum = 0;
    for (std::size_t r = 0; r < count; ++r) {
      const auto part = part_of(members[i].content.bytes, r, count);
      sum = ::crc32_combine(sum, all[r][i], static_cast<z_off_t>(part.size()));
    }
    if (sum != members[i].checksum) fail_checksum(members[i].content.name);
  }
}

class PackedShardReader {
 public:
  PackedShardReader(const Input& input, const ReadOptions& options, Ranks& ranks)
      : input_(input),
        options_(options),
        ranks_(ranks),
        archive_(ArchiveAccess::map(input, "graph", newest_packed_version)) {
    PackedRows packed = map_packed_rows(archive_, input.name);
    whole_ = std::move(packed.rows);
    directed_ = packed.directed;
    nodes_ = whole_.rows();
  }

  GraphShard read() {
    if (directed_ && !options_.symmetrize) fail_directed(input_.name);
    const std::size_t mine = ranks_.rank();
    const std::vector<Index> starts = cut_rows(nodes_, ranks_.count(), [&](Index block) {
      return offset(std::min(nodes_, block * block_rows));
    });
    const Index begin = starts[mine], end = starts[mine + 1];
    const Csr own = check_rows(starts);
    GraphShard shard = directed_ ? unite_rows(ranks_, starts, own) : copy_rows(starts, own);
    forget_rows(own);
    const auto header = nlohmann::json::parse(archive_.header());
    shard.names = read_packed_names(archive_, header, input_.name, nodes_, begin, end);
    shard.directed = directed_;
    shard.symmetrized = directed_ || header.at("symmetrized").get<bool>();
    return shard;
  }

 private:
  [[nodiscard]] std::size_t offset(Index row) const {
    return std::visit([&](const auto& offsets) { return static_cast<std::size_t>(offsets[row]); },
                      whole_.offsets);
  }

  /// The rows of this rank, which stay in the file.
  [[nodiscard]] Csr check_rows(const std::vector<Index>& starts) {
    const std::size_t mine = ranks_.rank();
    const Index begin = starts[mine], end = starts[mine + 1];
    const auto in_graph = [&](const std::function<void()>& work) {
      try {
        work();
      } catch (const Error& error) {
        fail_at({input_.name}, "graph 0: {}", error.what());
      }
    };
    // No row is looked into before the offsets of all are known to be right.
    together(ranks_, [&] { in_graph([&] { check_offsets(whole_, begin, end); }); });
    together(ranks_, [&] { in_graph([&] { check_entries(whole_, begin, end); }); });
    Csr own;
    const std::size_t first = offset(begin), count = offset(end) - first;
    std::vector<std::uint64_t> offsets;
    for (Index row = begin; row <= end; ++row) offsets.push_back(offset(row) - first);
    own.offsets = std::move(offsets);
    const auto owner = std::make_shared<Csr>(whole_);
    own.columns = {whole_.columns.view().subspan(first, count), owner};
    if (whole_.has_values()) own.values = {whole_.values.view().subspan(first, count), owner};
    if (!directed_) in_graph([&] { check_symmetric_rows(ranks_, starts, own); });
    return own;
  }

  [[nodiscard]] GraphShard copy_rows(const std::vector<Index>& starts, const Csr& own) {
    GraphShard shard;
    shard.starts = starts;
    shard.offsets = {std::get<1>(own.offsets).begin(), std::get<1>(own.offsets).end()};
    shard.columns = {own.columns.begin(), own.columns.end()};
    shard.weights = {own.values.begin(), own.values.end()};
    const Index first = starts[ranks_.rank()];
    Index loops = 0;
    for_each_entry(
        own, [&](Index row, Index column, double) { loops += first + row == column ? 1 : 0; });
    shard.edges = (total(ranks_, own.entries()) + total(ranks_, loops)) / 2;
    return shard;
  }

  void forget_rows(const Csr& own) const {
    const auto forget = [&](const auto& items) {
      forget_pages(input_,
                   {reinterpret_cast<const char*>(items.data()), items.size() * sizeof(items[0])});
    };
    forget(own.columns);
    forget(own.values);
  }

  const Input& input_;
  const ReadOptions& options_;
  Ranks& ranks_;
  Archive archive_;
  Csr whole_;  // mapped
  Index nodes_ = 0;
  bool directed_ = false;
};

}  // namespace

GraphShard read_packed_shard(const Input& input, const ReadOptions& options, Ranks& ranks) {
  refuse_index_base(input, options);
  const std::vector<ZipMember> members = list_zip(input);
  bool packed = false;
  for (const ZipMember& member : members) {
    packed = packed || member.name == std::string(kind_key) + ".npy";
    if (!member.stored) {
      fail_for_ranks(message_at({member.content.name}, "is compressed"), input.name, ranks);
    }
  }
  check_checksums(input, members, ranks);
  if (!packed) fail_for_ranks(message_at({input.name}, "is no packed graph"), input.name, ranks);
  try {
    return PackedShardReader(input, options, ranks).read();
  } catch (const nlohmann::json::exception&) {
    fail_packed_header(input.name);
  }
}

}  // namespace srgw::detail
