// SPDX-License-Identifier: MIT
#include "cli/partition_ranks.hpp"

#include <algorithm>
#include <fstream>
#include <unordered_map>

#include "cli/agreement.hpp"
#include "cli/exit_code.hpp"
#include "cli/partition_options.hpp"
#include "cli/partition_result.hpp"
#include "cli/rank_model.hpp"
#include "cli/result.hpp"
#include "srgw/io.hpp"
#include "srgw/metrics.hpp"

namespace srgw::cli {

namespace {

using Json = nlohmann::ordered_json;

/// The part of the graph on this rank.
struct Share {
  GraphShard graph;
  Index nodes = 0;                       // of the whole graph
  Index columns = 0;                     // at most so many clusters
  bool free = false;                     // the number of clusters is
  std::optional<Assignment> truth = {};  // of its rows
  std::vector<bool> connected = {};  // where there is a truth: rows with an edge to another node
};

/// Any labels as numbers from 0, in order of appearance over all ranks.
Assignment compact(const std::vector<std::int64_t>& labels, Ranks& ranks) {
  std::vector<std::int64_t> own;
  std::unordered_map<std::int64_t, NodeId> numbers;
  for (const std::int64_t label : labels) {
    if (numbers.try_emplace(label, 0).second) own.push_back(label);
  }
  numbers.clear();
  for (const std::int64_t label : gather_items(ranks, own)) {
    numbers.try_emplace(label, static_cast<NodeId>(numbers.size()));
  }
  Assignment result;
  result.reserve(labels.size());
  for (const std::int64_t label : labels) result.push_back(numbers.at(label));
  return result;
}

std::int64_t least(std::int64_t own, Ranks& ranks) {
  ranks.least(std::span(&own, 1));
  return own;
}

/// As start_labels(), of all ranks.
Assignment start_labels(const std::string& file, const std::vector<std::int64_t>& labels,
                        Index columns, Ranks& ranks) {
  constexpr auto none = std::numeric_limits<std::int64_t>::max();
  std::int64_t low = none, high = -none;
  for (const std::int64_t label : labels) {
    low = std::min(low, label);
    high = std::max(high, label);
  }
  low = least(low, ranks);
  high = -least(-high, ranks);
  Assignment result(labels.begin(), labels.end());
  if (low < 0 || high >= columns) {
    result = compact(labels, ranks);
    NodeId most = 0;
    for (const NodeId label : result) most = std::max(most, label);
    high = -least(-std::int64_t{most}, ranks);
  }
  if (high >= columns) {
    fail_input("{}: {} different labels, expected at most {}: the target nodes", file, high + 1,
               columns);
  }
  return result;
}

/// A part of names that each rank has read in full.
NodeNames part_of(const NodeNames& names, const Ranks& ranks) {
  const Index begin = names.size() * ranks.rank() / ranks.count();
  const Index end = names.size() * (ranks.rank() + 1) / ranks.count();
  if (!names.are_numbers()) return names;
  std::vector<std::int64_t> ids;
  for (Index i = begin; i < end; ++i) ids.push_back(names.number(i));
  return NodeNames(std::move(ids));
}

/// Whether each row has an edge to another node.
std::vector<bool> are_connected(const GraphShard& graph, const Ranks& ranks) {
  const Index first = graph.starts[ranks.rank()];
  std::vector<bool> result;
  for (Index i = 0; i < graph.rows(); ++i) {
    const auto begin = graph.offsets[i];
    const auto end = graph.offsets[i + 1];
    const bool only_itself = end == begin + 1 && Index{graph.columns[begin]} == first + i;
    result.push_back(begin != end && !only_itself);
  }
  return result;
}

Share read(const PartitionJob& job, Ranks& ranks) {
  const PartitionInput& input = job.input;
  const Solving& solving = input.solving;
  io::ReadOptions options = read_options(solving.reading, solving.common.threads);
  if (options.known_nodes) options.known_nodes = part_of(*options.known_nodes, ranks);
  std::optional<io::LabelShare> truth;
  if (!input.truth.empty()) {
    truth = io::read_label_share(input.truth, ranks);
    // Labelled nodes exist, unless --nodes lists all nodes.
    if (names_nodes(input.truth) && !options.nodes && !options.known_nodes) {
      options.known_nodes = truth->labels.names;
    }
  }
  options.symmetrize = options.symmetrize || job.resolved.symmetrises;
  Share share;
  share.graph = io::read_shard(input.graph, options, ranks);
  if (share.graph.directed && !solving.reading.symmetrize) {
    note(solving.common, "{}: the graph is directed and was made undirected", input.graph);
  }
  share.nodes = share.graph.nodes();
  // For a free number, what labels of a byte can name.
  share.columns = std::min(job.request.clusters.value_or(256), share.nodes);
  share.free = !job.request.clusters;
  if (truth) {
    share.truth = compact(io::join(*truth, share.graph, ranks).labels, ranks);
    share.connected = are_connected(share.graph, ranks);
  }
  return share;
}

/// Agreement with the truth, if there is one.
Json agreement(const Share& share, const Assignment& labels, Ranks& ranks) {
  Json result = Json::object();
  if (!share.truth) return result;
  add_agreement(result, metrics::contingency(*share.truth, labels, ranks));
  Assignment truth, found;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (!share.connected[i]) continue;
    truth.push_back((*share.truth)[i]);
    found.push_back(labels[i]);
  }
  add_agreement(result, metrics::contingency(truth, found, ranks), "_connected");
  return result;
}

/// Throws a resource error, by the model of docs/ranks.md, when a rank needs more than
/// --max-memory.
void check_memory(const Share& share, const Setup& setup, Ranks& ranks) {
  if (!setup.max_memory) return;
  const GraphShard& graph = share.graph;
  const Index first = graph.starts[ranks.rank()];
  std::vector<bool> seen(share.nodes, false);
  std::int64_t copies = 0;
  for (const NodeId column : graph.columns) {
    if (seen[column] || (column >= first && column < first + graph.rows())) continue;
    seen[column] = true;
    ++copies;
  }
  const RankCut cut{.ranks = ranks.count(),
                    .nodes = share.nodes,
                    .entries = 2 * graph.edges,
                    .weighted = least(graph.weights.empty() ? 0 : -1, ranks) < 0,
                    .most_rows = -least(-graph.rows(), ranks),
                    .most_entries = -least(-std::ssize(graph.columns), ranks),
                    .most_copies = -least(-copies, ranks)};
  const double needed = estimate(cut, {.columns = share.columns, .free = share.free}).memory;
  if (needed <= static_cast<double>(*setup.max_memory)) return;
  throw Error(Error::Kind::resource,
              fmt::format("the largest of {} ranks needs about {}, more than the {} of "
                          "--max-memory; more ranks need less each",
                          ranks.count(), size_text(needed),
                          size_text(static_cast<double>(*setup.max_memory))));
}

/// The largest resident set of this process so far, in bytes; 0 where the system does not say.
std::int64_t peak_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::stoll(line.substr(6)) * 1024;
  }
  return 0;
}

