// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/common.hpp"
#include "srgw/draw.hpp"
#include "srgw/graph.hpp"
#include "srgw/report.hpp"

namespace srgw::cli {

/// Files that show the result: --picture and --report, for any command that has something to show.
struct Shown {
  std::string picture, report;  ///< empty: none
};
void add_shown(CLI::App& app, Shown& shown);
/// Throws a usage error when an ending is not that of a picture or a page, and an error when a
/// folder is absent. Before long work, not after.
void check(const Shown& shown);

/// Writes the picture, or the page, if a file is given and there is time. Prints a note if the page
/// has no scripts.
void write_picture(const std::string& file, const Common& common,
                   const std::function<Picture()>& draw);
void write_report(const std::string& file, const Common& common,
                  const std::function<Report()>& make);

/// How to reproduce the result, with hashes of the files.
[[nodiscard]] ReportOrigin report_origin(const std::string& command_line, std::uint64_t seed,
                                         const std::vector<std::string>& files);

/// The name of a file without its folder, for titles.
[[nodiscard]] std::string short_name(const std::string& file);

/// A graph and its node names.
struct DrawnGraph {
  std::string file;
  const Graph& graph;
  const NodeNames& names;
};
/// `result` is what --json prints; titles are made of it.
[[nodiscard]] Picture partition_picture(const DrawnGraph& drawn, const Assignment& labels,
                                        const Plan& plan, const nlohmann::ordered_json& result);
[[nodiscard]] MatchingPicture matching_picture(const DrawnGraph& source, const DrawnGraph& target,
                                               const Plan& plan,
                                               const nlohmann::ordered_json& result);

/// The numbers of a few graphs that show what a dataset holds: of each class, or else of each size,
/// the one in the middle.
[[nodiscard]] std::vector<std::size_t> typical_graphs(const Dataset& dataset, std::size_t most);

}  // namespace srgw::cli
