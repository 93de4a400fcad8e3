// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "base/message.hpp"
#include "io/dataset_source.hpp"
#include "io/datasets.hpp"
#include "io/formats.hpp"
#include "io/formats/packed.hpp"
#include "ranks/parcel.hpp"

namespace srgw::io {

namespace {

template <class T>
std::vector<T> part(const std::vector<T>& all, std::size_t begin, std::size_t end) {
  if (all.empty()) return {};
  return {all.begin() + static_cast<std::ptrdiff_t>(begin),
          all.begin() + static_cast<std::ptrdiff_t>(end)};
}

/// A dataset that could only be read as a whole.
struct WholeDataset final : DatasetReader::Source {
  explicit WholeDataset(Dataset read) : whole(std::move(read)) {}
  [[nodiscard]] std::size_t graphs() const override { return whole.graphs.size(); }
  [[nodiscard]] Dataset read(std::size_t begin, std::size_t end) override {
    return {.name = whole.name,
            .graphs = part(whole.graphs, begin, end),
            .names = part(whole.names, begin, end),
            .labels = part(whole.labels, begin, end),
            .classes = whole.classes,
            .node_labels = part(whole.node_labels, begin, end),
            .node_features = part(whole.node_features, begin, end),
            .edge_labels = part(whole.edge_labels, begin, end),
            .first = begin,
            .left_out = whole.left_out};
  }
  [[nodiscard]] std::vector<std::uint64_t> costs() override {
    std::vector<std::uint64_t> costs;
    for (const Graph& graph : whole.graphs) {
      costs.push_back(static_cast<std::uint64_t>(graph.nodes() + graph.adjacency().entries()));
    }
    return costs;
  }
  Dataset whole;
};

std::unique_ptr<DatasetReader::Source> open(const std::filesystem::path& path,
                                            const ReadOptions& options) {
  if (!std::filesystem::is_directory(path)) {
    return detail::open_packed_dataset(detail::open_input(path, options.max_unpacked_bytes));
  }
  if (!detail::tud_name(path).empty()) {
    return std::make_unique<WholeDataset>(detail::read_tud(path, options));
  }
  return detail::open_graph_folder(path, options);
}

}  // namespace

DatasetReader::DatasetReader(const std::filesystem::path& path, const ReadOptions& options)
    : source_(detail::name_file_in_errors(path.string(), [&] { return open(path, options); })) {}
DatasetReader::DatasetReader(DatasetReader&&) noexcept = default;
DatasetReader& DatasetReader::operator=(DatasetReader&&) noexcept = default;
DatasetReader::~DatasetReader() = default;

std::size_t DatasetReader::graphs() const { return source_->graphs(); }

Dataset DatasetReader::next(std::size_t count) {
  const std::size_t begin = source_->position;
  const std::size_t end = begin + std::min(count, source_->graphs() - begin);
  Dataset dataset = source_->read(begin, end);
  source_->position = end;
  check(dataset);
  return dataset;
}

std::vector<std::uint64_t> DatasetReader::costs() { return source_->costs(); }

void DatasetReader::skip_to(std::size_t graph) {
  if (graph < source_->position || graph > source_->graphs()) {
    detail::fail_argument("graph {} of {} after {}, expected one that comes later", graph,
                          source_->graphs(), source_->position);
  }
  source_->skip(graph);
  source_->position = graph;
}

Share share_of(DatasetReader& reader, const Ranks* ranks) {
  if (ranks == nullptr) return {0, reader.graphs(), reader.graphs()};
  const std::vector<std::size_t> starts = detail::cut_by_cost(reader.costs(), ranks->count());
  const std::size_t rank = ranks->rank();
  return {starts[rank], starts[rank + 1], reader.graphs()};
}

DatasetShare read_share(const std::filesystem::path& path, const ReadOptions& options,
                        Ranks* ranks) {
  DatasetReader reader(path, options);
  const Share share = share_of(reader, ranks);
  reader.skip_to(share.begin);
  DatasetShare read{reader.next(share.size()), share};
  if (ranks == nullptr) return read;
  Dataset& dataset = read.dataset;
  const bool any = dataset.graphs.empty();  // who has no graphs does not mind
  std::array<std::int64_t, 2> known{any || !dataset.node_labels.empty() ? 1 : 0,
                                    any || !dataset.node_features.empty() ? 1 : 0};
  ranks->least(known);
  if (known[0] == 0) dataset.node_labels.clear();
  if (known[1] == 0) dataset.node_features.clear();
  return read;
}

Dataset read_dataset(const std::filesystem::path& path, const ReadOptions& options) {
  DatasetReader reader(path, options);
  return reader.next(reader.graphs());
}

}  // namespace srgw::io
