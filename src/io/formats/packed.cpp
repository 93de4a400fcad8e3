// SPDX-License-Identifier: MIT
#include "io/formats/packed.hpp"

#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <variant>

#include "base/message.hpp"
#include "graph/csr_rows.hpp"
#include "io/archive.hpp"
#include "io/dataset_source.hpp"
#include "io/formats.hpp"

// One or many graphs in one archive: their rows one after the other, each graph with offsets that
// start at 0, so that a graph is a view into the file.
//
//   nodes    int64   (graphs)           nodes of each graph
//   flags    uint8   (graphs)           1: directed, 2: weighted
//   offsets  uint32 or uint64           nodes + 1 for each graph
//   columns  uint32                     entries of all graphs
//   values   float64                    entries of the weighted graphs

namespace srgw::detail {

namespace {

using io::Archive;
using io::Array;
using nlohmann::json;

constexpr std::uint8_t directed_flag = 1, weighted_flag = 2;

template <class Offset>
std::vector<Offset> all_offsets(std::span<const Graph> graphs) {
  std::vector<Offset> offsets;
  for (const Graph& graph : graphs) {
    std::visit(
        [&](const auto& array) {
          for (const auto offset : array) offsets.push_back(static_cast<Offset>(offset));
        },
        graph.adjacency().offsets);
  }
  return offsets;
}

/// One graph shares its rows with the archive; several are copied together.
template <class T, class Take>
Array join_arrays(std::span<const Graph> graphs, Take take) {
  if (graphs.size() == 1) {
    const SharedArray<T>& only = take(graphs[0].adjacency());
    return {.shape = {static_cast<Index>(only.size())}, .values = only};
  }
  std::vector<T> all;
  for (const Graph& graph : graphs) {
    const SharedArray<T>& part = take(graph.adjacency());
    all.insert(all.end(), part.begin(), part.end());
  }
  const auto size = std::ssize(all);
  return {.shape = {size}, .values = SharedArray<T>(std::move(all))};
}

void add_graphs(Archive& archive, std::span<const Graph> graphs) {
  std::vector<std::int64_t> nodes;
  std::vector<std::uint8_t> flags;
  bool wide = false;
  for (const Graph& graph : graphs) {
    nodes.push_back(graph.nodes());
    flags.push_back(static_cast<std::uint8_t>((graph.directed() ? directed_flag : 0) |
                                              (graph.weighted() ? weighted_flag : 0)));
    wide = wide || graph.adjacency().entries() > std::numeric_limits<std::uint32_t>::max();
  }
  archive.add("nodes", std::move(nodes));
  archive.add("flags", std::move(flags));
  if (wide) {
    archive.add("offsets", all_offsets<std::uint64_t>(graphs));
  } else {
    archive.add("offsets", all_offsets<std::uint32_t>(graphs));
  }
  archive.add("columns", join_arrays<NodeId>(graphs, [](const Csr& csr) { return csr.columns; }));
  archive.add("values", join_arrays<double>(graphs, [](const Csr& csr) { return csr.values; }));
}

/// Takes piece after piece of an array.
template <class T>
class Pieces {
 public:
  Pieces(SharedArray<T> array, std::string file, std::string_view what)
      : array_(std::move(array)), file_(std::move(file)), what_(what) {}
  SharedArray<T> take(std::size_t size) {
    if (array_.size() - at_ < size) fail();
    const auto view = array_.view().subspan(at_, size);
    at_ += size;
    return {view, owner_};
  }
  void finish() const {
    if (at_ != array_.size()) fail();
  }
  /// Gives the memory of what was taken back; a later look at it reads it again.
  void forget(const Input& input) {
    const auto items = array_.view().subspan(kept_, at_ - kept_);
    forget_pages(input, {reinterpret_cast<const char*>(items.data()), items.size_bytes()});
    kept_ = at_;
  }

 private:
  [[noreturn]] void fail() const {
    fail_at({file_}, "array {} has {} items, which do not fit the graphs, expected a whole file",
            what_, array_.size());
  }
  SharedArray<T> array_;
  std::shared_ptr<const void> owner_ = std::make_shared<SharedArray<T>>(array_);
  std::string file_;
  std::string_view what_;
  std::size_t at_ = 0, kept_ = 0;
};

/// The graphs of an archive, one after the other.
class PackedGraphs {
 public:
  PackedGraphs(const Archive& archive, const std::string& file)
      : file_(file),
        nodes_(archive.values<std::int64_t>("nodes")),
        flags_(archive.values<std::uint8_t>("flags")),
        offsets_(offsets_of(archive, file)),
        columns_(archive.values<NodeId>("columns"), file, "columns"),
        values_(archive.values<double>("values"), file, "values") {
    if (flags_.size() != nodes_.size()) {
      fail_at({file}, "{} flags for {} graphs, expected as many", flags_.size(), nodes_.size());
    }
  }

