// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <map>

#include "base/message.hpp"
#include "graph/csr_rows.hpp"
#include "io/archive.hpp"
#include "io/formats.hpp"
#include "io/formats/npy.hpp"
#include "io/formats/packed.hpp"
#include "io/formats/scipy_rows.hpp"
#include "io/zip.hpp"

// Files of scipy.sparse.save_npz: members format, shape and data, with indices and indptr (csr,
// csc) or row and col (coo).

namespace srgw::detail {

namespace {

using io::Array;

class SparseReader {
 public:
  using Members = std::map<std::string, Input>;

  SparseReader(const Input& input, const Members& members, const ReadOptions& options)
      : input_(input), members_(members), options_(options) {}

  NamedGraph read() {
    if (!members_.contains("format.npy")) {
      fail_at({input_.name},
              "no member format, expected a sparse matrix of SciPy or a packed graph "
              "of this library");
    }
    const std::string format = parse_npy_text(member("format"));
    const auto shape = to_integers(parse_npy(member("shape")), member("shape").name);
    if (shape.size() != 2 || shape[0] != shape[1] || shape[0] < 1) {
      fail_at({input_.name}, "a matrix of shape {} x {}, expected a square one",
              shape.empty() ? 0 : shape[0], shape.size() < 2 ? 0 : shape[1]);
    }
    check_promised_nodes({input_.name}, static_cast<std::uint64_t>(shape[0]), input_, options_);
    nodes_ = shape[0];
    if (format == "csr") {
      if (auto graph = read_sorted_rows()) return std::move(*graph);
    }
    values_ = to_doubles(parse_npy(member("data")));
    if (format == "coo") {
      add_coordinates(integers("row"), integers("col"));
    } else if (format == "csr" || format == "csc") {
      add_rows(integers("indptr"), integers("indices"), format == "csc");
    } else {
      fail_at({input_.name},
              "a matrix in format {}, expected csr, csc or coo; convert it with "
              "tocsr()",
              quote(format));
    }
    return make();
  }

 private:
  /// Nothing where something is wrong or has to be merged: the slow path says what.
  std::optional<NamedGraph> read_sorted_rows() const {
    const auto offsets = view_npy(member("indptr"));
    const auto columns = view_npy(member("indices"));
    const auto values = view_npy(member("data"));
    if (!offsets || !columns || !values) return {};
    const Index nodes = count_nodes({input_.name}, nodes_, options_);
    auto rows = rows_of_scipy({*offsets, *columns, *values}, nodes_, nodes, options_.threads);
    if (!rows) return {};
    forget_pages(input_, input_.bytes);
    return matrix_graph(std::move(*rows), options_);
  }

  const Input& member(const std::string& name) const {
    const auto found = members_.find(name + ".npy");
    if (found == members_.end()) fail_at({input_.name}, "no member {}, expected one", name);
    return found->second;
  }
  std::vector<std::int64_t> integers(const std::string& name) const {
    return to_integers(parse_npy(member(name)), member(name).name);
  }

  void add(std::int64_t row, std::int64_t column, std::size_t entry) {
    if (row < 0 || row >= nodes_ || column < 0 || column >= nodes_) {
      fail_at({input_.name}, "entry {} is at ({}, {}), expected indices from 0 to {}", entry, row,
              column, nodes_ - 1);
    }
    if (!std::isfinite(values_[entry])) {
      fail_at({input_.name}, "entry {} is {}, expected a finite number", entry, values_[entry]);
    }
    edges_.add(static_cast<NodeId>(row), static_cast<NodeId>(column), values_[entry]);
  }

  void check_count(std::size_t size) const {
    if (size != values_.size()) {
      fail_at({input_.name}, "{} indices for {} values, expected as many", size, values_.size());
    }
  }

  void add_coordinates(const std::vector<std::int64_t>& rows,
                       const std::vector<std::int64_t>& columns) {
    check_count(rows.size());
    check_count(columns.size());
    for (std::size_t i = 0; i < values_.size(); ++i) add(rows[i], columns[i], i);
  }

