// SPDX-License-Identifier: MIT
#include <algorithm>

#include "base/message.hpp"
#include "graph/csr_rows.hpp"
#include "io/formats.hpp"
#include "io/formats/attributes.hpp"
#include "io/formats/dialect.hpp"

namespace srgw::detail {

namespace {

/// A name as it stands in a line, or an error when it cannot.
std::string plain_name(const std::string& name, const Output& out) {
  const bool fine = !name.empty() && trim(name) == name && name.front() != '#' &&
                    name.front() != '%' && name.front() != '"' &&
                    name.find_first_of("\t\r\n") == std::string::npos;
  if (!fine) {
    fail_argument(
        "{}: a node is called {}, which lines with tabs cannot hold; write .csv or GraphML",
        out.name(), quote(name));
  }
  return name;
}

std::string csv_name(const std::string& name, const Output& out) {
  if (name.empty() || name.find_first_of("\r\n") != std::string::npos) {
    fail_argument("{}: a node is called {}, which a line cannot hold; write GraphML", out.name(),
                  quote(name));
  }
  return csv_field(name, ',');
}

/// Lines of two numbers, of which a large file has millions.
void write_plain(const NamedGraph& named, Output& out) {
  std::string line;
  Index last = -1;
  std::size_t prefix = 0;  // the source, which many lines share
  for_each_written_edge(named, [&](Index row, Index column, double, std::size_t) {
    if (row != last) {
      last = row;
      line = fmt::format_int(named.names.number(row)).c_str();
      line += '\t';
      prefix = line.size();
    }
    line.resize(prefix);
    const fmt::format_int target(named.names.number(column));
    line.append(target.data(), target.size());
    line += '\n';
    out.write(line);
  });
}

/// Comments about what edges do not say; see EdgeMarks.
void write_marks(const NamedGraph& named, Output& out) {
  const Graph& graph = named.graph;
  if (graph.directed()) out.print("{}directed\n", mark_start);
  std::vector<bool> has_edge(graph.nodes(), false);
  for_each_entry(graph.adjacency(), [&](Index row, Index column, double) {
    has_edge[row] = true;
    has_edge[column] = true;
  });
  if (std::find(has_edge.begin(), has_edge.end(), false) == has_edge.end()) return;
  if (named.names.are_indices()) {
    out.print("{}nodes {}\n", mark_start, graph.nodes());
    return;
  }
  for (Index i = 0; i < graph.nodes(); ++i) {
    if (has_edge[i]) continue;
    out.print("{}node {}\n", mark_start, csv_name(named.names[i], out));
  }
}

/// A line for each edge: two names and perhaps a weight.
void write_lines(const NamedGraph& named, char separator,
                 std::string (*name_text)(const std::string&, const Output&), bool header,
                 Output& out) {
  const bool weighted = named.graph.weighted();
  if (header) {
    out.print("source{0}target", separator);
    if (weighted) out.print("{}weight", separator);
    out.write("\n");
  }
  for_each_written_edge(named, [&](Index row, Index column, double weight, std::size_t) {
    out.print("{}{}{}", name_text(named.names[row], out), separator,
              name_text(named.names[column], out));
    if (weighted) out.print("{}{}", separator, weight);
    out.write("\n");
  });
}

}  // namespace

void write_edge_list(const NamedGraph& named, Output& out) {
  const bool numbers = named.names.are_numbers();
  if (numbers && !named.graph.weighted()) {
    write_plain(named, out);
  } else {
    // Nodes that are called like columns are told from a header by a header.
    write_lines(named, '\t', plain_name, !numbers && named.graph.edges() > 0, out);
  }
  write_marks(named, out);
}

void write_edge_csv(const NamedGraph& named, Output& out) {
  write_lines(named, ',', csv_name, true, out);
  write_marks(named, out);
}

}  // namespace srgw::detail
