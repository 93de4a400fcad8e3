// SPDX-License-Identifier: MIT
#include <fstream>
#include <iterator>
#include <memory>

#include "cli/command.hpp"
#include "cli/common.hpp"
#include "cli/exit_code.hpp"
#include "cli/graph_facts.hpp"
#include "cli/reading.hpp"

namespace srgw::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_problems = 50;

struct Args {
  std::string file;
  Reading reading;
  Common common;
};

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

bool is_edge_list(const Args& args) {
  if (args.reading.from) return *args.reading.from == "edges" || *args.reading.from == "csv";
  for (const io::FormatInfo& format : io::formats()) {
    if (format.name != "edges" && format.name != "csv") continue;
    for (const auto ending : format.extensions) {
      if (args.file.ends_with(ending)) return true;
    }
  }
  return false;
}

/// Readers stop at the first problem. The lines of an edge list do not depend on each other, so one
/// that is wrong is left out and the rest is read again.
std::vector<std::string> problems_of(const Args& args, const io::ReadOptions& options,
                                     Json& facts) {
  std::vector<std::string> problems;
  std::string text;
  while (problems.size() < most_problems) {
    try {
      facts = cli::facts(text.empty() ? io::read_graph(args.file, options)
                                      : io::parse_graph(text, args.file, options));
      break;
    } catch (const Error& error) {
      if (error.kind() != Error::Kind::format) throw;
      problems.emplace_back(error.what());
    }
    const std::size_t line = line_of(problems.back(), args.file);
    if (line == 0 || !is_edge_list(args)) break;
    if (text.empty()) {
      std::ifstream stream(args.file, std::ios::binary);
      text.assign(std::istreambuf_iterator<char>(stream), {});
    }
    if (!blank_out(text, line)) break;
  }
  return problems;
}

/// What is legal, but often not meant.
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

int run(const Args& args) {
  const io::ReadOptions options = read_options(args.reading, args.common.threads);
  Json facts = Json::object();
  std::vector<std::string> problems;
  if (is_dataset(args.file)) {
    try {
      facts = cli::facts(io::read_dataset(args.file, options));
    } catch (const Error& error) {
      if (error.kind() != Error::Kind::format) throw;
      problems.emplace_back(error.what());
    }
  } else {
    problems = problems_of(args, options, facts);
  }
  const bool graph = !facts.contains("graphs");
  const auto remarks = graph ? remarks_on(facts) : std::vector<std::string>();
  if (args.common.json) {
    print_json({{"ok", problems.empty()}, {"problems", problems}, {"remarks", remarks}});
  } else {
    for (const std::string& problem : problems) fmt::print("{}\n", problem);
    if (problems.empty()) fmt::print("{}: fine\n", args.file);
    for (const std::string& remark : remarks) fmt::print("  {}\n", remark);
  }
  return problems.empty() ? exit_fine : exit_bad_input;
}

}  // namespace

Action add_check(CLI::App& app) {
  auto args = std::make_shared<Args>();
  app.add_option("FILE", args->file, "Graph file, dataset folder or packed .npz")
      ->type_name("")
      ->required();
  add_reading(app, args->reading);
  add_common(app, args->common);
  app.footer("Example: srgw check graph.txt");
  return [args](const std::string&) { return run(*args); };
}

}  // namespace srgw::cli
