// SPDX-License-Identifier: MIT
#include "graph/csr_rows.hpp"
#include "io/formats.hpp"

namespace srgw::detail {

namespace {

/// Calls `write(row, column, weight)` once for each edge or arc.
template <class Write>
void for_each_edge(const Graph& graph, Write write) {
  for_each_entry(graph.adjacency(), [&](Index row, Index column, double weight) {
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

}  // namespace

void write_edge_list(const NamedGraph& named, Output& out) {
  const Graph& graph = named.graph;
  if (named.names.are_numbers() && !graph.weighted()) return write_plain(named, out);
  bool first = true;
  for_each_edge(graph, [&](Index row, Index column, double weight) {
    const std::string source = plain_name(named.names[row], out);
    const std::string target = plain_name(named.names[column], out);
    // Nodes that are called like columns are told from a header by a header.
    if (first && !named.names.are_numbers()) {
      out.write(graph.weighted() ? "source\ttarget\tweight\n" : "source\ttarget\n");
    }
    first = false;
    if (graph.weighted()) {
      out.print("{}\t{}\t{}\n", source, target, weight);
    } else {
      out.print("{}\t{}\n", source, target);
    }
  });
}

void write_edge_csv(const NamedGraph& named, Output& out) {
  const Graph& graph = named.graph;
  out.write(graph.weighted() ? "source,target,weight\n" : "source,target\n");
  for_each_edge(graph, [&](Index row, Index column, double weight) {
    out.print("{},{}", csv_name(named.names[row], out), csv_name(named.names[column], out));
    if (graph.weighted()) out.print(",{}", weight);
    out.write("\n");
  });
}

}  // namespace srgw::detail
