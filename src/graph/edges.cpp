// SPDX-License-Identifier: MIT
#include "graph/edges.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <optional>

#include "base/buffer.hpp"
#include "base/message.hpp"
#include "base/parallel.hpp"
#include "base/stop.hpp"
#include "graph/csr_build.hpp"

// How rows are made. Each thread walks over all edges and serves the rows of its own range: reading
// is cheap and in order, and nobody shares a counter, so that rows are filled in the order of the
// file on any number of threads. An undirected edge is first kept in the row of its smaller end
// only. Sorted rows of smaller ends, read from the first to the last, then yield the other half
// sorted: a full row is that half followed by the row itself.

namespace srgw::detail {

namespace {

/// A few milliseconds.
constexpr std::size_t steps_between_polls = std::size_t{1} << 18;

struct Range {
  NodeId begin = 0, end = 0;
  [[nodiscard]] bool has(NodeId row) const { return begin <= row && row < end; }
};

/// Cuts the rows into one range for each thread with about the same number of `rows_of_edges`.
std::vector<Range> balanced_ranges(Index nodes, std::vector<NodeId> sample, int threads) {
  std::sort(sample.begin(), sample.end());
  std::vector<Range> ranges;
  NodeId begin = 0;
  for (int t = 1; t < threads && !sample.empty(); ++t) {
    const NodeId end =
        sample[sample.size() * static_cast<std::size_t>(t) / static_cast<std::size_t>(threads)];
    if (end > begin) ranges.push_back({begin, end});
    begin = std::max(begin, end);
  }
  ranges.push_back({begin, static_cast<NodeId>(nodes)});
  return ranges;
}

/// The rows while they are made: row i is [offsets[i], offsets[i] + lengths[i]).
struct Rows {
  std::vector<std::uint64_t> offsets;  // nodes + 1
  std::vector<std::uint64_t> lengths;
  Buffer<NodeId> columns;
  Buffer<double> values;        // empty: ones
  Buffer<std::uint8_t> turned;  // whether the edge was given from its larger end
};

class RowMaker {
 public:
  RowMaker(EdgeList edges, Duplicates duplicates, int threads,
           const std::function<void(const DuplicateEdge&)>& refuse, NodeId first_row = 0)
      : edges_(std::move(edges)),
        nodes_(edges_.nodes),
        first_row_(first_row),
        duplicates_(duplicates),
        refuse_(refuse),
        weighted_(edges_.weighted) {
    std::size_t count = 0;
    for (const EdgeChunk& chunk : edges_.chunks) {
      count += chunk.ends.size();
      weighted_ = weighted_ || !chunk.weights.empty();
    }
    constexpr std::size_t few_edges = 1U << 15;
    threads_ = count < few_edges ? 1 : threads;
    // Repeated edges become weights when they are to be summed, and else say nothing new.
    if (duplicates == Duplicates::sum) weighted_ = true;
    if (!weighted_) duplicates_ = Duplicates::first;
  }

  Graph make() && {
    scatter();
    sort_rows();
    edges_.chunks = {};
    compact();
    if (!edges_.directed) mirror();
    return finish();
  }

  Csr make_rows() && {
    scatter();
    sort_rows();
    edges_.chunks = {};
    compact();
    return take_rows(weighted_);
  }

 private:
  /// Calls `visit(row, column, turned, weight)` for the edges of a range, in the order of the file.
  template <class Visit>
  void for_each_in(Range range, Visit visit) const {
    for (const EdgeChunk& chunk : edges_.chunks) {
      const bool ones = chunk.weights.empty();
      for (std::size_t i = 0; i < chunk.ends.size(); ++i) {
        if (i % steps_between_polls == 0) throw_if_stopped();
        auto [row, column] = chunk.ends[i];
        const bool turned = !edges_.directed && row > column;
        if (turned) std::swap(row, column);
        row -= first_row_;
        if (range.has(row)) visit(row, column, turned, ones ? 1.0 : chunk.weights[i]);
      }
    }
  }

