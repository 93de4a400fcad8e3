// SPDX-License-Identifier: MIT
#include "io/shards/rows.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "base/message.hpp"
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

/// Arcs that came from other rows, sorted into ours. Each row gets them in the order of the rows
/// that they came from, since ranks have consecutive rows and send them in order.
template <class Item>
class Turned {
 public:
  Turned(Ranks& ranks, const std::vector<Index>& starts, const Csr& arcs) {
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
            if (other != node)
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
    place(from, static_cast<NodeId>(starts[mine]), starts[mine + 1] - starts[mine]);
  }

  std::vector<std::uint64_t> offsets;
  std::vector<NodeId> columns;
  std::vector<double> weights;  // empty: ones

 private:
  void place(std::vector<std::vector<std::vector<Item>>>& from, NodeId first, Index rows) {
    offsets.assign(rows + 2, 0);
    // Counted two places ahead: after the arcs are placed each offset is where its row begins.
    for (const auto& parcels : from) {
      for (const auto& parcel : parcels) {
        for (const Item& arc : parcel) ++offsets[arc.row - first + std::size_t{2}];
      }
    }
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
    columns.resize(offsets.back());
    if constexpr (std::is_same_v<Item, WeightedArc>) weights.resize(offsets.back());
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
  }
};

/// Rows of both, ascending; where both name a column the larger weight.
template <class Item>
void unite(const Csr& arcs, const Turned<Item>& turned, GraphShard& shard) {
  constexpr NodeId none = std::numeric_limits<NodeId>::max();
  constexpr bool weighted = std::is_same_v<Item, WeightedArc>;
  shard.offsets.push_back(0);
  shard.offsets.reserve(arcs.rows() + 1);
  const std::size_t most = turned.columns.size() + arcs.columns.size();
  shard.columns.reserve(most);
  if (weighted) shard.weights.reserve(most);
  with_rows(arcs, [&](const auto& rows) {
    for (Index row = 0; row < rows.size(); ++row) {
      std::size_t a = rows.begin(row), b = turned.offsets[row];
      const std::size_t a_end = rows.end(row);
      const std::size_t b_end = turned.offsets[row + 1];
      while (a < a_end || b < b_end) {
        const NodeId left = a < a_end ? rows.columns[a] : none;
        const NodeId right = b < b_end ? turned.columns[b] : none;
        shard.columns.push_back(std::min(left, right));
        if (weighted) {
          const double other = b < b_end ? turned.weights[b] : 0;
          shard.weights.push_back(left < right   ? rows.value(a)
                                  : right < left ? other
                                                 : std::max(rows.value(a), other));
        }
        a += left <= right ? 1U : 0U;
        b += right <= left ? 1U : 0U;
      }
      shard.offsets.push_back(shard.columns.size());
    }
  });
}

template <class Item>
void add_rows(Ranks& ranks, Csr arcs, GraphShard& shard) {
  const Turned<Item> turned(ranks, shard.starts, arcs);
  unite(arcs, turned, shard);
}

/// Of the rows of this rank: edges that it has the smaller end of.
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

/// Compares a row with what came for it from other rows.
void check_row(Index node, std::map<NodeId, double> turned, std::span<const NodeId> columns,
               const std::function<double(std::size_t)>& value) {
  const auto fail = [&](Index column, double weight, double other) {
    fail_argument(
        "weight ({0}, {1}) is {2} but ({1}, {0}) is {3}, expected equal weights or a directed "
        "graph",
        node, column, weight, other);
  };
  const auto differ = [](double a, double b) {
    return !(std::abs(a - b) <= symmetry_tolerance * std::max(std::abs(a), std::abs(b)));
  };
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto column = Index{columns[i]};
    if (column == node) continue;
    while (!turned.empty() && turned.begin()->first < columns[i]) {
      const auto [other, weight] = *turned.begin();
      if (differ(0, weight)) fail(other, 0, weight);
      turned.erase(turned.begin());
    }
    const auto found = turned.extract(columns[i]);
    const double partner = found.empty() ? 0 : found.mapped();
    if (differ(value(i), partner)) fail(column, value(i), partner);
  }
  for (const auto& [column, weight] : turned) {
    if (differ(0, weight)) fail(column, 0, weight);
  }
}

}  // namespace

void check_symmetric_rows(Ranks& ranks, const std::vector<Index>& starts, const Csr& rows) {
  const Index first = starts[ranks.rank()];
  if (is_balanced(ranks, rows, first)) return;
  const Turned<WeightedArc> turned(ranks, starts, rows);
  together(ranks, [&] {
    with_rows(rows, [&](const auto& own) {
      for (Index row = 0; row < own.size(); ++row) {
        std::map<NodeId, double> others;
        const std::size_t i = row;
        for (auto e = turned.offsets[i]; e < turned.offsets[i + 1]; ++e) {
          others.emplace(turned.columns[e], turned.weights[e]);
        }
        const std::size_t begin = own.begin(row);
        check_row(first + row, std::move(others), own.columns.subspan(begin, own.end(row) - begin),
                  [&](std::size_t e) { return own.value(begin + e); });
      }
    });
  });
}

std::vector<Index> cut_rows(Index nodes, std::span<const std::int64_t> block_entries, int ranks) {
  // A row takes memory and time, too, when it is empty.
  const auto cost = [&](std::size_t block) { return block_entries[block] + block_rows; };
  std::int64_t all = 0;
  for (std::size_t block = 0; block < block_entries.size(); ++block) all += cost(block);
  std::vector<Index> starts(1, 0);
  std::int64_t before = 0;
  std::size_t block = 0;
  for (int r = 1; r < ranks; ++r) {
    // A block goes to the rank in whose share its middle lies.
    const double share = static_cast<double>(all) * r / ranks;
    while (block < block_entries.size() &&
           static_cast<double>(before) + static_cast<double>(cost(block)) / 2 < share) {
      before += cost(block++);
    }
    starts.push_back(std::min(nodes, static_cast<Index>(block) * block_rows));
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

GraphShard united_rows(Ranks& ranks, std::vector<Index> starts, Csr arcs) {
  GraphShard shard;
  shard.starts = std::move(starts);
  // A rank without rows has no values to show.
  if (any(ranks, arcs.has_values())) {
    add_rows<WeightedArc>(ranks, std::move(arcs), shard);
  } else {
    add_rows<Arc>(ranks, std::move(arcs), shard);
  }
  const bool ones = std::all_of(shard.weights.begin(), shard.weights.end(),
                                [](double weight) { return weight == 1; });
  if (!any(ranks, !ones)) shard.weights = {};
  const Index first = shard.starts[ranks.rank()];
  shard.edges = total(ranks, count_edges(shard, first));
  return shard;
}

}  // namespace srgw::detail
