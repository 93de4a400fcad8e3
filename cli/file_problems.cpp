// SPDX-License-Identifier: MIT
#include "cli/file_problems.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "cli/common.hpp"
#include "cli/graph_facts.hpp"
#include "cli/reading.hpp"
#include "srgw/error.hpp"

namespace srgw::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_problems = 50;

/// The line that a message `FILE:LINE: ...` names, from 1; 0 when it names none.
std::size_t line_of(const std::string& message, const std::string& file) {
  if (!message.starts_with(file + ":")) return 0;
  const std::string rest = message.substr(file.size() + 1);
  const auto line = to_index(rest.substr(0, rest.find(':')));
  return line && *line > 0 ? static_cast<std::size_t>(*line) : 0;
}

/// Makes a comment of one line of a text. False when there is no such line, or it is one already.
bool blank_out(std::string& text, std::size_t line) {
  std::size_t begin = 0;
  for (; line > 1; --line) {
    begin = text.find('\n', begin);
    if (begin == std::string::npos) return false;
    ++begin;
  }
  const std::size_t end = std::min(text.find('\n', begin), text.size());
  if (begin == end || text[begin] == '#') return false;
  text.replace(begin, end - begin, end - begin, '#');
  return true;
}

bool is_edge_list(const std::string& file, const std::optional<std::string>& format) {
  if (format) return *format == "edges" || *format == "csv";
  for (const io::FormatInfo& info : io::formats()) {
    if (info.name != "edges" && info.name != "csv") continue;
    for (const auto ending : info.extensions) {
      if (file.ends_with(ending)) return true;
    }
  }
  return false;
}

/// Calls `read`; what it finds wrong is one more problem. Whether nothing was.
template <class Read>
bool succeeds(const Read& read, std::vector<std::string>& problems) {
  try {
    read();
    return true;
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::format) throw;
    problems.emplace_back(error.what());
    return false;
  }
}

/// Readers stop at the first problem. The lines of an edge list do not depend on each other, so one
/// that is wrong is left out and the rest is read again.
Json facts_of_graph(const std::string& file, const io::ReadOptions& options,
                    std::vector<std::string>& problems) {
  Json found = Json::object();
  std::string text;
  const auto read = [&] {
    found =
        facts(text.empty() ? io::read_graph(file, options) : io::parse_graph(text, file, options));
  };
  while (problems.size() < most_problems && !succeeds(read, problems)) {
    const std::size_t line = line_of(problems.back(), file);
    if (line == 0 || !is_edge_list(file, options.format)) break;
    if (text.empty()) {
      std::ifstream stream(file, std::ios::binary);
      text.assign(std::istreambuf_iterator<char>(stream), {});
    }
    if (!blank_out(text, line)) break;
  }
  return found;
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

Findings find_problems(const std::string& file, const io::ReadOptions& options) {
  Findings result;
  if (is_dataset(file)) {
    const auto read = [&] { static_cast<void>(io::read_dataset(file, options)); };
    static_cast<void>(succeeds(read, result.problems));
  } else {
    result.remarks = remarks_on(facts_of_graph(file, options, result.problems));
  }
  return result;
}

}  // namespace srgw::cli