/// Memory and traffic of the ranks.
Json ranks_json(const Partition& found, std::int64_t reading_bytes, Ranks& ranks) {
  Json json{{"count", ranks.count()}};
  json["memory"] = -least(-peak_memory(), ranks);
  std::int64_t bytes = reading_bytes;
  ranks.sum(std::span(&bytes, 1));
  json["bytes_reading"] = bytes;
  if (!found.traffic) return json;
  std::uint64_t changed = 0;
  Json steps = Json::array();
  for (const auto& step : found.traffic->steps) {
    changed += step.rows;
    steps.push_back({{"labels", step.rows}, {"bytes", step.bytes}});
  }
  json["calls"] = ranks.traffic().calls;
  json["bytes"] = found.traffic->bytes;
  json["copies"] = found.traffic->copies;
  json["changed_labels"] = changed;
  json["iterations"] = std::move(steps);
  return json;
}

void print_ranks(const Json& json) {
  fmt::print("ranks         {}, at most {} each\n", json["count"].get<int>(),
             size_text(json["memory"].get<double>()));
  if (!json.contains("bytes")) return;
  fmt::print("traffic       {}, reading {}; {} labels of {} copied nodes changed\n",
             size_text(json["bytes"].get<double>()), size_text(json["bytes_reading"].get<double>()),
             json["changed_labels"].get<std::uint64_t>(), json["copies"].get<std::uint64_t>());
}

}  // namespace

int partition_on_ranks(const PartitionJob& job, const std::string& labels_file, const Shown& shown,
                       Ranks& ranks) {
  const Solving& solving = job.input.solving;
  const Setup& setup = job.setup;
  check_for_ranks(job);
  if (!shown.picture.empty() || !shown.report.empty()) {
    fail_usage("{} does not work on {} ranks; start srgw without mpirun",
               shown.picture.empty() ? "--report" : "--picture", ranks.count());
  }
  Share share = read(job, ranks);
  const auto reading_bytes = static_cast<std::int64_t>(ranks.traffic().bytes);
  check_memory(share, setup, ranks);
  PartitionOptions options = job.request;
  if (std::holds_alternative<Assignment>(*job.resolved.options.start)) {
    const auto file = io::read_label_share(setup.start.file, ranks);
    options.start = start_labels(setup.start.file, io::join(file, share.graph, ranks).labels,
                                 share.columns, ranks);
  }
  Timing timing{.read = seconds_so_far()};
  const NodeNames names = std::move(share.graph.names);
  const Partition found = find_partition(job, [&](Run& run) {
    run.ranks = &ranks;
    return partition(std::move(share.graph), options, run);  // nobody else needs the rows
  });
  timing.solve = seconds_so_far() - timing.read;

  note_communities(found, solving.common);
  Json json = solution_json(found.solution, timing, setup);
  json["n"] = share.nodes;  // the plan has the rows of this rank
  const Json agreed = agreement(share, found.labels, ranks);
  add_to_json(json, found, agreed, labels_file);
  if (!labels_file.empty()) {
    io::write_labels({.names = names, .labels = {found.labels.begin(), found.labels.end()}},
                     labels_file, ranks);
  }
  json["ranks"] = ranks_json(found, reading_bytes, ranks);
  if (solving.common.json) {
    print_json(json);
  } else if (labels_file != "-") {
    print_partition(found, agreed);
    print_solution(found.solution, timing);
    print_ranks(json["ranks"]);
  }
  return exit_code(found.solution, solving);
}

}  // namespace srgw::cli