  void add_rows(const std::vector<std::int64_t>& offsets, const std::vector<std::int64_t>& indices,
                bool by_column) {
    check_count(indices.size());
    if (std::ssize(offsets) != nodes_ + 1 || offsets.front() != 0 ||
        offsets.back() != std::ssize(indices)) {
      fail_at({input_.name}, "indptr does not run from 0 to {} in {} steps, expected that",
              indices.size(), nodes_);
    }
    // All of them before any is used: a fall behind a large one would lead beyond the end.
    for (std::size_t row = 0; row + 1 < offsets.size(); ++row) {
      if (offsets[row] > offsets[row + 1]) {
        fail_at({input_.name}, "indptr falls from {} to {}, expected it to rise", offsets[row],
                offsets[row + 1]);
      }
    }
    for (std::size_t row = 0; row + 1 < offsets.size(); ++row) {
      for (std::size_t i = offsets[row]; i < static_cast<std::size_t>(offsets[row + 1]); ++i) {
        const auto at = static_cast<std::int64_t>(row);
        if (by_column) {
          add(indices[i], at, i);
        } else {
          add(at, indices[i], i);
        }
      }
    }
  }

  NamedGraph make() {
    EdgeList list{.nodes = count_nodes({input_.name}, nodes_, options_), .directed = true};
    list.chunks.push_back(std::move(edges_));
    const Graph arcs = make_graph(
        std::move(list), options_.duplicates, options_.threads, [&](const DuplicateEdge& edge) {
          fail_at({input_.name},
                  "entry ({}, {}) is given twice, as {} and {}; expected once, or a rule for "
                  "duplicates: sum, max or first",
                  edge.source, edge.target, edge.first, edge.second);
        });
    return matrix_graph(arcs.adjacency(), options_);
  }

  const Input& input_;
  const Members& members_;
  const ReadOptions& options_;
  Index nodes_ = 0;
  std::vector<double> values_;
  EdgeChunk edges_;
};

}  // namespace

NamedGraph read_npz(const Input& input, const ReadOptions& options) {
  refuse_index_base(input, options);
  std::map<std::string, Input> members;
  for (ZipMember& member : read_zip(input, options.max_unpacked_bytes)) {
    members.emplace(member.name, std::move(member.content));
  }
  const bool packed = members.contains(std::string(kind_key) + ".npy");
  return packed ? read_packed_graph(input, options) : SparseReader(input, members, options).read();
}

void write_scipy_npz(const NamedGraph& named, Output& out) {
  require_no_names(named, out, "a matrix");
  const Csr& csr = named.graph.adjacency();
  ZipWriter zip(out);
  const auto add = [&](const std::string& name, const Array& array) {
    zip.add(name + ".npy", npy_header(array), bytes_of(array));
  };
  const auto as_array = [](auto values) {
    const auto size = std::ssize(values);
    using T = typename decltype(values)::value_type;
    return Array{.shape = {size}, .values = SharedArray<T>(std::move(values))};
  };
  // SciPy wants one type for all indices.
  std::vector<std::int64_t> offsets;
  std::visit([&](const auto& array) { offsets.assign(array.begin(), array.end()); }, csr.offsets);
  std::vector<std::int64_t> columns(csr.columns.begin(), csr.columns.end());
  std::vector<double> values(csr.columns.size(), 1.0);
  if (csr.has_values()) values.assign(csr.values.begin(), csr.values.end());
  add("indices", as_array(std::move(columns)));
  add("indptr", as_array(std::move(offsets)));
  zip.add("format.npy", npy_text_header(3), "csr");
  add("shape", as_array(std::vector<std::int64_t>{csr.rows(), csr.rows()}));
  add("data", as_array(std::move(values)));
  zip.finish();
}

}  // namespace srgw::detail
