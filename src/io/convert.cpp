// SPDX-License-Identifier: MIT
// Edge lists that are converted in parts. The file is parsed twice: for the ids that occur and the
// number of edges in each range of them, then to store each edge with the range of its row. Ranges
// are sorted one after the other, an undirected edge in the row of its smaller end; the entry of
// its other end goes to a later range, or to the same.
#include "srgw/io.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/id_set.hpp"
#include "base/message.hpp"
#include "base/stop.hpp"
#include "graph/csr_rows.hpp"
#include "graph/edges.hpp"
#include "io/archive.hpp"
#include "io/formats.hpp"
#include "io/formats/dialect.hpp"
#include "io/formats/edge_lines.hpp"
#include "io/formats/npy.hpp"
#include "io/formats/packed.hpp"
#include "io/spool.hpp"
#include "io/zip.hpp"

namespace srgw::detail {

namespace {

using io::Array;
using nlohmann::json;

constexpr NodeId id_block = 1024;

/// A spool with a buffer, so that single items can be written.
class ItemSpool {
 public:
  explicit ItemSpool(const std::filesystem::path& beside) : spool_(beside) {}
  template <class Item>
  void put(const Item& item) {
    buffer_.append(reinterpret_cast<const char*>(&item), sizeof item);
    if (buffer_.size() >= buffer_bytes) flush();
  }
  [[nodiscard]] const Spool& finish() {
    flush();
    return spool_;
  }
  [[nodiscard]] std::uint64_t bytes() const { return spool_.size() + buffer_.size(); }

 private:
  static constexpr std::size_t buffer_bytes = std::size_t{1} << 14;
  void flush() {
    if (!buffer_.empty()) spool_.write(buffer_);
    buffer_.clear();
  }
  Spool spool_;
  std::string buffer_;
};

/// Calls `visit(item)` for the items of a spool; pieces need not end where items do.
template <class Item, class Visit>
void for_each_item(const Spool& spool, const Visit& visit) {
  std::string rest;
  spool.for_each_piece([&](std::string_view piece) {
    throw_if_stopped();
    if (!rest.empty()) {
      const std::size_t missing = std::min(sizeof(Item) - rest.size(), piece.size());
      rest.append(piece.substr(0, missing));
      piece.remove_prefix(missing);
      if (rest.size() < sizeof(Item)) return;
      Item item;
      std::memcpy(static_cast<void*>(&item), rest.data(), sizeof item);
      visit(item);
      rest.clear();
    }
    for (; piece.size() >= sizeof(Item); piece.remove_prefix(sizeof(Item))) {
      Item item;
      std::memcpy(static_cast<void*>(&item), piece.data(), sizeof item);
      visit(item);
    }
    rest = piece;
  });
}

/// An edge, or an entry of a row, that waits.
struct Waiting {
  NodeId row, column;
  [[nodiscard]] static double weight() { return 1; }
};
struct WaitingWeighted {
  NodeId row, column;
  double value;
  [[nodiscard]] double weight() const { return value; }
};

/// Takes the rows of the graph in order, entries below the diagonal first.
class RowSink {
 public:
  RowSink() = default;
  RowSink(const RowSink&) = delete;
  RowSink& operator=(const RowSink&) = delete;
  virtual ~RowSink() = default;
  virtual void entry(NodeId row, NodeId column, double weight) = 0;
  virtual void end_row() = 0;
};

class EdgeSink final : public RowSink {
 public:
  EdgeSink(Output& out, const NodeNames& names, char separator, bool header, bool directed,
           bool weighted)
      : out_(out), names_(names), separator_(separator), directed_(directed), weighted_(weighted) {
    if (!header) return;
    out.print("source{0}target", separator);
    if (weighted) out.print("{}weight", separator);
    out.write("\n");
  }
  void entry(NodeId row, NodeId column, double weight) override {
    if (!directed_ && column < row) return;
    if (weighted_) {
      out_.print("{}{}{}{}{}\n", names_.number(row), separator_, names_.number(column), separator_,
                 weight);
    } else {
      out_.print("{}{}{}\n", names_.number(row), separator_, names_.number(column));
    }
  }
  void end_row() override {}
  void finish() {
    if (directed_) out_.print("{}directed\n", mark_start);
  }

