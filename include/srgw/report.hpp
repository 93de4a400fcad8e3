// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "srgw/completion.hpp"
#include "srgw/dictionary.hpp"
#include "srgw/draw.hpp"
#include "srgw/graph.hpp"
#include "srgw/partition.hpp"
#include "srgw/solve.hpp"

namespace srgw {

struct ReportFact {
  std::string name, value;
};

/// Rows in the plane, as draw_embedding() shows them.
struct ReportPoints {
  Matrix rows;
  std::vector<std::string> classes = {};
};

/// How strongly each pair is joined.
struct ReportCells {
  std::vector<std::string> names;
  Matrix values;
  std::string unit;
};

using ReportChart =
    std::variant<CurvesPicture, BarsPicture, ReportPoints, ReportCells, HierarchyPicture>;

/// A graph, or a part of it, to look at closely. Lists have one item for each node that is shown.
struct ReportGraph {
  NodeNames names;
  Matrix points;                      ///< n x 2
  std::vector<std::int32_t> cluster;  ///< -1: in none
  std::vector<std::uint32_t> degree;  ///< neighbours in the whole graph
  std::vector<std::string> clusters;  ///< what they are called
  std::vector<std::pair<NodeId, NodeId>> edges;
  struct Membership {
    NodeId node = 0, cluster = 0;
    double share = 0;
  };
  std::vector<Membership> memberships;  ///< of nodes that are in more than one cluster
};

struct ReportTable {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

/// A part of a page, in the order of its fields; each may be absent.
struct ReportSection {
  std::string id, title;  ///< the id is a plain word
  std::vector<std::string> sentences = {};
  std::vector<ReportFact> facts = {};
  std::optional<ReportTable> table = {};
  std::optional<ReportChart> chart = {};
  std::optional<Picture> picture = {};  ///< shown where there is no script, or nothing else to show
  std::optional<ReportGraph> graph = {};
  bool members = false;  ///< a table of the nodes of the section that has the graph
  std::vector<std::string> notes = {};
  std::string code = {};  ///< to be typed
};

/// One page that says all about a result.
struct Report {
  std::string title, subtitle;
  std::vector<ReportSection> sections;
};

/// The page in one text that needs nothing from elsewhere. Where the scripts were built in, charts
/// and graphs answer the pointer and tables can be searched; else they are drawings and plain
/// tables.
[[nodiscard]] std::string html(const Report& report);
/// Whether they were, and their licences.
[[nodiscard]] bool report_has_scripts();
[[nodiscard]] std::string_view report_licences();

/// Throws an argument error unless the name ends in .html, .htm or .html.gz.
void check_report_file(const std::filesystem::path& path);
/// Replaces the file in one step.
void save(const Report& report, const std::filesystem::path& path);

/// How a result came about, for its page.
struct ReportOrigin {
  std::string program;  ///< and its version
  std::string command;
  std::uint64_t seed = 0;
  struct Input {
    std::string file, sha256;  ///< an empty hash: not a file that could be read again
  };
  std::vector<Input> inputs = {};
  std::vector<ReportFact> facts = {};  ///< what else is worth knowing: seconds, threads
};

/// Sentences on how good a solution is, and how to get a better one.
[[nodiscard]] std::vector<std::string> certificate(const Solution& solution);

// Pages of results. Their structs refer to values of the caller, which must outlive the call.

/// The result of another tool on the same graph.
struct ComparedPartition {
  std::string name;
  Index clusters = 0;
  double modularity = 0;
  double ami_with_result = 0;      ///< how much it agrees with the result of the page
  std::optional<double> ami = {};  ///< with a truth
};

/// The fate of a cluster between previous labels and a partition with ids.
struct ClusterChange {
  std::int64_t id = 0;
  Index before = 0, now = 0;  ///< nodes; 0: the cluster is new, or has vanished
  Index stayed = 0;           ///< nodes that are in it before and now
  /// The cluster where most of its nodes come from, if it is new; where most go to, if it vanished.
  std::optional<std::int64_t> other = {};
  Index shared = 0;  ///< nodes that they share
};
/// One for each id that either has, ascending. `previous` has an id for each node, -1: none. Nodes
/// in no cluster are not counted. Throws if the sizes differ.
[[nodiscard]] std::vector<ClusterChange> cluster_changes(const Partition& found,
                                                         std::span<const std::int64_t> previous);

/// The hierarchy of a partition as draw_hierarchy() takes it.
[[nodiscard]] std::vector<HierarchyLevel> hierarchy_levels(const Partition& found);

/// The labels that a partition started from.
struct PreviousLabels {
  std::span<const std::int64_t> ids;    ///< of each node, -1: none
  std::vector<std::string> names = {};  ///< what id k is called; empty: ids are numbers
  Index vanished = 0;                   ///< nodes with a label that are not in the graph
};
struct PartitionReport {
  const Graph& graph;
  const NodeNames& names;
  const Partition& partition;
  std::string file;
  std::vector<ReportFact> agreement = {};  ///< with a truth
  std::optional<double> ami = {};          ///< with that truth
  std::vector<ComparedPartition> compared = {};
  PreviousLabels previous = {};  ///< of an update, or the names of fixed labels
  ReportOrigin origin = {};
};
[[nodiscard]] Report partition_report(const PartitionReport& what);

struct MatchingReport {
  MatchingPicture picture;
  const Solution& solution;
  ReportOrigin origin = {};
};
[[nodiscard]] Report matching_report(const MatchingReport& what);

struct DictionaryReport {
  const Dataset& dataset;
  std::string file;
  const Learned& learned;
  std::span<const std::size_t> drawn;  ///< graphs that are shown beside the atom
  ReportOrigin origin = {};
};
[[nodiscard]] Report dictionary_report(const DictionaryReport& what);

struct CompletionReport {
  CompletionPicture picture;
  const Completion& completion;
  const CompletionEvidence* evidence = nullptr;  ///< of learned probabilities
  std::string file;                              ///< of the seen graph
  std::vector<ReportFact> agreement = {};        ///< with a truth
  ReportOrigin origin = {};
};
[[nodiscard]] Report completion_report(const CompletionReport& what);

struct EmbeddingReport {
  const Dataset& dataset;
  std::string file, model;
  const Embedding& embedding;
  ReportOrigin origin = {};
};
[[nodiscard]] Report embedding_report(const EmbeddingReport& what);

}  // namespace srgw
