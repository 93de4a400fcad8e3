// SPDX-License-Identifier: MIT
#include "io/formats.hpp"
#include "io/npy.hpp"
#include "io/output.hpp"
#include "message.hpp"
#include "srgw/streams.hpp"

namespace srgw::io {

namespace {

char separator_of(const std::filesystem::path& path) {
  const std::string extension = detail::extension_of(path);
  if (extension == ".npy") return 0;
  if (extension != ".csv" && extension != ".tsv") {
    detail::fail_argument("{}: the ending {} is unknown, expected .npy .csv or .tsv", path.string(),
                          detail::shown(extension));
  }
  return extension == ".tsv" ? '\t' : ',';
}

}  // namespace

struct RowsWriter::Impl {
  Impl(const std::filesystem::path& path, Index rows_, Index columns_)
      : separator(separator_of(path)), rows(rows_), columns(columns_), out(path) {}

  char separator;  // 0: binary
  Index rows, columns;
  Index written = 0;
  detail::Output out;
};

RowsWriter::RowsWriter(const std::filesystem::path& path, Index rows, Index columns)
    : impl_(std::make_unique<Impl>(path, rows, columns)) {
  if (impl_->separator == 0) {
    impl_->out.write(
        detail::npy_header({.shape = {rows, columns}, .values = SharedArray<double>()}));
    return;
  }
  impl_->out.write("node");
  for (Index k = 0; k < columns; ++k) impl_->out.print("{}{}", impl_->separator, k);
  impl_->out.write("\n");
}
RowsWriter::RowsWriter(RowsWriter&&) noexcept = default;
RowsWriter& RowsWriter::operator=(RowsWriter&&) noexcept = default;
RowsWriter::~RowsWriter() = default;

void RowsWriter::append(MatrixView rows) {
  if (rows.cols() != impl_->columns || impl_->written + rows.rows() > impl_->rows) {
    detail::fail_argument("{} more rows of {} columns, expected {} at most of {}", rows.rows(),
                          rows.cols(), impl_->rows - impl_->written, impl_->columns);
  }
  for (Index i = 0; i < rows.rows(); ++i, ++impl_->written) {
    const double* row = rows.data() + i * rows.outerStride();
    if (impl_->separator == 0) {
      impl_->out.write({reinterpret_cast<const char*>(row),
                        static_cast<std::size_t>(impl_->columns) * sizeof(double)});
      continue;
    }
    impl_->out.print("{}", impl_->written);
    for (Index k = 0; k < impl_->columns; ++k) impl_->out.print("{}{}", impl_->separator, row[k]);
    impl_->out.write("\n");
  }
}

void RowsWriter::finish() {
  if (impl_->written != impl_->rows) {
    detail::fail_argument("{} rows of {}, expected all", impl_->written, impl_->rows);
  }
  impl_->out.finish();
}

}  // namespace srgw::io