 private:
  Output& out_;
  const NodeNames& names_;
  char separator_;
  bool directed_, weighted_;
};

/// Columns (in the type that the format has) and values wait, as their number comes first.
template <class Column>
class MatrixSink final : public RowSink {
 public:
  MatrixSink(const std::filesystem::path& beside, bool weighted, bool ones)
      : columns(beside), values(beside), weighted_(weighted), ones_(ones) {}
  void entry(NodeId /*row*/, NodeId column, double weight) override {
    columns.put(static_cast<Column>(column));
    if (weighted_ || ones_) values.put(weight);
    ++entries_;
  }
  void end_row() override { offsets.push_back(entries_); }

  ItemSpool columns, values;
  std::vector<std::uint64_t> offsets{0};

 private:
  bool weighted_, ones_;
  std::uint64_t entries_ = 0;
};

template <class T>
std::string header_of_list(std::uint64_t size) {
  return npy_header({.shape = {static_cast<Index>(size)}, .values = SharedArray<T>()});
}

template <class T>
Array array_of(std::vector<T> values) {
  const auto size = std::ssize(values);
  return {.shape = {size}, .values = SharedArray<T>(std::move(values))};
}

class PartConverter {
 public:
  PartConverter(const Input& input, const std::filesystem::path& to, const ReadOptions& options,
                std::string_view format, std::uint64_t memory)
      : input_(input),
        to_(to),
        options_(options),
        format_(format),
        memory_(memory),
        dialect_(sniff_dialect(input, options)),
        directed_(options.directed || dialect_.directed) {}

  std::optional<io::ConvertedGraph> run() {
    if (!dialect_.plain() || !look()) return {};
    if (directed_ && options_.symmetrize) return {};
    number_nodes();
    if (format_ == "npz" && !names_->are_indices()) return {};  // which the writer refuses
    cut();
    return weighted_ ? write<WaitingWeighted>() : write<Waiting>();
  }

 private:
  /// Calls `take(lines)` for the lines of the file, some megabytes at a time; false if `take` is.
  template <class Take>
  bool for_each_slice(const Take& take) {
    constexpr std::size_t slice_bytes = std::size_t{1} << 23, chunk_bytes = std::size_t{1} << 20;
    const std::size_t size = std::clamp<std::size_t>(memory_ / 8, 4096, slice_bytes);
    for (std::string_view body = dialect_.body; !body.empty();) {
      throw_if_stopped();
      const std::size_t end = body.find('\n', std::min(size, body.size()) - 1);
      Dialect slice = dialect_;
      slice.body = body.substr(0, end == std::string_view::npos ? body.size() : end + 1);
      EdgeLines lines(options_);
      if (!lines.parse_plain(slice, chunk_bytes, &input_) || !take(lines)) return false;
      body.remove_prefix(slice.body.size());
    }
    return true;
  }

  /// The ids that occur, and how many edges each block of them has.
  bool look() {
    const bool fine = for_each_slice([&](const EdgeLines& lines) {
      if (lines.marks().nodes > 0 || !lines.marks().ids.empty()) return false;
      directed_ = directed_ || lines.marks().directed;
      // One huge id in a small file must not cost memory.
      if (lines.largest() / 4 > input_.bytes.size() + 4096) return false;
      largest_ = std::max(largest_, lines.largest());
      ids_.resize(std::max(ids_.size(), std::size_t{largest_} / 64 + 1), 0);
      for (auto* counts : {&by_source_, &by_smaller_, &by_larger_}) {
        counts->resize(std::size_t{largest_} / id_block + 1, 0);
      }
      for (const EdgeChunk& chunk : lines.chunks) {
        weighted_ = weighted_ || !chunk.weights.empty();
        edges_ += std::ssize(chunk.ends);
        for (const auto& [source, target] : chunk.ends) {
          for (const NodeId id : {source, target}) {
            ids_[id / 64] |= std::uint64_t{1} << (id % 64);
          }
          ++by_source_[source / id_block];
          ++by_smaller_[std::min(source, target) / id_block];
          ++by_larger_[std::max(source, target) / id_block];
        }
      }
      return true;
    });
    return fine && edges_ > 0;
  }