  [[nodiscard]] std::size_t size() const { return nodes_.size(); }

  std::vector<Graph> take(std::size_t count) {
    std::vector<Graph> graphs;
    graphs.reserve(count);
    for (; count > 0; --count) {
      const std::size_t graph = at_;
      PackedRows next = take_rows();
      try {
        graphs.push_back(Graph::from_adjacency(std::move(next.rows), next.directed));
      } catch (const Error& error) {
        fail_at({file_}, "graph {}: {}", graph, error.what());
      }
    }
    if (at_ == size()) finish();
    return graphs;
  }

  /// The rows of the next graph, which are not checked.
  PackedRows take_rows() {
    Csr csr;
    std::visit(
        [&](auto& pieces) {
          const auto rows = pieces.take(nodes_of(at_) + 1);
          csr.columns = columns_.take(rows[rows.size() - 1]);
          csr.offsets = rows;
        },
        offsets_);
    if ((flags_[at_] & weighted_flag) != 0) csr.values = values_.take(csr.columns.size());
    return {std::move(csr), (flags_[at_++] & directed_flag) != 0};
  }

  /// Throws unless the arrays end with the last graph.
  void finish() const {
    std::visit([](const auto& offsets) { offsets.finish(); }, offsets_);
    columns_.finish();
    values_.finish();
  }

  void forget(const Input& input) {
    std::visit([&](auto& offsets) { offsets.forget(input); }, offsets_);
    columns_.forget(input);
    values_.forget(input);
  }

 private:
  using Offsets = std::variant<Pieces<std::uint32_t>, Pieces<std::uint64_t>>;

  static Offsets offsets_of(const Archive& archive, const std::string& file) {
    if (std::holds_alternative<SharedArray<std::uint64_t>>(archive.array("offsets").values)) {
      return Pieces(archive.values<std::uint64_t>("offsets"), file, "offsets");
    }
    return Pieces(archive.values<std::uint32_t>("offsets"), file, "offsets");
  }

  [[nodiscard]] std::size_t nodes_of(std::size_t graph) const {
    constexpr std::int64_t most = std::numeric_limits<NodeId>::max();
    if (nodes_[graph] < 1 || nodes_[graph] > most) {
      fail_at({file_}, "graph {} has {} nodes, expected 1 to {}", graph, nodes_[graph], most);
    }
    return nodes_[graph];
  }

  std::string file_;
  SharedArray<std::int64_t> nodes_;
  SharedArray<std::uint8_t> flags_;
  Offsets offsets_;
  Pieces<NodeId> columns_;
  Pieces<double> values_;
  std::size_t at_ = 0;
};

/// The graphs of an archive that must have one only.
PackedGraphs open_one(const Archive& archive, const std::string& file) {
  PackedGraphs graphs(archive, file);
  if (graphs.size() == 1) return graphs;
  fail_at({file}, "{} graphs, expected 1; read it as a dataset", graphs.size());
}

/// Text goes into the header, numbers into arrays.
json add_attributes(Archive& archive, const std::vector<Attribute>& attributes,
                    const std::string& prefix) {
  json list = json::array();
  for (const Attribute& attribute : attributes) {
    json item{{"name", attribute.name}};
    const std::string key = prefix + std::to_string(list.size());
    if (const auto* texts = std::get_if<std::vector<std::string>>(&attribute.values)) {
      item["values"] = *texts;
    } else if (const auto* reals = std::get_if<std::vector<double>>(&attribute.values)) {
      archive.add(key, *reals);
      item["array"] = key;
    } else {
      archive.add(key, std::get<std::vector<std::int64_t>>(attribute.values));
      item["array"] = key;
    }
    list.push_back(std::move(item));
  }
  return list;
}

template <class T>
std::vector<T> to_vector(const SharedArray<T>& array) {
  return {array.begin(), array.end()};
}

std::vector<Attribute> read_attributes(const Archive& archive, const json& list,
                                       const std::string& file, std::size_t expected) {
  std::vector<Attribute> attributes;
  for (const json& item : list) {
    Attribute attribute{item.at("name").get<std::string>(), {}};
    if (item.contains("values")) {
      attribute.values = item["values"].get<std::vector<std::string>>();
    } else {
      const auto key = item.at("array").get<std::string>();
      if (std::holds_alternative<SharedArray<double>>(archive.array(key).values)) {
        attribute.values = to_vector(archive.values<double>(key));
      } else {
        attribute.values = to_vector(archive.values<std::int64_t>(key));
      }
    }
    const std::size_t size =
        std::visit([](const auto& values) { return values.size(); }, attribute.values);
    if (size != expected) {
      fail_at({file}, "attribute {} has {} values, expected {}", quote(attribute.name), size,
              expected);
    }
    attributes.push_back(std::move(attribute));
  }
  return attributes;
}

template <class Read>
auto name_header_errors(const std::string& file, Read read) {
  try {
    return read();
  } catch (const json::exception&) {
    fail_packed_header(file);
  }
}

Archive open(const Input& input, std::string_view kind) {
  return ArchiveAccess::parse(input, kind, newest_packed_version);
}

/// The graphs of a dataset with their labels and features, one after the other.
class PackedDataset final : public io::DatasetReader::Source {
 public:
  explicit PackedDataset(const Input& input)
      : input_(input), archive_(open(input, "dataset")), graphs_(archive_, input.name) {
    name_header_errors(input.name, [&] {
      const json header = json::parse(archive_.header());
      name_ = header.at("name").get<std::string>();
      names_ = header.at("names").get<std::vector<std::string>>();
      if (header.contains("classes")) header["classes"].get_to(classes_);
    });
    if (archive_.has("labels")) labels_ = archive_.values<std::int64_t>("labels");
    for (const auto& [count, what] :
         {std::pair(names_.size(), "names"), {labels_.size(), "labels"}}) {
      if (count == 0 || count == graphs_.size()) continue;
      fail_at({input.name}, "{} {} for {} graphs, expected as many", count, what, graphs_.size());
    }
    for (const char* key : {"node_labels", "edge_labels"}) {
      if (!archive_.has(key)) continue;
      (key == std::string_view("node_labels") ? node_labels_ : edge_labels_)
          .emplace(archive_.values<std::int64_t>(key), input.name, key);
    }
    if (archive_.has("node_features")) open_features();
  }

