// SPDX-License-Identifier: MIT
#include <iterator>
#include <span>

#include "base/message.hpp"
#include "io/formats.hpp"
#include "io/formats/npy.hpp"
#include "io/output.hpp"
#include "io/shared_output.hpp"
#include "ranks/parcel.hpp"
#include "srgw/io.hpp"

namespace srgw::io {

namespace {

char separator_of(const std::filesystem::path& path) {
  const std::string extension = detail::extension_of(path);
  if (extension == ".npy") return 0;
  if (extension != ".csv" && extension != ".tsv") {
    detail::fail_argument("{}: the ending {} is unknown, expected .npy .csv or .tsv", path.string(),
                          detail::quote(extension));
  }
  return extension == ".tsv" ? '\t' : ',';
}

std::string header_of(char separator, Index rows, Index columns, const std::string& first_column) {
  if (separator == 0) {
    return detail::npy_header({.shape = {rows, columns}, .values = SharedArray<double>()});
  }
  std::string header = first_column;
  for (Index k = 0; k < columns; ++k) header += fmt::format("{}{}", separator, k);
  return header + "\n";
}

void append_row(char separator, std::string_view name, std::span<const double> row,
                std::string& text) {
  if (separator == 0) {
    text.append(reinterpret_cast<const char*>(row.data()), row.size_bytes());
    return;
  }
  if (name.find_first_of("\r\n") != std::string_view::npos) {
    detail::fail_argument("a row is called {}, which a line cannot hold; write .npy",
                          detail::quote(name));
  }
  auto out = std::back_inserter(text);
  text += detail::csv_field(name, separator);
  for (const double x : row) fmt::format_to(out, "{}{}", separator, x);
  text += '\n';
}

std::span<const double> row_of(MatrixView matrix, Index i) {
  return {matrix.data() + i * matrix.outerStride(), static_cast<std::size_t>(matrix.cols())};
}

/// Rows of a known size go to their place at once.
struct PlacedRows final : detail::Sink {
  PlacedRows(const std::filesystem::path& path, Ranks& ranks, std::uint64_t begin)
      : out(path, ranks), place(begin) {}
  void write(std::string_view bytes) override {
    out.write_at(place, bytes);
    place += bytes.size();
  }
  void finish() override { out.finish(); }
  detail::SharedOutput out;
  std::uint64_t place;
};

}  // namespace

struct RowsWriter::Impl {
  char separator;  // 0: binary
  Index rows, columns;
  Share own;
  std::unique_ptr<detail::Sink> sink;
  Index written = 0;
  std::string buffer = {};

  [[nodiscard]] Index left() const { return static_cast<Index>(own.size()) - written; }
  void flush() {
    sink->write(buffer);
    buffer.clear();
  }
};

RowsWriter::RowsWriter(const std::filesystem::path& path, Index rows, Index columns,
                       const std::string& first_column)
    : RowsWriter(path, rows, columns, {0, static_cast<std::size_t>(rows)}, nullptr, first_column) {}

RowsWriter::RowsWriter(const std::filesystem::path& path, Index rows, Index columns,
                       const Share& own, Ranks* ranks, const std::string& first_column)
    : impl_(std::make_unique<Impl>(Impl{separator_of(path), rows, columns, own, nullptr})) {
  const std::string header = header_of(impl_->separator, rows, columns, first_column);
  const bool begins = ranks == nullptr || ranks->first();  // with what stands above the rows
  if (ranks != nullptr && impl_->separator == 0 && detail::is_shared_file(path, *ranks)) {
    const std::uint64_t row_bytes = static_cast<std::uint64_t>(columns) * sizeof(double);
    const std::uint64_t place = begins ? 0 : header.size() + own.begin * row_bytes;
    impl_->sink = std::make_unique<PlacedRows>(path, *ranks, place);
  } else {
    impl_->sink = detail::open_sink(path, ranks);
  }
  if (begins) impl_->buffer = header;
}
RowsWriter::RowsWriter(RowsWriter&&) noexcept = default;
RowsWriter& RowsWriter::operator=(RowsWriter&&) noexcept = default;
RowsWriter::~RowsWriter() = default;

void RowsWriter::append(MatrixView rows, std::span<const std::string> names) {
  constexpr std::size_t flush_size = std::size_t{1} << 18;
  if (rows.cols() != impl_->columns || rows.rows() > impl_->left()) {
    detail::fail_argument("{} more rows of {} columns, expected {} at most of {}", rows.rows(),
                          rows.cols(), impl_->left(), impl_->columns);
  }
  if (!names.empty() && std::ssize(names) != rows.rows()) {
    detail::fail_argument("{} names for {} rows, expected as many", names.size(), rows.rows());
  }
  for (Index i = 0; i < rows.rows(); ++i, ++impl_->written) {
    const fmt::format_int number(static_cast<Index>(impl_->own.begin) + impl_->written);
    const std::string_view name =
        names.empty() ? std::string_view(number.data(), number.size()) : names[i];
    append_row(impl_->separator, name, row_of(rows, i), impl_->buffer);
    if (impl_->buffer.size() >= flush_size) impl_->flush();
  }
}

void RowsWriter::finish() {
  if (impl_->left() != 0) {
    detail::fail_argument("{} rows of {}, expected all", impl_->written, impl_->own.size());
  }
  impl_->flush();
  impl_->sink->finish();
}

void write_features(MatrixView features, const NodeNames& names,
                    const std::filesystem::path& path) {
  if (features.rows() != names.size()) {
    detail::fail_argument("{} rows of features for {} nodes, expected as many", features.rows(),
                          names.size());
  }
  const char separator = separator_of(path);
  detail::Output out(path);
  out.write(header_of(separator, features.rows(), features.cols(), "node"));
  std::string line;
  for (Index i = 0; i < features.rows(); ++i) {
    const std::string name = names[i];
    if (separator != 0 && name.find_first_of("\r\n") != std::string::npos) {
      detail::fail_argument("{}: a node is called {}, which a line cannot hold; write .npy",
                            out.name(), detail::quote(name));
    }
    line.clear();
    append_row(separator, name, row_of(features, i), line);
    out.write(line);
  }
  out.finish();
}

}  // namespace srgw::io