  std::vector<Range> edge_ranges() const {
    constexpr std::size_t wanted = 4096;
    std::vector<NodeId> sample;
    std::size_t count = 0;
    for (const EdgeChunk& chunk : edges_.chunks) count += chunk.ends.size();
    const std::size_t stride = std::max<std::size_t>(1, count / wanted);
    for (const EdgeChunk& chunk : edges_.chunks) {
      for (std::size_t i = 0; i < chunk.ends.size(); i += stride) {
        const auto [a, b] = chunk.ends[i];
        sample.push_back((edges_.directed ? a : std::min(a, b)) - first_row_);
      }
    }
    return balanced_ranges(edges_.nodes, std::move(sample), threads_);
  }

  void for_each_range(const std::vector<Range>& ranges,
                      const std::function<void(Range)>& work) const {
    parallel_for(std::ssize(ranges), threads_, [&](Index item, int) { work(ranges[item]); });
  }

  void scatter() {
    const auto ranges = edge_ranges();
    rows_.offsets.assign(nodes_ + 1, 0);
    for_each_range(ranges, [&](Range range) {
      for_each_in(range,
                  [&](NodeId row, NodeId, bool, double) { ++rows_.offsets[row + std::size_t{1}]; });
    });
    std::partial_sum(rows_.offsets.begin(), rows_.offsets.end(), rows_.offsets.begin());
    const std::size_t count = rows_.offsets.back();
    rows_.columns = Buffer<NodeId>(count);
    if (weighted_) rows_.values = Buffer<double>(count);
    if (weighted_ && !edges_.directed) rows_.turned = Buffer<std::uint8_t>(count);
    std::vector<std::uint64_t>& next = rows_.lengths;
    next.assign(rows_.offsets.begin(), rows_.offsets.end() - 1);
    for_each_range(ranges, [&](Range range) {
      for_each_in(range, [&](NodeId row, NodeId column, bool turned, double weight) {
        const std::uint64_t place = next[row]++;
        rows_.columns[place] = column;
        if (!rows_.values.empty()) rows_.values[place] = weight;
        if (!rows_.turned.empty()) rows_.turned[place] = turned ? 1 : 0;
      });
    });
  }

  void sort_rows() {
    std::atomic<bool> contradiction = false, overflow = false;
    parallel_for(block_count(edges_.nodes), threads_, [&](Index block, int) {
      const std::size_t begin = block * block_rows;
      const std::size_t end = std::min(nodes_, begin + block_rows);
      std::vector<Item> items;
      for (std::size_t row = begin; row < end; ++row) {
        if (weighted_) {
          if (!sort_weighted(row, items)) contradiction = true;
          if (duplicates_ == Duplicates::sum && !is_finite(row)) overflow = true;
        } else {
          sort_plain(row);
        }
      }
    });
    if (contradiction) refuse_(first_contradiction(edges_));
    if (overflow) fail_overflow();
  }

  [[nodiscard]] bool is_finite(std::size_t row) {
    const double* begin = rows_.values.data() + rows_.offsets[row];
    return std::all_of(begin, begin + rows_.lengths[row],
                       [](double w) { return std::isfinite(w); });
  }

  /// Sums of finite numbers may be infinite.
  [[noreturn]] void fail_overflow() {
    std::size_t row = 0;
    while (is_finite(row)) ++row;
    std::uint64_t entry = rows_.offsets[row];
    while (std::isfinite(rows_.values[entry])) ++entry;
    fail_argument("the weights of ({}, {}) sum to {}, expected a finite number", row + first_row_,
                  rows_.columns[entry], rows_.values[entry]);
  }

  void sort_plain(std::size_t row) {
    NodeId* begin = rows_.columns.data() + rows_.offsets[row];
    NodeId* end = rows_.columns.data() + rows_.offsets[row + 1];
    if (!std::is_sorted(begin, end)) std::sort(begin, end);
    rows_.lengths[row] = static_cast<std::uint64_t>(std::unique(begin, end) - begin);
  }