  void number_nodes() {
    places_.emplace(largest_);
    places_->add_words(0, ids_);
    places_->count();
    ids_ = {};
    const Index total = places_->total();
    names_ = total == Index{largest_} + 1 ? NodeNames::numbered(total) : NodeNames(places_->ids());
  }

  /// Ranges of ids whose edges fit into the memory; larger ones where there would be more files
  /// than may be open.
  void cut() {
    const std::size_t most = most_ranges();
    for (double memory = std::max(1.0, static_cast<double>(memory_));; memory *= 2) {
      cut(memory);
      if (starts_.size() <= most + 1) break;
    }
    by_source_ = by_smaller_ = by_larger_ = {};
  }

  /// Each range has two files, one for its edges and one for entries of other ends.
  static std::size_t most_ranges() {
    constexpr ::rlim_t others = 24, usual = 1024;
    ::rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 1;
    const ::rlim_t files = std::min(limit.rlim_cur, usual);
    return files < others + 2 ? 1 : static_cast<std::size_t>((files - others) / 2);
  }

  void cut(double memory) {
    starts_.clear();
    range_of_.clear();
    // Sorted and unsorted edges, and entries of the other ends.
    const double edge_bytes = weighted_ ? 56 : 28, other_bytes = weighted_ ? 28 : 12;
    double used = std::numeric_limits<double>::infinity();
    NodeId row = 0;
    for (std::size_t block = 0; block < by_source_.size(); ++block) {
      const double bytes = directed_ ? edge_bytes * static_cast<double>(by_source_[block])
                                     : edge_bytes * static_cast<double>(by_smaller_[block]) +
                                           other_bytes * static_cast<double>(by_larger_[block]);
      if (used + bytes > memory) {
        used = 0;
        starts_.push_back(row);
      }
      used += bytes;
      range_of_.push_back(static_cast<std::uint32_t>(starts_.size() - 1));
      const auto next = (block + 1) * std::uint64_t{id_block};
      row = next > largest_ ? static_cast<NodeId>(names_->size())
                            : places_->place(static_cast<NodeId>(next));
    }
    starts_.push_back(static_cast<NodeId>(names_->size()));
  }

  template <class Item>
  static Item item(NodeId row, NodeId column, double weight) {
    if constexpr (std::is_same_v<Item, WaitingWeighted>) {
      return {row, column, weight};
    } else {
      static_cast<void>(weight);
      return {row, column};
    }
  }

  /// The edges of each range, as the file has them.
  template <class Item>
  std::vector<std::unique_ptr<ItemSpool>> deal_edges() {
    std::vector<std::unique_ptr<ItemSpool>> edges;
    for (std::size_t range = 0; range + 1 < starts_.size(); ++range) {
      edges.push_back(std::make_unique<ItemSpool>(to_));
    }
    const bool fine = for_each_slice([&](const EdgeLines& lines) {
      for (const EdgeChunk& chunk : lines.chunks) {
        for (std::size_t e = 0; e < chunk.ends.size(); ++e) {
          const auto [source, target] = chunk.ends[e];
          const NodeId key = directed_ ? source : std::min(source, target);
          edges[range_of_[key / id_block]]->put(
              item<Item>(places_->place(source), places_->place(target),
                         chunk.weights.empty() ? 1.0 : chunk.weights[e]));
        }
      }
      return true;
    });
    if (!fine) fail_io("{}: the file changed while it was read", input_.name);
    return edges;
  }

