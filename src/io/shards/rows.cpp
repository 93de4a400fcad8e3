// SPDX-License-Identifier: MIT
#include "io/shards/rows.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/parallel.hpp"
#include "graph/csr_build.hpp"
#include "graph/csr_rows.hpp"

namespace srgw::detail {

namespace {

struct Arc {
  NodeId row = 0, column = 0;
  static Arc make(NodeId row, NodeId column, double /*weight*/) { return {row, column}; }
  [[nodiscard]] double weight() const { return 1; }
};

struct WeightedArc {
  NodeId row = 0, column = 0;
  double value = 1;
  static WeightedArc make(NodeId row, NodeId column, double weight) {
    return {row, column, weight};
  }
  [[nodiscard]] double weight() const { return value; }
};

/// The rows of this rank of the transposed matrix, whose columns are the nodes of the whole graph.
/// Each row gets its arcs in the order of the rows that they came from, since ranks have
/// consecutive rows and send them in order.
template <class Item>
Csr transpose_rows(Ranks& ranks, const std::vector<Index>& starts, const Csr& arcs) {
  const std::size_t mine = ranks.rank();
  std::vector<std::vector<std::vector<Item>>> from(ranks.count());
  with_rows(arcs, [&](const auto& rows) {
    const RowOwners owners(starts);
    Index row = 0;
    const auto fill = [&](std::vector<Bytes>& parcels) {
      for (std::size_t sent = 0; row < rows.size() && sent < round_items; ++row) {
        const auto node = static_cast<NodeId>(starts[mine] + row);
        for (std::size_t e = rows.begin(row); e < rows.end(row); ++e) {
          const NodeId other = rows.columns[e];
          put(parcels[owners.of(other)], Item::make(other, node, rows.value(e)));
        }
        sent += rows.end(row) - rows.begin(row);
      }
      return row < rows.size();
    };
    send_in_rounds(ranks, fill, [&](std::size_t rank, std::span<const std::byte> parcel) {
      if (!parcel.empty()) from[rank].push_back(items_of<Item>(parcel));
    });
  });
  const auto first = static_cast<NodeId>(starts[mine]);
  std::vector<std::uint64_t> offsets(starts[mine + 1] - starts[mine] + 2, 0);
  // Counted two places ahead: after the arcs are placed each offset is where its row begins.
  for (const auto& parcels : from) {
    for (const auto& parcel : parcels) {
      for (const Item& arc : parcel) ++offsets[arc.row - first + std::size_t{2}];
    }
  }
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  std::vector<NodeId> columns(offsets.back());
  std::vector<double> weights(std::is_same_v<Item, WeightedArc> ? offsets.back() : 0);
  for (auto& parcels : from) {
    for (auto& parcel : parcels) {
      for (const Item& arc : parcel) {
        const std::uint64_t at = offsets[arc.row - first + std::size_t{1}]++;
        columns[at] = arc.column;
        if constexpr (std::is_same_v<Item, WeightedArc>) weights[at] = arc.weight();
      }
      parcel = {};
    }
  }
  offsets.pop_back();
  return assemble(std::move(offsets), std::move(columns), std::move(weights));
}

/// Rows of arcs in both directions, columns ascending; where both name one the larger weight.
template <class Item>
void add_rows(Ranks& ranks, const Csr& arcs, GraphShard& shard) {
  const Csr turned = transpose_rows<Item>(ranks, shard.starts, arcs);
  const std::size_t most = turned.columns.size() + arcs.columns.size();
  shard.columns.reserve(most);
  if (std::is_same_v<Item, WeightedArc>) shard.weights.reserve(most);
  shard.offsets.reserve(arcs.rows() + 1);
  const auto end_rows_before = [&](Index row) {
    while (std::ssize(shard.offsets) <= row) shard.offsets.push_back(shard.columns.size());
  };
  for_each_pair(arcs, turned, [&](const EntryPair& pair) {
    end_rows_before(pair.row);
    shard.columns.push_back(static_cast<NodeId>(pair.column));
    if (std::is_same_v<Item, WeightedArc>) shard.weights.push_back(larger_weight(pair));
  });
  end_rows_before(arcs.rows());
}

/// The number of edges whose smaller end is a row of this rank.
Index count_edges(const GraphShard& shard, Index first) {
  Index count = 0;
  for (Index row = 0; row < shard.rows(); ++row) {
    const std::size_t i = row;
    const auto begin = shard.columns.begin() + static_cast<std::ptrdiff_t>(shard.offsets[i]);
    const auto end = shard.columns.begin() + static_cast<std::ptrdiff_t>(shard.offsets[i + 1]);
    count += end - std::lower_bound(begin, end, static_cast<NodeId>(first + row));
  }
  return count;
}

/// Zero over all ranks when each entry has its partner; else hardly ever.
std::int64_t balance(const Csr& csr, Index first) {
  std::uint64_t sum = 0;
  for_each_entry(csr, [&](Index row, Index column, double value) {
    const auto low = static_cast<std::uint64_t>(std::min(first + row, column));
    const auto high = static_cast<std::uint64_t>(std::max(first + row, column));
    std::uint64_t mixed = low * 0x9E3779B97F4A7C15U ^ high * 0xC2B2AE3D27D4EB4FU ^
                          std::bit_cast<std::uint64_t>(value) * 0x165667B19E3779F9U;
    mixed = (mixed ^ mixed >> 29) * 0xBF58476D1CE4E5B9U;
    mixed ^= mixed >> 32;
    if (first + row < column) sum += mixed;
    if (first + row > column) sum -= mixed;
  });
  constexpr int kept_bits = 48;  // which sums of ranks cannot overflow
  return static_cast<std::int64_t>(sum & ((std::uint64_t{1} << kept_bits) - 1));
}

bool is_balanced(Ranks& ranks, const Csr& rows, Index first) {
  return total(ranks, balance(rows, first)) % (std::int64_t{1} << 48) == 0;
}

}  // namespace

void check_symmetric_rows(Ranks& ranks, const std::vector<Index>& starts, const Csr& rows) {
  const Index first = starts[ranks.rank()];
  if (is_balanced(ranks, rows, first)) return;
  const Csr turned = transpose_rows<WeightedArc>(ranks, starts, rows);
  together(ranks, [&] { check_symmetric(rows, turned, first); });
}

std::vector<Index> cut_rows(Index nodes, int ranks,
                            const std::function<std::uint64_t(Index)>& entries_before) {
  // A row takes memory and time, too, when it is empty.
  const auto cost_before = [&](Index block) {
    return static_cast<double>(entries_before(block)) + static_cast<double>(block * block_rows);
  };
  const Index blocks = block_count(nodes);
  const double all = cost_before(blocks);
  std::vector<Index> starts(1, 0);
  for (int r = 1; r < ranks; ++r) {
    // A block goes to the rank in whose share its middle lies. Few are looked at, since each may be
    // on another page of a file.
    Index low = starts.back() / block_rows, high = blocks;
    while (low < high) {
      const Index block = (low + high) / 2;
      if ((cost_before(block) + cost_before(block + 1)) / 2 < all * r / ranks) {
        low = block + 1;
      } else {
        high = block;
      }
    }
    starts.push_back(std::min(nodes, low * block_rows));
  }
  starts.push_back(nodes);
  return starts;
}

RowOwners::RowOwners(std::span<const Index> starts) {
  static_assert(block_ == block_rows);
  of_block_.resize(block_count(starts.back()));
  for (std::size_t r = 0; r + 1 < starts.size(); ++r) {
    for (Index block = starts[r] / block_rows; block < block_count(starts[r + 1]); ++block) {
      if (block * block_rows >= starts[r]) {
        of_block_[block] = static_cast<std::uint32_t>(r);
      }
    }
  }
}

GraphShard unite_rows(Ranks& ranks, std::vector<Index> starts, const Csr& arcs) {
  GraphShard shard;
  shard.starts = std::move(starts);
  // A rank without rows has no values to show.
  if (any(ranks, arcs.has_values())) {
    add_rows<WeightedArc>(ranks, arcs, shard);
  } else {
    add_rows<Arc>(ranks, arcs, shard);
  }
  const bool ones = std::all_of(shard.weights.begin(), shard.weights.end(),
                                [](double weight) { return weight == 1; });
  if (!any(ranks, !ones)) shard.weights = {};
  const Index first = shard.starts[ranks.rank()];
  shard.edges = total(ranks, count_edges(shard, first));
  return shard;
}

}  // namespace srgw::detail