  struct Item {
    NodeId column = 0;
    bool turned = false;
    double value = 1;
  };

  /// False when the row has duplicates that are refused.
  bool sort_weighted(std::size_t row, std::vector<Item>& items) {
    const std::uint64_t begin = rows_.offsets[row], end = rows_.offsets[row + 1];
    items.clear();
    for (std::uint64_t i = begin; i < end; ++i) {
      items.push_back(
          {rows_.columns[i], !rows_.turned.empty() && rows_.turned[i] != 0, rows_.values[i]});
    }
    // Stable, so that items of one column keep the order of the file.
    std::stable_sort(items.begin(), items.end(),
                     [](const Item& a, const Item& b) { return a.column < b.column; });
    std::uint64_t place = begin;
    for (std::size_t i = 0; i < items.size(); ++place) {
      std::size_t stop = i + 1;
      while (stop < items.size() && items[stop].column == items[i].column) ++stop;
      const auto value = merge(std::span(items).subspan(i, stop - i));
      if (!value) return false;
      rows_.columns[place] = items[i].column;
      rows_.values[place] = *value;
      i = stop;
    }
    rows_.lengths[row] = place - begin;
    return true;
  }

  std::optional<double> merge(double first, double second) const {
    switch (duplicates_) {
      case Duplicates::sum: return first + second;
      case Duplicates::maximum: return std::max(first, second);
      case Duplicates::first: return first;
      case Duplicates::refuse: break;
    }
    return std::nullopt;
  }

  /// The weight of an edge from all lines that give it, or nothing when they contradict.
  std::optional<double> merge(std::span<const Item> items) const {
    if (items.size() == 1 || duplicates_ == Duplicates::first) return items.front().value;
    std::array<std::optional<double>, 2> sides;
    for (const Item& item : items) {
      auto& side = sides[item.turned ? 1 : 0];
      if (!side) {
        side = item.value;
      } else if (side = merge(*side, item.value); !side) {
        return std::nullopt;
      }
    }
    if (!sides[0] || !sides[1]) return sides[sides[0] ? 0 : 1];
    // Both directions with one weight are one edge.
    return *sides[0] == *sides[1] ? sides[0] : merge(*sides[0], *sides[1]);
  }

  /// Closes the gaps that merged duplicates left.
  void compact() {
    std::uint64_t place = 0;
    for (std::size_t row = 0; row < nodes_; ++row) {
      if (row % steps_between_polls == 0) throw_if_stopped();
      const std::uint64_t begin = rows_.offsets[row], length = rows_.lengths[row];
      if (place != begin && length != 0) {
        std::memmove(&rows_.columns[place], &rows_.columns[begin], length * sizeof(NodeId));
        if (weighted_) {
          std::memmove(&rows_.values[place], &rows_.values[begin], length * sizeof(double));
        }
      }
      rows_.offsets[row] = place;
      place += length;
    }
    rows_.offsets[nodes_] = place;
    rows_.turned = {};
    rows_.lengths = {};
  }

  /// Ranges of columns with about the same number of entries.
  std::vector<Range> column_ranges() const {
    const std::size_t count = rows_.offsets.back();
    constexpr std::size_t wanted = 4096;
    std::vector<NodeId> sample;
    for (std::size_t i = 0; i < count; i += std::max<std::size_t>(1, count / wanted)) {
      sample.push_back(rows_.columns[i]);
    }
    return balanced_ranges(edges_.nodes, std::move(sample), threads_);
  }