  [[nodiscard]] std::size_t graphs() const override { return graphs_.size(); }

  [[nodiscard]] Dataset read(std::size_t begin, std::size_t end) override {
    forget();
    Dataset dataset{
        .name = name_, .graphs = graphs_.take(end - begin), .classes = classes_, .first = begin};
    for (std::size_t g = begin; g < end; ++g) {
      if (!names_.empty()) dataset.names.push_back(names_[g]);
      if (labels_.size() > 0) dataset.labels.push_back(labels_[g]);
    }
    for (const Graph& graph : dataset.graphs) {
      const std::size_t nodes = graph.nodes();
      const std::size_t entries = graph.adjacency().entries();
      if (node_labels_) dataset.node_labels.push_back(to_vector(node_labels_->take(nodes)));
      if (edge_labels_) dataset.edge_labels.push_back(to_vector(edge_labels_->take(entries)));
      if (features_) dataset.node_features.emplace_back(take_features(graph.nodes()));
    }
    if (end == graphs()) finish();
    return dataset;
  }

  [[nodiscard]] std::vector<std::uint64_t> costs() override {
    std::vector<std::uint64_t> costs;
    costs.reserve(graphs());
    PackedGraphs all(archive_, input_.name);
    for (std::size_t g = 0; g < graphs(); ++g) {
      const Csr rows = all.take_rows().rows;
      costs.push_back(static_cast<std::uint64_t>(rows.rows() + rows.entries()));
    }
    all.forget(input_);
    return costs;
  }

  void skip(std::size_t end) override {
    for (std::size_t g = position; g < end; ++g) {
      const Csr rows = graphs_.take_rows().rows;
      if (node_labels_) static_cast<void>(node_labels_->take(rows.rows()));
      if (edge_labels_) static_cast<void>(edge_labels_->take(rows.entries()));
      if (features_) static_cast<void>(features_->take(rows.rows() * columns_));
    }
  }

 private:
  void open_features() {
    const Array& array = archive_.array("node_features");
    if (array.shape.size() != 2) {
      fail_at({input_.name}, "node_features has {} dimensions, expected 2", array.shape.size());
    }
    columns_ = array.shape[1];
    features_.emplace(archive_.values<double>("node_features"), input_.name, "node_features");
  }
  Matrix take_features(Index nodes) {
    const auto rows = features_->take(nodes * columns_);
    return MatrixSpan(rows.data(), nodes, columns_);
  }
  void forget() {
    graphs_.forget(input_);
    for (auto* labels : {&node_labels_, &edge_labels_}) {
      if (*labels) (*labels)->forget(input_);
    }
    if (features_) features_->forget(input_);
  }
  void finish() const {
    if (node_labels_) node_labels_->finish();
    if (edge_labels_) edge_labels_->finish();
    if (features_) features_->finish();
  }

