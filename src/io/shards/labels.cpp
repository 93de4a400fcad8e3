// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>
#include <tuple>
#include <unordered_map>

#include "base/message.hpp"
#include "io/formats/npy.hpp"
#include "io/label_text.hpp"
#include "io/shards/shard.hpp"
#include "io/shared_output.hpp"
#include "ranks/parcel.hpp"
#include "srgw/io.hpp"

namespace srgw {

namespace {

using namespace detail;  // NOLINT(google-build-using-namespace): all of it is about files
using io::LabelShare;

/// The lines that begin in this rank's share of the bytes.
LinesOfFile own_lines(const Input& input, char separator, Ranks& ranks) {
  const std::string_view text = as_text(input);
  const std::string_view share = share_of_lines(text, ranks);
  const auto lines = std::count(share.begin(), share.end(), '\n');
  const bool has_data = LineReader(input.name, share).next_content("#%");
  return {.file = input.name,
          .text = share,
          .lines_before = before_mine(ranks, lines),
          .first = before_mine(ranks, has_data ? 1 : 0) == 0,
          .columns = label_columns(input.name, text, separator)};
}

void read_table(const Input& input, char separator, LabelShare& share, Ranks& ranks) {
  LabelTable table;
  const LinesOfFile lines = own_lines(input, separator, ranks);
  together(ranks, [&] {
    table = parse_label_table(lines, separator);
    forget_pages(input, lines.text);
    share.labels.names = NodeNames(std::move(table.names));
    if (share.labels.names.size() > 0 && !share.labels.names.are_numbers()) {
      fail_at({input.name},
              "some nodes are called no whole number, which {} ranks cannot read in parts; write "
              "the labels in node order as .npy",
              ranks.count());
    }
  });
  std::tie(share.labels.labels, share.labels.classes) = number_classes(table.labels, &ranks);
  share.lines = std::move(table.lines);
}

/// A part of an array that lies in the file.
io::Array part_of(const io::Array& array, Index begin, Index end) {
  return std::visit(
      [&]<class T>(const SharedArray<T>& values) {
        const auto owner = std::make_shared<SharedArray<T>>(values);
        const auto part = values.view().subspan(begin, end - begin);
        return io::Array{{end - begin}, SharedArray<T>(part, owner)};
      },
      array.values);
}

void read_array(const Input& input, LabelShare& share, Ranks& ranks) {
  const io::Array array = first_column(parse_npy(input), input.name);
  const Index begin = array.shape[0] / ranks.count() * ranks.rank();
  const Index end =
      ranks.rank() + 1 == ranks.count() ? array.shape[0] : begin + array.shape[0] / ranks.count();
  together(ranks,
           [&] { share.labels.labels = to_integers(part_of(array, begin, end), input.name); });
  share.labels.names = NodeNames::numbered(end - begin, begin);
}

/// A label on its way to the rank that keeps it.
struct Told {
  std::int64_t node = 0, label = 0;
  std::uint64_t line = 0;
};
struct Answer {
  std::int64_t label = 0, found = 0;
};

std::size_t keeper_of(std::int64_t node, Ranks& ranks) {
  const std::uint64_t mixed = static_cast<std::uint64_t>(node) * 0x9E3779B97F4A7C15U;
  return static_cast<std::size_t>((mixed >> 32) % static_cast<std::uint64_t>(ranks.count()));
}

/// The labels that this rank keeps, by node.
std::unordered_map<std::int64_t, Told> keep_labels(const LabelShare& share, Ranks& ranks) {
  std::vector<Bytes> parcels(ranks.count());
  for (Index i = 0; i < share.labels.names.size(); ++i) {
    const std::size_t at = i;
    const std::int64_t node = share.labels.names.number(i);
    put(parcels[keeper_of(node, ranks)],
        Told{node, share.labels.labels[at], share.lines.empty() ? 0 : share.lines[at]});
  }
  std::unordered_map<std::int64_t, Told> kept;
  std::optional<Told> second;  // of a node that has two, the first in the file
  for (const Told& told : join_items<Told>(ranks.exchange(parcels))) {
    if (!kept.emplace(told.node, told).second && (!second || told.line < second->line)) {
      second = told;
    }
  }
  constexpr auto none = std::numeric_limits<std::int64_t>::max();
  std::int64_t line = second ? static_cast<std::int64_t>(second->line) : none;
  ranks.least(std::span(&line, 1));
  together(ranks, [&] {
    if (!second || static_cast<std::int64_t>(second->line) != line) return;
    fail_label_twice({share.file, second->line}, std::to_string(second->node),
                     kept.at(second->node).line);
  });
  return kept;
}

}  // namespace

namespace io {

LabelShare read_label_share(const std::filesystem::path& path, Ranks& ranks) {
  LabelShare share{.file = path.string(), .labels = {}, .lines = {}};
  const std::string extension = extension_of(path);
  if (path == "-" || path.string().ends_with(".gz") || extension == ".json") {
    fail_at({path.string()},
            "labels that {} ranks cannot read in parts, expected an unpacked .tsv, .csv or .npy",
            ranks.count());
  }
  const Input input = open_input(path);
  return name_file_in_errors(input.name, [&] {
    if (extension == ".npy") {
      read_array(input, share, ranks);
    } else if (extension == ".tsv" || extension == ".txt" || extension.empty()) {
      read_table(input, '\t', share, ranks);
    } else if (extension == ".csv") {
      read_table(input, ',', share, ranks);
    } else {
      fail_at({input.name}, "the ending {} is unknown, expected .tsv .txt .csv .npy or .json",
              quote(extension));
    }
    if (total(ranks, std::ssize(share.labels.labels)) == 0) {
      fail_at({input.name}, "no labels, expected one for each node");
    }
    return share;
  });
}

NodeLabels join(const LabelShare& share, const GraphShard& shard, Ranks& ranks) {
  const bool by_name = any(ranks, !share.lines.empty());
  const auto count = total(ranks, std::ssize(share.labels.labels));
  if (!by_name && count != shard.nodes()) {
    fail_argument("{}: {} labels without names, expected one for each of {} nodes", share.file,
                  count, shard.nodes());
  }
  if (by_name && any(ranks, !shard.names.are_numbers())) {
    fail_argument(
        "{}: labels by name of nodes with names that are no whole numbers, expected "
        "labels in node order (.npy) where there are {} ranks",
        share.file, ranks.count());
  }
  const auto kept = keep_labels(share, ranks);
  std::vector<Bytes> questions(ranks.count()), answers(questions.size());
  const Index first = shard.starts[ranks.rank()];
  const auto called = [&](Index i) { return by_name ? shard.names.number(i) : first + i; };
  for (Index i = 0; i < shard.rows(); ++i) put(questions[keeper_of(called(i), ranks)], called(i));
  const auto asked = ranks.exchange(questions);
  for (std::size_t r = 0; r < asked.size(); ++r) {
    for (const auto node : items_of<std::int64_t>(asked[r])) {
      const auto found = kept.find(node);
      put(answers[r], found == kept.end() ? Answer{} : Answer{found->second.label, 1});
    }
  }
  std::vector<std::vector<Answer>> told;
  for (const Bytes& parcel : ranks.exchange(answers)) told.push_back(items_of<Answer>(parcel));

  NodeLabels result{.names = shard.names, .labels = {}, .classes = share.labels.classes};
  std::vector<std::size_t> next(told.size(), 0);
  name_file_in_errors(share.file, [&] {
    together(ranks, [&] {
      for (Index i = 0; i < shard.rows(); ++i) {
        const std::size_t keeper = keeper_of(called(i), ranks);
        const Answer& answer = told[keeper][next[keeper]++];
        if (answer.found == 0) {
          fail_argument("node {} has no label, expected one for each node", shard.names[i]);
        }
        result.labels.push_back(answer.label);
      }
    });
  });
  return result;
}

void write_labels(const NodeLabels& own, const std::filesystem::path& path, Ranks& ranks) {
  check(own);
  const LabelText text(path, path == "-" ? "<stdout>" : path.string());
  const Index count = total(ranks, own.names.size());
  const std::size_t before = before_mine(ranks, own.names.size());
  const auto sink = open_sink(path, &ranks);
  if (ranks.first()) sink->write(text.head(count));
  together(ranks, [&] { sink->write(text.rows(own, 0, own.names.size(), before == 0)); });
  if (ranks.rank() + 1 == ranks.count()) sink->write(text.tail(count));
  sink->finish();
}

}  // namespace io

}  // namespace srgw
