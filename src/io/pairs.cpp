// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include "io/formats.hpp"
#include "io/input.hpp"
#include "io/text.hpp"
#include "srgw/io.hpp"

namespace srgw {

namespace {

NodeId node_of(const NameIndex& names, const std::string& name, const char* side,
               const detail::Where& where) {
  if (const auto node = names.find(name)) return *node;
  detail::fail_at(where, "node {} is not in the {} graph, expected its nodes", detail::quote(name),
                  side);
}

}  // namespace

std::vector<NodePair> io::read_pairs(const std::filesystem::path& path, const NodeNames& sources,
                                     const NodeNames& targets) {
  const detail::Input input = detail::open_input(path);
  const bool commas = detail::extension_of(path) == ".csv";
  const NameIndex rows(sources), columns(targets);
  std::vector<NodePair> pairs;
  std::vector<std::string> fields;
  detail::LineReader lines(input);
  while (lines.next_content("#%")) {
    const std::string_view line = detail::trim(lines.line());
    const bool tabs = line.find('\t') != std::string_view::npos;
    if (!detail::split_fields(line, commas ? ',' : tabs ? '\t' : ' ', fields)) {
      detail::fail_at(lines.where(), "a double quote is left open, expected its partner");
    }
    if (!commas) std::erase(fields, std::string());
    if (fields.size() != 2) {
      detail::fail_at(lines.where(), "{} fields, expected a source node and a target node",
                      fields.size());
    }
    pairs.push_back({Index{node_of(rows, fields[0], "source", lines.where())},
                     Index{node_of(columns, fields[1], "target", lines.where())}});
  }
  return pairs;
}

}  // namespace srgw