  template <class Item>
  std::optional<io::ConvertedGraph> write() {
    const bool text = format_ == "edges" || format_ == "csv";
    if (text) {
      Output out(to_);
      const bool csv = format_ == "csv";
      EdgeSink sink(out, *names_, csv ? ',' : '\t', csv, directed_, weighted_);
      if (!sort<Item>(sink)) return {};
      sink.finish();
      out.finish();
    } else if (format_ == "packed") {
      MatrixSink<NodeId> sink(to_, weighted_, false);
      if (!sort<Item>(sink)) return {};
      write_packed(sink);
    } else {
      MatrixSink<std::int64_t> sink(to_, weighted_, true);
      if (!sort<Item>(sink)) return {};
      write_scipy(sink);
    }
    return io::ConvertedGraph{names_->size(), arcs_};
  }

  /// Sorts range after range into rows. False where edges contradict each other, or merged weights
  /// are all 1, so that the graph has none.
  template <class Item>
  bool sort(RowSink& sink) {
    auto edges = deal_edges<Item>();
    std::vector<std::unique_ptr<ItemSpool>> others(edges.size());
    bool ones = true;
    for (std::size_t range = 0; range < edges.size(); ++range) {
      const NodeId first = starts_[range], last = starts_[range + 1];
      Csr upper;
      try {
        upper = make_rows(take_edges<Item>(*edges[range], last - first), first, options_.duplicates,
                          options_.threads, [](const DuplicateEdge& edge) { throw edge; });
      } catch (const DuplicateEdge&) {
        return false;
      }
      edges[range].reset();
      // Entries below the diagonal: from former ranges, then from this one, both by their column.
      std::vector<Item> below;
      if (others[range]) {
        below.reserve(others[range]->bytes() / sizeof(Item));
        for_each_item<Item>(others[range]->finish(),
                            [&](const Item& one) { below.push_back(one); });
        others[range].reset();
      }
      for_each_entry(upper, [&](Index row, Index column, double weight) {
        ++arcs_;
        ones = ones && weight == 1;
        const auto node = static_cast<NodeId>(first + row);
        const auto other = static_cast<NodeId>(column);
        if (directed_ || other == node) return;
        if (other < last) {
          below.push_back(item<Item>(other, node, weight));
          return;
        }
        auto& later = others[range_of_row(other)];
        if (!later) later = std::make_unique<ItemSpool>(to_);
        later->put(item<Item>(other, node, weight));
      });
      write_rows(upper, std::move(below), first, last, sink);
    }
    return !weighted_ || !ones;
  }

  template <class Item>
  EdgeList take_edges(ItemSpool& spool, Index rows) const {
    EdgeList list{.nodes = rows,
                  .directed = directed_,
                  .chunks = std::vector<EdgeChunk>(1),
                  .weighted = weighted_};
    list.chunks[0].reserve(spool.bytes() / sizeof(Item));
    for_each_item<Item>(spool.finish(), [&](const Item& one) {
      list.chunks[0].add(one.row, one.column, one.weight());
    });
    return list;
  }

  [[nodiscard]] std::size_t range_of_row(NodeId row) const {
    return static_cast<std::size_t>(std::upper_bound(starts_.begin(), starts_.end(), row) -
                                    starts_.begin()) -
           1;
  }

  template <class Item>
  void write_rows(const Csr& upper, std::vector<Item> below, NodeId first, NodeId last,
                  RowSink& sink) {
    // Stable: each row keeps the order of its columns.
    std::ranges::stable_sort(below, {}, &Item::row);
    auto next = below.begin();
    with_rows(upper, [&](const auto& rows) {
      for (NodeId row = first; row < last; ++row) {
        for (; next != below.end() && next->row == row; ++next) {
          sink.entry(row, next->column, next->weight());
        }
        const Index own = row - first;
        for (std::size_t e = rows.begin(own); e < rows.end(own); ++e) {
          sink.entry(row, rows.columns[e], rows.value(e));
        }
        sink.end_row();
      }
    });
  }

