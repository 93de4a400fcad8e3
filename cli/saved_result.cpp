// SPDX-License-Identifier: MIT
#include "cli/saved_result.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "srgw/types.hpp"

namespace srgw::cli {

namespace {

using Json = nlohmann::ordered_json;

/// Ten million entries are 40 MB; larger results are drawn by the command that makes them.
constexpr Index most_drawn_entries = 10'000'000;

template <class T>
io::Array as_array(const SharedArray<T>& values) {
  return {.shape = {static_cast<Index>(values.size())}, .values = values};
}

void add_graph(io::Archive& archive, Json& header, const std::string& key, const Graph& graph) {
  const Csr& csr = graph.adjacency();
  std::visit([&](const auto& offsets) { archive.add(key + "_indptr", as_array(offsets)); },
             csr.offsets);
  archive.add(key + "_indices", as_array(csr.columns));
  if (csr.has_values()) archive.add(key + "_data", as_array(csr.values));
  header[key] = {
      {"nodes", graph.nodes()}, {"edges", graph.edges()}, {"directed", graph.directed()}};
}

[[noreturn]] void fail(const std::string& file, const std::string& what) {
  throw Error(Error::Kind::format, fmt::format("{}: {}", file, what));
}

Graph graph_of(const io::Archive& archive, const Json& header, const std::string& key) {
  Csr csr;
  const io::Array::Values& offsets = archive.array(key + "_indptr").values;
  if (const auto* narrow = std::get_if<SharedArray<std::uint32_t>>(&offsets)) {
    csr.offsets = *narrow;
  } else {
    csr.offsets = archive.values<std::uint64_t>(key + "_indptr");
  }
  csr.columns = archive.values<NodeId>(key + "_indices");
  if (archive.has(key + "_data")) csr.values = archive.values<double>(key + "_data");
  const bool directed = header.contains(key) && header[key].value("directed", false);
  return Graph::from_adjacency(std::move(csr), directed);
}

NodeNames names_of(const io::Archive& archive, const Json& header, const std::string& key,
                   Index count) {
  if (archive.has(key)) {
    const auto& ids = archive.values<std::int64_t>(key);
    return NodeNames(std::vector<std::int64_t>(ids.begin(), ids.end()));
  }
  if (header.contains(key)) return NodeNames(header[key].get<std::vector<std::string>>());
  return NodeNames::numbered(count);
}

/// Throws unless the parts of a result are about the same nodes.
void check_sizes(const SavedResult& result, const io::Archive& archive, const std::string& file) {
  const auto check = [&](Index found, Index expected, const char* what) {
    if (found != expected) fail(file, fmt::format("{} {}, expected {}", found, what, expected));
  };
  const Index nodes = result.source.nodes(), columns = result.plan.columns();
  check(result.names.size(), nodes, "names");
  check(result.plan.rows(), nodes, "rows of the plan");
  if (result.target) check(columns, result.target->nodes(), "columns of the plan");
  if (result.target) check(result.target_names.size(), columns, "names of the target");
  if (!archive.has("labels")) return;
  check(std::ssize(result.labels), nodes, "labels");
  for (const NodeId label : result.labels) {
    if (label >= std::max(nodes, columns)) {
      fail(file,
           fmt::format("label {}, expected labels below {}", label, std::max(nodes, columns)));
    }
  }
}

Plan plan_of(const io::Archive& archive, const std::string& file) {
  const auto& shape = archive.values<std::int64_t>("plan_shape");
  if (shape.size() != 2) fail(file, "plan_shape has no two numbers, expected rows and columns");
  // There is a weight for each column, so that no number of columns costs more than the file.
  if (shape[1] != std::ssize(archive.values<double>("target_weights").view())) {
    fail(file, fmt::format("{} columns of the plan, expected as many as target_weights", shape[1]));
  }
  const auto& weights = archive.values<double>("weights");
  const auto& offsets = archive.values<std::uint64_t>("plan_indptr");
  const auto& columns = archive.values<NodeId>("plan_indices");
  const auto& masses = archive.values<double>("plan_data");
  return Plan::from_rows(
      Eigen::Map<const Vector>(weights.data(), static_cast<Index>(weights.size())),
      {{offsets.begin(), offsets.end()},
       {columns.begin(), columns.end()},
       {masses.begin(), masses.end()}},
      shape[1]);
}

}  // namespace

void add_names(io::Archive& archive, Json& header, const std::string& key, const NodeNames& names) {
  if (names.are_indices()) return;
  if (names.are_numbers()) {
    std::vector<std::int64_t> ids;
    for (Index i = 0; i < names.size(); ++i) ids.push_back(names.number(i));
    archive.add(key, std::move(ids));
  } else {
    header[key] = Json::array();
    for (Index i = 0; i < names.size(); ++i) header[key].push_back(names[i]);
  }
}

void add_graphs(io::Archive& archive, Json& header, const ResultGraphs& graphs) {
  if (graphs.source == nullptr || graphs.source->adjacency().entries() > most_drawn_entries) return;
  if (graphs.target != nullptr && graphs.target->adjacency().entries() > most_drawn_entries) return;
  add_graph(archive, header, "graph", *graphs.source);
  if (graphs.target == nullptr) return;
  add_graph(archive, header, "target", *graphs.target);
  if (graphs.target_names != nullptr) {
    add_names(archive, header, "target_names", *graphs.target_names);
  }
}

std::string SavedResult::input(std::size_t k, const std::string& otherwise) const {
  if (!header.contains("inputs") || header["inputs"].size() <= k) return otherwise;
  return header["inputs"][k].value("file", otherwise);
}

SavedResult saved_result(const io::Archive& archive, const std::string& file) {
  if (!archive.has("graph_indptr")) {
    fail(file, fmt::format("has no graph: only graphs of up to {} entries are kept with a result; "
                           "give --picture to the command that makes it",
                           most_drawn_entries));
  }
  try {
    Json header = Json::parse(archive.header());
    Graph source = graph_of(archive, header, "graph");
    NodeNames names = names_of(archive, header, "names", source.nodes());
    SavedResult result{
        std::move(header), std::move(source), std::move(names), {}, {}, plan_of(archive, file), {}};
    if (archive.has("target_indptr")) {
      result.target = graph_of(archive, result.header, "target");
      result.target_names =
          names_of(archive, result.header, "target_names", result.target->nodes());
    }
    if (archive.has("labels")) {
      const auto& labels = archive.values<NodeId>("labels");
      result.labels.assign(labels.begin(), labels.end());
    }
    check_sizes(result, archive, file);
    return result;
  } catch (const Json::exception& error) {
    fail(file, fmt::format("its header is not that of a result: {}", error.what()));
  } catch (const Error& error) {
    if (error.kind() == Error::Kind::stopped) throw;
    fail(file, fmt::format("is no result that can be drawn: {}", error.what()));
  }
}

}  // namespace srgw::cli
