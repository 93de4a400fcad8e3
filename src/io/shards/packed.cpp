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
        archive_(ArchiveAccess::map(input, "graph", newest_packed_version)) {}

  GraphShard read() {
    map_rows();
    const std::size_t mine = ranks_.rank();
    std::vector<Index> starts = cut();
    const Index begin = starts[mine], end = starts[mine + 1];
    const Csr own = checked(starts);
    GraphShard shard = directed_ ? united_rows(ranks_, starts, own) : copied(starts, own);
    forget_rows(own);
    const nlohmann::json header = header_of(archive_);
    shard.names = names(header, begin, end);
    shard.directed = directed_;
    shard.symmetrized = directed_ || header.at("symmetrized").get<bool>();
    return shard;
  }

 private:
  void map_rows() {
    const auto& nodes = archive_.values<std::int64_t>("nodes");
    const auto& flags = archive_.values<std::uint8_t>("flags");
    if (flags.size() != nodes.size()) {
      fail_at({input_.name}, "{} flags for {} graphs, expected as many", flags.size(),
              nodes.size());
    }
    if (nodes.size() != 1) {
      fail_at({input_.name}, "{} graphs, expected 1; read it as a dataset", nodes.size());
    }
    constexpr std::int64_t most = std::numeric_limits<NodeId>::max();
    nodes_ = nodes[0];
    if (nodes_ < 1 || nodes_ > most) {
      fail_at({input_.name}, "graph 0 has {} nodes, expected 1 to {}", nodes_, most);
    }
    directed_ = (flags[0] & packed_directed) != 0;
    if (directed_ && !options_.symmetrize) fail_directed(input_.name);
    if (std::holds_alternative<SharedArray<std::uint64_t>>(archive_.array("offsets").values)) {
      whole_.offsets = archive_.values<std::uint64_t>("offsets");
    } else {
      whole_.offsets = archive_.values<std::uint32_t>("offsets");
    }
    check_size("offsets",

               std::visit([](const auto& offsets) { return offsets.size(); }, whole_.offsets),
               static_cast<std::size_t>(nodes_) + 1);
    whole_.columns = archive_.values<NodeId>("columns");
    const std::size_t entries = offset(nodes_);
    check_size("columns", whole_.columns.size(), entries);
    const auto& values = archive_.values<double>("values");
    const bool weighted = (flags[0] & packed_weighted) != 0;
    check_size("values", values.size(), weighted ? entries : 0);
    if (weighted) whole_.values = values;
  }

  void check_size(const char* what, std::size_t size, std::size_t expected) const {
    if (size == expected) return;
    fail_at({input_.name},
            "array {} has {} items, which do not fit the graphs, expected a whole file", what,
            size);
  }

  [[nodiscard]] std::size_t offset(Index row) const {
    return std::visit([&](const auto& offsets) { return static_cast<std::size_t>(offsets[row]); },
                      whole_.offsets);
  }

  /// Looks at few offsets, since each is on another page.
  [[nodiscard]] std::vector<Index> cut() const {
    const auto cost_before = [&](Index block) {
      const Index row = std::min(nodes_, block * block_rows);
      return static_cast<double>(offset(row)) + static_cast<double>(row);
    };
    const Index blocks = block_count(nodes_);
    const double all = cost_before(blocks);
    std::vector<Index> starts(1, 0);
    for (int r = 1; r < ranks_.count(); ++r) {
      Index low = 0, high = blocks;
      while (low < high) {
        const Index middle = (low + high) / 2;
        if (cost_before(middle) < all * r / ranks_.count()) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      starts.push_back(std::max(starts.back(), std::min(nodes_, low * block_rows)));
    }
    starts.push_back(nodes_);
    return starts;
  }

  /// The rows of this rank, which stay in the file.
  [[nodiscard]] Csr checked(const std::vector<Index>& starts) {
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

  [[nodiscard]] GraphShard copied(const std::vector<Index>& starts, const Csr& own) {
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

  static nlohmann::json header_of(const Archive& archive) {
    return nlohmann::json::parse(archive.header());
  }

  [[nodiscard]] NodeNames names(const nlohmann::json& header, Index begin, Index end) const {
    std::size_t count = nodes_;
    NodeNames result = NodeNames::numbered(end - begin, begin);
    if (archive_.has("node_ids")) {
      const auto& ids = archive_.values<std::int64_t>("node_ids");
      count = ids.size();
      if (count == static_cast<std::size_t>(nodes_)) {
        result = NodeNames(std::vector<std::int64_t>(ids.begin() + begin, ids.begin() + end));
      }
    } else if (header.contains("node_names")) {
      const auto& texts = header["node_names"];
      count = texts.size();
      if (count == static_cast<std::size_t>(nodes_)) {
        std::vector<std::string> own;
        for (Index i = begin; i < end; ++i) {
          own.push_back(texts[i].get<std::string>());
        }
        result = NodeNames(std::move(own));
      }
    }
    if (count != static_cast<std::size_t>(nodes_)) {
      fail_at({input_.name}, "{} names for {} nodes, expected as many", count, nodes_);
    }
    return result;
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
      fail_for_ranks(placed({member.content.name}, "is compressed"), input.name, ranks);
    }
  }
  check_checksums(input, members, ranks);
  if (!packed) fail_for_ranks(placed({input.name}, "is no packed graph"), input.name, ranks);
  try {
    return PackedShardReader(input, options, ranks).read();
  } catch (const nlohmann::json::exception&) {
    fail_packed_header(input.name);
  }
}

}  // namespace srgw::detail