  Input input_;
  Archive archive_;
  PackedGraphs graphs_;
  std::string name_;
  std::vector<std::string> names_, classes_;
  SharedArray<std::int64_t> labels_;
  std::optional<Pieces<std::int64_t>> node_labels_, edge_labels_;
  std::optional<Pieces<double>> features_;
  Index columns_ = 0;
};

std::vector<std::int64_t> concatenate(const std::vector<std::vector<std::int64_t>>& lists) {
  std::vector<std::int64_t> all;
  for (const auto& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

}  // namespace

void fail_packed_header(const std::string& file) {
  fail_at({file},
          "the JSON header lacks a field or has one of another type, expected a file that this "
          "library wrote");
}

PackedRows map_packed_rows(const Archive& archive, const std::string& file) {
  PackedGraphs graphs = open_one(archive, file);
  PackedRows rows = graphs.take_rows();
  graphs.finish();
  return rows;
}

NodeNames read_packed_names(const Archive& archive, const json& header, const std::string& file,
                            Index nodes, Index begin, Index end) {
  const auto check_count = [&](std::size_t count) {
    if (count == static_cast<std::size_t>(nodes)) return;
    fail_at({file}, "{} names for {} nodes, expected as many", count, nodes);
  };
  if (archive.has("node_ids")) {
    const auto& ids = archive.values<std::int64_t>("node_ids");
    check_count(ids.size());
    return NodeNames(std::vector<std::int64_t>(ids.begin() + begin, ids.begin() + end));
  }
  if (!header.contains("node_names")) return NodeNames::numbered(end - begin, begin);
  const json& texts = header["node_names"];
  check_count(texts.size());
  std::vector<std::string> own;
  for (Index i = begin; i < end; ++i) own.push_back(texts[i].get<std::string>());
  return NodeNames(std::move(own));
}

void write_packed_graph(const NamedGraph& named, Output& out) {
  Archive archive("graph", newest_packed_version);
  add_graphs(archive, {&named.graph, 1});
  json header = json::object();
  if (!named.names.are_indices()) {
    std::vector<std::string> names;
    std::vector<std::int64_t> ids;
    for (Index i = 0; i < named.names.size(); ++i) {
      if (named.names.are_numbers()) {
        ids.push_back(named.names.number(i));
      } else {
        names.push_back(named.names[i]);
      }
    }
    if (named.names.are_numbers()) {
      archive.add("node_ids", std::move(ids));
    } else {
      header["node_names"] = std::move(names);
    }
  }
  header["symmetrized"] = named.symmetrized;
  header["node_attributes"] = add_attributes(archive, named.node_attributes, "node_attribute_");
  header["edge_attributes"] = add_attributes(archive, named.edge_attributes, "edge_attribute_");
  archive.set_header(header.dump());
  write_archive(archive, out);
}

NamedGraph read_packed_graph(const Input& input, const ReadOptions& options) {
  const Archive archive = open(input, "graph");
  NamedGraph result{.graph = open_one(archive, input.name).take(1).front(), .names = {}};
  return name_header_errors(input.name, [&] {
    const json header = json::parse(archive.header());
    const Index nodes = result.graph.nodes();
    result.names = read_packed_names(archive, header, input.name, nodes, 0, nodes);
    result.symmetrized = header.at("symmetrized").get<bool>();
    result.node_attributes =
        read_attributes(archive, header.at("node_attributes"), input.name, nodes);
    result.edge_attributes = read_attributes(archive, header.at("edge_attributes"), input.name,
                                             result.graph.adjacency().entries());
    return symmetrize_if_asked(std::move(result), options);
  });
}

void write_packed_dataset(const Dataset& dataset, const std::filesystem::path& path) {
  Archive archive("dataset", newest_packed_version);
  add_graphs(archive, dataset.graphs);
  if (!dataset.labels.empty()) archive.add("labels", dataset.labels);
  if (!dataset.node_labels.empty()) archive.add("node_labels", concatenate(dataset.node_labels));
  if (!dataset.edge_labels.empty()) archive.add("edge_labels", concatenate(dataset.edge_labels));
  if (!dataset.node_features.empty()) {
    std::vector<double> all;
    for (const Matrix& features : dataset.node_features) {
      all.insert(all.end(), features.data(), features.data() + features.size());
    }
    const Index columns = dataset.node_features[0].cols();
    const Index rows = columns == 0 ? 0 : std::ssize(all) / columns;
    archive.add("node_features",
                Array{.shape = {rows, columns}, .values = SharedArray<double>(std::move(all))});
  }
  json header{{"name", dataset.name}, {"names", dataset.names}};
  if (!dataset.classes.empty()) header["classes"] = dataset.classes;
  archive.set_header(header.dump());
  archive.write(path);
}

std::unique_ptr<io::DatasetReader::Source> open_packed_dataset(const Input& input) {
  return std::make_unique<PackedDataset>(input);
}

}  // namespace srgw::detail
