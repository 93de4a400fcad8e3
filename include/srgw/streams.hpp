// SPDX-License-Identifier: MIT
//
// Datasets and tables of any length, part by part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "srgw/dataset.hpp"
#include "srgw/io.hpp"
#include "srgw/ranks.hpp"
#include "srgw/types.hpp"

namespace srgw::io {

/// The graphs of a dataset in their order, some at a time. Of a packed .npz and of a folder of
/// graph files no more than these are in memory; a TUDataset, and what is gzipped, is read whole.
class DatasetReader {
 public:
  /// Throws as read_dataset() does.
  explicit DatasetReader(const std::filesystem::path& path, const ReadOptions& options = {});
  DatasetReader(DatasetReader&&) noexcept;
  DatasetReader& operator=(DatasetReader&&) noexcept;
  ~DatasetReader();

  [[nodiscard]] std::size_t graphs() const;  ///< of the whole dataset
  /// What there is to do for each graph of the dataset: its nodes and entries, or the bytes of its
  /// file.
  [[nodiscard]] std::vector<std::uint64_t> costs();
  /// Goes on with this graph, which is not before the next one.
  void skip_to(std::size_t graph);
  /// The next graphs, `count` at most; none: there are no more. Dataset::first tells where they
  /// begin.
  [[nodiscard]] Dataset next(std::size_t count);

  struct Source;

 private:
  std::unique_ptr<Source> source_;
};

/// Graphs [begin, end) of a dataset of `total`.
struct Share {
  std::size_t begin = 0, end = 0, total = 0;
  [[nodiscard]] std::size_t size() const { return end - begin; }
};
/// The graphs that this rank takes: ranks have consecutive ones that cost about the same, and may
/// have none. Without ranks (null): all of them.
[[nodiscard]] Share share_of(DatasetReader& reader, const Ranks* ranks);

/// The graphs of this rank; Dataset::first tells where they begin. What only some graphs of the
/// dataset have is left out on every rank, as read_dataset() does. Collective.
struct DatasetShare {
  Dataset dataset;
  Share share;
};
[[nodiscard]] DatasetShare read_share(const std::filesystem::path& path, const ReadOptions& options,
                                      Ranks* ranks);

/// A table that is written as its rows come: .npy, or .csv or .tsv with the number of each row.
class RowsWriter {
 public:
  /// Throws when the ending is another one, or the file cannot be written.
  RowsWriter(const std::filesystem::path& path, Index rows, Index columns);
  /// One file from all ranks, which each bring the rows of their share. Collective, as finish() is
  /// then; without ranks (null) as above.
  RowsWriter(const std::filesystem::path& path, Index rows, Index columns, const Share& own,
             Ranks* ranks);
  RowsWriter(RowsWriter&&) noexcept;
  RowsWriter& operator=(RowsWriter&&) noexcept;
  ~RowsWriter();

  /// The next rows.
  void append(MatrixView rows);
  /// The file gets its name; throws unless all rows have come.
  void finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace srgw::io
