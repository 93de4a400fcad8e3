// SPDX-License-Identifier: MIT
#include <algorithm>

#include "base/stop.hpp"
#include "graph/csr_rows.hpp"
#include "io/formats.hpp"
#include "io/formats/dialect.hpp"

namespace srgw::detail {

namespace {

/// Calls `write(row, column, weight)` once for each edge or arc.
template <class Write>
void for_each_edge(const Graph& graph, Write write) {
  StopCounter stop(1 << 18);
  for_each_entry(graph.adjacency(), [&](Index row, Index column, double weight) {
    stop.throw_if_stopped();
    if (graph.directed() || row <= column) write(row, column, weight);
  });
}

/// A name as it stands in a line, or an error when it cannot.
std::string plain_name(const std::string& name, const Output& out) {
  const bool fine = !name.empty() && trimmed(name) == name && name.front() != '#' &&
                    name.front() != '%' && name.front() != '"' &&
                    name.find_first_of("\t\r\n") == std::string::npos;
  if (!fine) {
    throw Error(Error::Kind::argument,
                placed({out.name()}, "a node is called " + shown(name) +
                                         ", which lines with tabs cannot hold; write .csv or "
                                         "GraphML"));
  }
  return name;
}

std::string csv_name(const std::string& name, const Output& out) {
  if (name.empty() || name.find_first_of("\r\n") != std::string::npos) {
    throw Error(Error::Kind::argument,
                placed({out.name()}, "a node is called " + shown(name) +
                                         ", which a line cannot hold; write GraphML"));
  }
  return csv_field(name, ',');
}

/// Lines of two numbers, of which a large file has millions.
void write_plain(const NamedGraph& named, Output& out) {
  std::string line;
  Index last = -1;
  std::size_t prefix = 0;  // the source, which many lines share
  for_each_edge(named.graph, [&](Index row, Index column, double) {
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

}  // namespace

void write_edge_list(const NamedGraph& named, Output& out) {
  const Graph& graph = named.graph;
  if (named.names.are_numbers() && !graph.weighted()) {
    write_plain(named, out);
    return write_marks(named, out);
  }
  // Nodes that are called like columns are told from a header by a header.
  if (!named.names.are_numbers() && graph.edges() > 0) {
    out.write(graph.weighted() ? "source\ttarget\tweight\n" : "source\ttarget\n");
  }
  for_each_edge(graph, [&](Index row, Index column, double weight) {
    out.print("{}\t{}", plain_name(named.names[row], out), plain_name(named.names[column], out));
    if (graph.weighted()) out.print("\t{}", weight);
    out.write("\n");
  });
  write_marks(named, out);
}

void write_edge_csv(const NamedGraph& named, Output& out) {
  const Graph& graph = named.graph;
  out.write(graph.weighted() ? "source,target,weight\n" : "source,target\n");
  for_each_edge(graph, [&](Index row, Index column, double weight) {
    out.print("{},{}", csv_name(named.names[row], out), csv_name(named.names[column], out));
    if (graph.weighted()) out.print(",{}", weight);
    out.write("\n");
  });
  write_marks(named, out);
}

}  // namespace srgw::detail
