// SPDX-License-Identifier: MIT
#include "cli/file_problems.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>

#include "cli/common.hpp"
#include "cli/exit_code.hpp"
#include "cli/graph_facts.hpp"
#include "cli/reading.hpp"
#include "srgw/types.hpp"

namespace srgw::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_problems = 50;

/// Reads a text file, or an edited text of it. Throws format errors.
using Read = std::function<void(const std::optional<std::string>& text)>;

/// A file with independent lines.
struct Lines {
  char comment = '#';        ///< character that starts a comment
  std::size_t header = 0;    ///< lines without which the rest cannot be read
  bool are_counted = false;  ///< the header gives the number of lines
};

/// The line that a message `FILE:LINE: ...` names, from 1; 0 when it names none.
std::size_t line_of(const std::string& message, const std::string& file) {
  if (!message.starts_with(file + ":")) return 0;
  const std::string rest = message.substr(file.size() + 1);
  const auto line = to_index(rest.substr(0, rest.find(':')));
  return line && *line > 0 ? static_cast<std::size_t>(*line) : 0;
}

/// Turns a line into a comment. False if there is no such line, or it is a comment.
bool blank_out(std::string& text, std::size_t line, char comment) {
  std::size_t begin = 0;
  for (; line > 1; --line) {
    begin = text.find('\n', begin);
    if (begin == std::string::npos) return false;
    ++begin;
  }
  const std::size_t end = std::min(text.find('\n', begin), text.size());
  if (begin == end || text[begin] == comment) return false;
  text.replace(begin, end - begin, end - begin, comment);
  return true;
}

std::string text_of(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// The lines up to the first that is no comment.
std::size_t header_lines(const std::string& file, char comment) {
  std::ifstream stream(file, std::ios::binary);
  std::size_t count = 1;
  for (std::string line; std::getline(stream, line) && line.starts_with(comment);) ++count;
  return count;
}

/// The lines of a graph file if they are independent.
std::optional<Lines> lines_of_graph(const std::string& file,
                                    const std::optional<std::string>& format) {
  const auto is = [&](std::string_view name) {
    if (format) return *format == name;
    const std::string ending = std::filesystem::path(file).extension().string();
    for (const io::FormatInfo& info : io::formats()) {
      if (info.name == name)
        return std::count(info.extensions.begin(), info.extensions.end(), ending) > 0;
    }
    return false;
  };
  if (is("edges") || is("csv")) return Lines{};
  if (is("mtx")) {
    return Lines{.comment = '%', .header = header_lines(file, '%'), .are_counted = true};
  }
  return {};
}

std::optional<Lines> lines_of_table(const std::string& file, bool are_counted) {
  if (!file.ends_with(".csv") && !file.ends_with(".tsv") && !file.ends_with(".txt")) return {};
  return Lines{.are_counted = are_counted};
}

/// Readers stop at the first problem. If lines are independent, the wrong one is left out and the
/// rest is read again.
void find_all(const std::string& file, const std::optional<Lines>& lines, const Read& read,
              std::vector<std::string>& problems) {
  std::optional<std::string> text;
  std::size_t former = 0;  // the last line that was wrong
  for (std::size_t found = 0; found < most_problems; ++found) {
    std::string problem;
    try {
      return read(text);
    } catch (const Error& error) {
      if (error.kind() != Error::Kind::format) throw;
      problem = error.what();
    }
    const std::size_t line = line_of(problem, file);
    // A count that is wrong now may be so only because lines were left out.
    if (text && lines->are_counted && line <= former) return;
    problems.push_back(std::move(problem));
    if (!lines || line <= lines->header) return;
    if (!text) text = text_of(file);
    if (!blank_out(*text, line, lines->comment)) return;
    former = line;
  }
}

std::vector<std::string> remarks_on(const Json& facts) {
  std::vector<std::string> remarks;
  const auto remark = [&](const char* key, Index normal, const char* text) {
    const auto count = facts.value(key, normal);
    if (count > normal) remarks.push_back(fmt::format("{} {}", count, text));
  };
  remark("self_loops", 0, "self-loops");
  remark("isolated", 0, "nodes without edges");
  remark("components", 1, "components: partition treats those beyond the k largest as one group");
  remark("negative_weights", 0, "negative weights, which only adjacency and laplacian take");
  if (facts.value("directed", false)) {
    remarks.emplace_back("directed: modularity and stability need --symmetrize");
  }
  return remarks;
}

}  // namespace

Findings find_problems(const FilesToCheck& files, const io::ReadOptions& options) {
  Findings result;
  std::vector<std::string>& problems = result.problems;
  if (is_dataset(files.graph)) {
    if (!files.labels.empty() || !files.features.empty()) {
      fail_input("{}: a dataset, expected a graph with --labels and --features", files.graph);
    }
    find_all(
        files.graph, {},
        [&](const auto&) { static_cast<void>(io::read_dataset(files.graph, options)); }, problems);
    return result;
  }
  io::ReadOptions own = options;
  if (!files.labels.empty()) {
    const auto read = [&](const std::optional<std::string>& text) {
      const auto labels =
          text ? io::parse_labels(*text, files.labels) : io::read_labels(files.labels);
      // Labelled nodes exist, unless --nodes lists all nodes.
      if (names_nodes(files.labels) && !own.nodes && !own.known_nodes) {
        own.known_nodes = labels.names;
      }
    };
    find_all(files.labels, lines_of_table(files.labels, false), read, problems);
  }
  std::optional<NodeNames> names;
  const auto read = [&](const std::optional<std::string>& text) {
    io::NamedGraph graph =
        text ? io::parse_graph(*text, files.graph, own) : io::read_graph(files.graph, own);
    result.remarks = remarks_on(facts(graph));
    names = std::move(graph.names);
  };
  find_all(files.graph, lines_of_graph(files.graph, options.format), read, problems);
  if (!names) return result;  // what belongs to its nodes cannot be judged
  if (!files.labels.empty() && problems.empty()) {
    find_all(
        files.labels, {},
        [&](const auto&) { static_cast<void>(read_labels_of(files.labels, *names)); }, problems);
  }
  if (!files.features.empty()) {
    const auto read_features = [&](const std::optional<std::string>& text) {
      static_cast<void>(text ? io::parse_features(*text, files.features, *names)
                             : io::read_features(files.features, *names));
    };
    find_all(files.features, lines_of_table(files.features, true), read_features, problems);
  }
  return result;
}

}  // namespace srgw::cli
