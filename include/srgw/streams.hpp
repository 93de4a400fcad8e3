// SPDX-License-Identifier: MIT
//
// Datasets and tables of any length, part by part.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>

#include "srgw/dataset.hpp"
#include "srgw/io.hpp"
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
  /// The next graphs, `count` at most; none: there are no more. Dataset::first tells where they
  /// begin.
  [[nodiscard]] Dataset next(std::size_t count);

  struct Source;

 private:
  std::unique_ptr<Source> source_;
};

/// A table that is written as its rows come: .npy, or .csv or .tsv with the number of each row.
class RowsWriter {
 public:
  /// Throws when the ending is another one, or the file cannot be written.
  RowsWriter(const std::filesystem::path& path, Index rows, Index columns);
  RowsWriter(RowsWriter&&) noexcept;
  RowsWriter& operator=(RowsWriter&&) noexcept;
  ~RowsWriter();

  void append(MatrixView rows);
  /// The file gets its name; throws unless all rows have come.
  void finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace srgw::io
