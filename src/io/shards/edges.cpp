// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <numeric>

#include "base/parallel.hpp"
#include "graph/csr_build.hpp"
#include "io/formats/dialect.hpp"
#include "io/formats/edge_lines.hpp"
#include "io/shards/ids.hpp"
#include "io/shards/rows.hpp"
#include "io/shards/shard.hpp"

// Each rank parses the lines that begin in its share of the bytes. The nodes are numbered, rows are
// dealt, each edge goes to the rank that has the row of its smaller end, which sorts and merges as
// one process does, and from there to the row of its other end.

namespace srgw::detail {

namespace {

using Ids = std::vector<std::int64_t>;

/// An edge on its way, as the file has it.
struct SentEdge {
  EdgeChunk::Ends ends;
  static SentEdge of(const EdgeChunk& chunk, std::size_t i) { return {chunk.ends[i]}; }
  void add_to(EdgeChunk& chunk) const { chunk.add(ends[0], ends[1]); }
};
struct SentWeightedEdge {
  EdgeChunk::Ends ends;
  double weight;
  static SentWeightedEdge of(const EdgeChunk& chunk, std::size_t i) {
    return {chunk.ends[i], chunk.weights.empty() ? 1 : chunk.weights[i]};
  }
  void add_to(EdgeChunk& chunk) const { chunk.add(ends[0], ends[1], weight); }
};

class EdgeShardReader {
 public:
  EdgeShardReader(const Input& input, const ReadOptions& options, Ranks& ranks)
      : input_(input),
        options_(options),
        ranks_(ranks),
        dialect_(sniff_dialect(input, options)),
        share_(dialect_),
        edges_(options) {
    share_.body = share_of_lines(dialect_.body, ranks);
  }

  GraphShard read() {
    constexpr std::size_t chunk_bytes = std::size_t{1} << 20;
    if (any(ranks_, !edges_.parse_plain(share_, chunk_bytes, &input_))) parse_carefully();
    number_nodes();
    if (nodes_ == 0) {
      fail_at({input_.name}, "no edges, expected at least one, or the number of nodes");
    }
    check_row_count(nodes_);
    directed_ = any(ranks_, options_.directed || dialect_.directed || edges_.marks().directed);
    if (directed_ && !options_.symmetrize) fail_directed(input_.name);
    const std::vector<Index> starts = cut();
    GraphShard shard = unite_rows(ranks_, starts, make_own_rows(starts));
    const std::size_t mine = ranks_.rank();
    const Index first = starts[mine], count = starts[mine + 1] - first;
    shard.names = ids_ ? ids_->names(ranks_, starts)
                       : NodeNames::numbered(count, first + options_.index_base);
    shard.directed = directed_;
    shard.symmetrized = directed_;
    return shard;
  }

 private:
  /// With any whole numbers; says what is wrong with the first bad line of the file.
  void parse_carefully() {
    count_lines_before();
    together(ranks_, [&] { edges_.parse_carefully(input_, share_); });
    together(ranks_, [&] {
      if (!edges_.first_text().empty()) fail_for_ranks(edges_.first_text(), input_.name, ranks_);
    });
    own_ids_ = edges_.ids();
    plain_ = false;
  }

  void number_nodes() {
    if (options_.nodes) {
      nodes_ = *options_.nodes;
      if (plain_) edges_.subtract_index_base();
      return;
    }
    if (plain_) {
      const auto top = static_cast<NodeId>(largest(ranks_, std::int64_t{edges_.largest()}));
      // A bit for each id must not be more than what a rank reads.
      const std::size_t share = input_.bytes.size() / static_cast<std::size_t>(ranks_.count());
      if (top / 4 <= share + 4096) {
        ids_ = SharedIds::dense(ranks_, edges_.occurring_ids(top, 1), top);
      } else {
        collect_own_ids();
      }
    }
    if (!ids_) ids_ = SharedIds::sparse(ranks_, own_ids_);
    nodes_ = ids_->total();
    edges_.renumber([&](NodeId id) { return ids_->place(id); });
  }

  /// For ids that are far apart: their numbers become places among those of this rank.
  void collect_own_ids() {
    std::vector<NodeId> ids;
    for (const EdgeChunk& chunk : edges_.chunks) {
      for (const EdgeChunk::Ends& ends : chunk.ends)
        ids.insert(ids.end(), ends.begin(), ends.end());
    }
    edges_.for_each_known_id([&](NodeId id) { ids.push_back(id); });
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    own_ids_.assign(ids.begin(), ids.end());
    edges_.renumber([&](NodeId id) {
      return static_cast<NodeId>(std::lower_bound(ids.begin(), ids.end(), id) - ids.begin());
    });
  }

  [[nodiscard]] std::vector<Index> cut() const {
    std::vector<std::int64_t> entries(block_count(nodes_) + 1, 0);  // those of the block before
    for (const EdgeChunk& chunk : edges_.chunks) {
      for (const auto& [source, target] : chunk.ends) {
        ++entries[source / block_rows + 1];
        ++entries[target / block_rows + 1];
      }
    }
    ranks_.sum(entries);
    std::partial_sum(entries.begin(), entries.end(), entries.begin());
    return cut_rows(nodes_, ranks_.count(), [&](Index block) { return entries[block]; });
  }

