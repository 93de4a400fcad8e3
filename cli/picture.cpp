// SPDX-License-Identifier: MIT
#include "cli/picture.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

#include "cli/exit_code.hpp"
#include "cli/options.hpp"
#include "cli/sha256.hpp"
#include "cli/stopping.hpp"
#include "srgw/version.hpp"

namespace srgw::cli {

namespace {

using Json = nlohmann::ordered_json;

std::string plural(Index count, const char* word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

std::string sizes_of(const Graph& graph) {
  return plural(graph.nodes(), "node") + ", " +
         plural(graph.edges(), graph.directed() ? "arc" : "edge");
}

double number_of(const Json& result, const char* key) { return result.value(key, 0.0); }

std::string status_of(const Json& result) {
  std::string status = result.value("status", "");
  std::ranges::replace(status, '_', ' ');
  return status;
}

}  // namespace

void add_shown(CLI::App& app, Shown& shown) {
  Options options(app, "Output");
  options.text("--picture", shown.picture, "FILE.svg", "Draw the result");
  options.text("--report", shown.report, "FILE.html", "Write a web page about the result");
}

void check(const Shown& shown) {
  if (shown.picture == "-") fail_usage("--picture -, expected a file");
  try {
    if (!shown.picture.empty()) check_picture_file(shown.picture);
    if (!shown.report.empty()) check_report_file(shown.report);
  } catch (const Error& error) {
    fail_usage("--{}", error.what());
  }
  check_folder_of(shown.picture);
  check_folder_of(shown.report);
}

void write_picture(const std::string& file, const Common& common,
                   const std::function<Picture()>& draw) {
  if (!file.empty()) show_in_time(common, file, [&] { save(draw(), file); });
}

void write_report(const std::string& file, const Common& common,
                  const std::function<Report()>& make) {
  if (file.empty()) return;
  show_in_time(common, file, [&] {
    save(make(), file);
    if (report_has_scripts()) return;
    note(common, "{} has no interactive parts, because this program was built without npm", file);
  });
}

ReportOrigin report_origin(const std::string& command_line, std::uint64_t seed,
                           const std::vector<std::string>& files) {
  ReportOrigin origin{.program = "srgw " SRGW_VERSION, .command = command_line, .seed = seed};
  for (const std::string& file : files) origin.inputs.push_back({file, sha256_of_file(file)});
  return origin;
}

std::string short_name(const std::string& file) {
  if (file == "-") return "stdin";
  const std::filesystem::path path(file);
  return path.has_filename() ? path.filename().string() : path.parent_path().filename().string();
}

Picture partition_picture(const DrawnGraph& drawn, const Assignment& labels, const Plan& plan,
                          const Json& result) {
  std::string subtitle = fmt::format("{}; {}, modularity {:.4f}", sizes_of(drawn.graph),
                                     plural(result.value("clusters", Index{0}), "cluster"),
                                     number_of(result, "modularity"));
  if (result.contains("ami")) subtitle += fmt::format(", AMI {:.3f}", number_of(result, "ami"));
  if (!result.value("significant", true)) subtitle += "; no split is better than none";
  const auto sizes = result.value("sizes", std::vector<Index>{});
  return draw_partition({.graph = drawn.graph,
                         .names = drawn.names,
                         .labels = labels,
                         .clusters = sizes.empty() ? std::optional<Index>() : std::ssize(sizes),
                         .plan = &plan,
                         .title = "Partition of " + short_name(drawn.file),
                         .subtitle = subtitle});
}

MatchingPicture matching_picture(const DrawnGraph& source, const DrawnGraph& target,
                                 const Plan& plan, const Json& result) {
  const std::string divergence = result.value("divergence", "srgw");
  return {
      .source = source.graph,
      .source_names = source.names,
      .target = target.graph,
      .target_names = target.names,
      .plan = plan,
      .title = fmt::format("{} projected on {}", short_name(source.file), short_name(target.file)),
      .subtitle =
          fmt::format("{}, value {:.6g}, gap {:.1e}, {}", divergence, number_of(result, "value"),
                      number_of(result, "gap"), status_of(result)),
      .source_name = short_name(source.file),
      .target_name = short_name(target.file)};
}

std::vector<std::size_t> typical_graphs(const Dataset& dataset, std::size_t most) {
  std::map<std::int64_t, std::vector<std::size_t>> classes;
  for (std::size_t g = 0; g < dataset.graphs.size(); ++g) {
    classes[dataset.labels.empty() ? 0 : dataset.labels[g]].push_back(g);
  }
  const auto by_size = [&](std::size_t a, std::size_t b) {
    return dataset.graphs[a].nodes() < dataset.graphs[b].nodes();
  };
  std::vector<std::size_t> chosen;
  const std::size_t each =
      std::max<std::size_t>(1, most / std::max<std::size_t>(1, classes.size()));
  for (auto& [label, graphs] : classes) {
    std::ranges::stable_sort(graphs, by_size);
    const std::size_t take = std::min(each, graphs.size());
    for (std::size_t k = 0; k < take && chosen.size() < most; ++k) {
      chosen.push_back(graphs[(2 * k + 1) * graphs.size() / (2 * take)]);
    }
  }
  return chosen;
}

}  // namespace srgw::cli