  /// As write_packed_graph().
  void write_packed(MatrixSink<NodeId>& sink) {
    io::Archive archive("graph", newest_packed_version);
    archive.add("nodes", std::vector<std::int64_t>{names_->size()});
    archive.add("flags", std::vector<std::uint8_t>{
                             static_cast<std::uint8_t>((directed_ ? 1 : 0) | (weighted_ ? 2 : 0))});
    const std::uint64_t entries = sink.offsets.back();
    if (entries > std::numeric_limits<std::uint32_t>::max()) {
      archive.add("offsets", std::move(sink.offsets));
    } else {
      archive.add("offsets", std::vector<std::uint32_t>(sink.offsets.begin(), sink.offsets.end()));
    }
    if (!names_->are_indices()) archive.add("node_ids", places_->ids());
    archive.set_header(json{
        {"symmetrized", false},
        {"node_attributes", json::array()},
        {"edge_attributes",
         json::array()}}.dump());
    Output out(to_);
    write_archive(
        archive, out,
        {{"columns", {header_of_list<NodeId>(entries), &sink.columns.finish()}},
         {"values", {header_of_list<double>(weighted_ ? entries : 0), &sink.values.finish()}}});
    out.finish();
  }

  /// As write_scipy_npz().
  void write_scipy(MatrixSink<std::int64_t>& sink) {
    const std::uint64_t entries = sink.offsets.back();
    Output out(to_);
    ZipWriter zip(out);
    zip.add("indices.npy", header_of_list<std::int64_t>(entries), sink.columns.finish());
    const Array offsets = array_of<std::int64_t>({sink.offsets.begin(), sink.offsets.end()});
    zip.add("indptr.npy", npy_header(offsets), bytes_of(offsets));
    zip.add("format.npy", npy_text_header(3), "csr");
    const Array shape = array_of<std::int64_t>({names_->size(), names_->size()});
    zip.add("shape.npy", npy_header(shape), bytes_of(shape));
    zip.add("data.npy", header_of_list<double>(entries), sink.values.finish());
    zip.finish();
    out.finish();
  }

  const Input& input_;
  std::filesystem::path to_;
  const ReadOptions& options_;
  std::string_view format_;
  std::uint64_t memory_;
  Dialect dialect_;
  bool directed_, weighted_ = false;
  NodeId largest_ = 0;
  Index edges_ = 0, arcs_ = 0;
  std::vector<std::uint64_t> ids_, by_source_, by_smaller_, by_larger_;
  std::optional<IdSet> places_;
  std::optional<NodeNames> names_;
  std::vector<NodeId> starts_;           // of ranges: their first row, and the number of rows
  std::vector<std::uint32_t> range_of_;  // of each block of ids
};

}  // namespace

}  // namespace srgw::detail

namespace srgw::io {

std::optional<ConvertedGraph> convert_in_parts(const std::filesystem::path& from,
                                               const std::filesystem::path& to,
                                               const ReadOptions& reading,
                                               const WriteOptions& writing, std::uint64_t memory) {
  const std::string_view source = detail::format_of(from, reading.format);
  const std::string_view target = detail::format_of(to, writing.format);
  const bool reads = source == "edges" || source == "csv";
  const bool writes = target == "edges" || target == "csv" || target == "npz" || target == "packed";
  const bool piped = from == "-" || to == "-" || from.string().ends_with(".gz");
  if (!reads || !writes || piped || reading.nodes || reading.known_nodes) return {};
  detail::check(reading);
  const detail::Input input = detail::open_input(from, reading.max_unpacked_bytes);
  if (!input.mapped) return {};
  return detail::name_file_in_errors(
      input.name, [&] { return detail::PartConverter(input, to, reading, target, memory).run(); });
}

}  // namespace srgw::io