  /// Gives each edge its second row.
  void mirror() {
    const auto ranges = column_ranges();
    std::vector<std::uint64_t> lower(nodes_, 0);  // entries of a row left of the diagonal
    for_each_range(ranges, [&](Range range) {
      for_each_above_diagonal(range,
                              [&](std::size_t, NodeId column, std::uint64_t) { ++lower[column]; });
    });
    std::vector<std::uint64_t> offsets(nodes_ + 1, 0);
    for (std::size_t row = 0; row < nodes_; ++row) {
      offsets[row + 1] = offsets[row] + lower[row] + (rows_.offsets[row + 1] - rows_.offsets[row]);
    }
    Buffer<NodeId> columns(offsets.back());
    Buffer<double> values(weighted_ ? offsets.back() : 0);
    std::vector<Index> self_loops(block_count(edges_.nodes), 0);
    parallel_for(std::ssize(self_loops), threads_, [&](Index block, int) {
      const std::size_t begin = block * block_rows;
      for (std::size_t row = begin; row < std::min(nodes_, begin + block_rows); ++row) {
        const std::uint64_t from = rows_.offsets[row], to = offsets[row] + lower[row];
        const std::uint64_t length = rows_.offsets[row + 1] - from;
        if (length == 0) continue;
        if (rows_.columns[from] == row) ++self_loops[block];
        std::copy_n(&rows_.columns[from], length, &columns[to]);
        if (weighted_) std::copy_n(&rows_.values[from], length, &values[to]);
      }
    });
    self_loops_ = std::accumulate(self_loops.begin(), self_loops.end(), Index{0});
    std::copy_n(offsets.begin(), nodes_, lower.begin());  // from here on the next free place
    for_each_range(ranges, [&](Range range) {
      for_each_above_diagonal(range, [&](std::size_t row, NodeId column, std::uint64_t entry) {
        const std::uint64_t place = lower[column]++;
        columns[place] = static_cast<NodeId>(row);
        if (weighted_) values[place] = rows_.values[entry];
      });
    });
    rows_.offsets = std::move(offsets);
    rows_.columns = std::move(columns);
    rows_.values = std::move(values);
  }

  template <class Visit>
  void for_each_above_diagonal(Range range, Visit visit) const {
    for (std::size_t row = 0; row < nodes_; ++row) {
      if (row % block_rows == 0) throw_if_stopped();
      for (std::uint64_t entry = rows_.offsets[row]; entry < rows_.offsets[row + 1]; ++entry) {
        const NodeId column = rows_.columns[entry];
        if (range.has(column) && column != row) visit(row, column, entry);
      }
    }
  }

  Graph finish() {
    const std::size_t count = rows_.offsets.back();
    const bool ones =
        std::all_of(rows_.values.data(), rows_.values.data() + (weighted_ ? count : 0),
                    [](double value) { return value == 1; });
    return Graph(Graph::Trusted{take_rows(!ones), edges_.directed, self_loops_});
  }

  Csr take_rows(bool with_values) {
    const std::size_t count = rows_.offsets.back();
    Csr csr;
    if (count <= std::numeric_limits<std::uint32_t>::max()) {
      csr.offsets = std::vector<std::uint32_t>(rows_.offsets.begin(), rows_.offsets.end());
    } else {
      csr.offsets = std::move(rows_.offsets);
    }
    if (with_values) csr.values = std::move(rows_.values).share(count);
    csr.columns = std::move(rows_.columns).share(count);
    return csr;
  }

  EdgeList edges_;
  std::size_t nodes_;
  NodeId first_row_;
  Duplicates duplicates_;
  const std::function<void(const DuplicateEdge&)>& refuse_;
  bool weighted_;
  int threads_ = 1;
  Rows rows_;
  Index self_loops_ = 0;
};

}  // namespace

Graph make_graph(EdgeList edges, Duplicates duplicates, int threads,
                 const std::function<void(const DuplicateEdge&)>& refuse) {
  check_row_count(edges.nodes);
  return RowMaker(std::move(edges), duplicates, resolve_threads(threads), refuse).make();
}

Csr make_rows(EdgeList edges, NodeId first_row, Duplicates duplicates, int threads,
              const std::function<void(const DuplicateEdge&)>& refuse) {
  return RowMaker(std::move(edges), duplicates, resolve_threads(threads), refuse, first_row)
      .make_rows();
}

}  // namespace srgw::detail