  Csr make_own_rows(const std::vector<Index>& starts) {
    const bool weighted = any(
        ranks_, std::ranges::any_of(edges_.chunks,
                                    [](const EdgeChunk& chunk) { return !chunk.weights.empty(); }));
    const std::size_t mine = ranks_.rank();
    EdgeList list{
        .nodes = starts[mine + 1] - starts[mine],
        .directed = directed_,
        .chunks = weighted ? send_edges<SentWeightedEdge>(starts) : send_edges<SentEdge>(starts),
        .weighted = weighted};
    Csr rows;
    std::optional<DuplicateEdge> refused;
    try {
      rows = make_rows(std::move(list), static_cast<NodeId>(starts[mine]), options_.duplicates,
                       options_.threads, [](const DuplicateEdge& edge) { throw edge; });
    } catch (const DuplicateEdge& edge) {
      refused = edge;
    }
    if (any(ranks_, refused.has_value())) refuse(refused);
    return rows;
  }

  /// The edges of this rank's rows, in the order of the file.
  template <class Item>
  std::vector<EdgeChunk> send_edges(const std::vector<Index>& starts) {
    const RowOwners owners(starts);
    std::size_t chunk = 0, edge = 0;
    const auto fill = [&](std::vector<Bytes>& parcels) {
      for (std::size_t count = 0; chunk < edges_.chunks.size() && count < round_items; ++count) {
        if (edge == edges_.chunks[chunk].ends.size()) {
          edges_.chunks[chunk++] = {};
          edge = 0;
          continue;
        }
        const auto [source, target] = edges_.chunks[chunk].ends[edge];
        put(parcels[owners.of(directed_ ? source : std::min(source, target))],
            Item::of(edges_.chunks[chunk], edge++));
      }
      return chunk < edges_.chunks.size();
    };
    // Ranks have the lines in their order, and send them in theirs.
    std::vector<std::vector<EdgeChunk>> arrived(ranks_.count());
    send_in_rounds(ranks_, fill, [&](std::size_t from, std::span<const std::byte> parcel) {
      EdgeChunk edges;
      edges.reserve(parcel.size() / sizeof(Item));
      for (const Item& item : items_of<Item>(parcel)) item.add_to(edges);
      if (!edges.ends.empty()) arrived[from].push_back(std::move(edges));
    });
    std::vector<EdgeChunk> all;
    for (auto& parcels : arrived) {
      for (EdgeChunk& edges : parcels) all.push_back(std::move(edges));
    }
    return all;
  }

  /// Finds the lines of the first edge of the file that contradicts a former one; each rank knows
  /// the first among its rows.
  [[noreturn]] void refuse(const std::optional<DuplicateEdge>& own) {
    EdgeChunk::Ends pair{0, 0};
    if (own) pair = {std::min(own->source, own->target), std::max(own->source, own->target)};
    const auto pairs = gather_items(ranks_, std::vector<EdgeChunk::Ends>(own ? 1 : 0, pair));
    struct Line {
      EdgeChunk::Ends ends;
      double weight;
      std::size_t number;
    };
    std::vector<Line> lines;
    std::vector<std::array<std::string, 2>> texts;
    count_lines_before();
    for (DataLines data(input_, share_); data.next();) {
      const EdgeChunk::Ends ends{node_of(data.source()), node_of(data.target())};
      const EdgeChunk::Ends sorted{std::min(ends[0], ends[1]), std::max(ends[0], ends[1])};
      if (std::find(pairs.begin(), pairs.end(), sorted) == pairs.end()) continue;
      lines.push_back({ends, data.weight(), data.where().line});
      texts.push_back({data.source(), data.target()});
    }
    const std::size_t before = before_mine(ranks_, std::ssize(lines));
    const std::vector<Line> all = gather_items(ranks_, lines);
    EdgeList list{.directed = directed_, .chunks = std::vector<EdgeChunk>(1)};
    for (const Line& line : all) list.chunks[0].add(line.ends[0], line.ends[1], line.weight);
    const DuplicateEdge found = first_contradiction(list);
    together(ranks_, [&] {
      if (found.second_edge < before || found.second_edge - before >= texts.size()) return;
      const auto& text = texts[found.second_edge - before];
      fail_duplicate({input_.name, all[found.second_edge].number}, all[found.first_edge].number,
                     found, text[0], text[1],
                     !directed_ && all[found.first_edge].ends != all[found.second_edge].ends);
    });
    fail_at({input_.name}, "an edge is given twice with different weights");
  }

  /// For messages, which name lines of the file.
  void count_lines_before() {
    const auto lines = std::count(share_.body.begin(), share_.body.end(), '\n');
    share_.lines_before = dialect_.lines_before + before_mine(ranks_, lines);
  }

  /// The node of a name that was read without an error before.
  [[nodiscard]] NodeId node_of(const std::string& text) const {
    const auto id = to_integer(text).value();
    if (options_.nodes) return static_cast<NodeId>(id - options_.index_base);
    if (own_ids_.empty()) return ids_->place(static_cast<NodeId>(id));
    const auto found = std::lower_bound(own_ids_.begin(), own_ids_.end(), id);
    return ids_->place(static_cast<NodeId>(found - own_ids_.begin()));
  }

  const Input& input_;
  const ReadOptions& options_;
  Ranks& ranks_;
  Dialect dialect_, share_;  // of the file; of the lines of this rank
  EdgeLines edges_;
  bool plain_ = true, directed_ = false;
  Ids own_ids_;  // where ids are far apart: those of this rank
  std::optional<SharedIds> ids_;
  Index nodes_ = 0;
};

}  // namespace

GraphShard read_edge_shard(const Input& input, const ReadOptions& options, Ranks& ranks) {
  return EdgeShardReader(input, options, ranks).read();
}

}  // namespace srgw::detail
