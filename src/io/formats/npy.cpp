// SPDX-License-Identifier: MIT
#include "io/formats/npy.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "base/message.hpp"
#include "base/whole_numbers.hpp"
#include "graph/csr_rows.hpp"
#include "io/formats.hpp"
#include "io/text.hpp"

namespace srgw::detail {

namespace {

using io::Array;

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t alignment = 64;

/// The header of a .npy file.
struct Description {
  std::string type;  // as in '<f8'
  bool column_major = false;
  std::vector<Index> shape;
  std::size_t values_at = 0;

  [[nodiscard]] std::size_t count() const {
    std::size_t result = 1;
    for (const Index size : shape) result *= size;
    return result;
  }
};

[[noreturn]] void fail_header(const Input& input) {
  fail_at({input.name, 1}, "the header of the array is broken, expected one that NumPy writes");
}

/// The text behind `key` in the text of a Python dictionary.
std::string_view value_of(const Input& input, std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) fail_header(input);
  text.remove_prefix(at + key.size());
  const std::size_t begin = text.find_first_not_of(" :");
  if (begin == std::string_view::npos) fail_header(input);
  return text.substr(begin);
}

std::vector<Index> parse_shape(const Input& input, std::string_view text) {
  const std::size_t end = text.find(')');
  if (!text.starts_with('(') || end == std::string_view::npos) fail_header(input);
  text = text.substr(1, end - 1);
  std::vector<Index> shape;
  std::uint64_t total = 1;
  while (!trim(text).empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const auto size = to_integer(trim(text.substr(0, comma)));
    if (!size || *size < 0) fail_header(input);
    // More values than there are bytes cannot be, and must not overflow.
    if (__builtin_mul_overflow(total, static_cast<std::uint64_t>(*size), &total)) {
      fail_header(input);
    }
    shape.push_back(*size);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return shape;
}

Description describe(const Input& input) {
  const std::string_view bytes = input.bytes;
  if (!bytes.starts_with(magic) || bytes.size() < 12) {
    fail_at({input.name}, "does not start like a NumPy array, expected an .npy file");
  }
  const auto byte = [&](std::size_t i) {
    return std::size_t{static_cast<unsigned char>(bytes[i])};
  };
  const bool wide = byte(6) >= 2;
  if (byte(6) < 1 || byte(6) > 3) {
    fail_at({input.name}, "version {} of the .npy format, expected 1 to 3", byte(6));
  }
  const std::size_t begin = wide ? 12 : 10;
  const std::size_t length =
      wide ? byte(8) | byte(9) << 8 | byte(10) << 16 | byte(11) << 24 : byte(8) | byte(9) << 8;
  if (bytes.size() - begin < length) {
    fail_at({input.name}, "cut short inside the header, expected a whole file");
  }
  const std::string_view header = bytes.substr(begin, length);
  Description result;
  const std::string_view type = value_of(input, header, "'descr'");
  if (type.starts_with('[')) {
    fail_at({input.name}, "an array of records, expected plain numbers");
  }
  const std::size_t quote = type.find('\'', 1);
  if (!type.starts_with('\'') || quote == std::string_view::npos) fail_header(input);
  result.type = type.substr(1, quote - 1);
  result.column_major = value_of(input, header, "'fortran_order'").starts_with("True");
  result.shape = parse_shape(input, value_of(input, header, "'shape'"));
  result.values_at = begin + length;
  return result;
}

void check_size(const Input& input, const Description& about, std::size_t item_bytes) {
  const std::size_t left = input.bytes.size() - about.values_at;
  std::uint64_t wanted = 0;
  if (__builtin_mul_overflow(about.count(), item_bytes, &wanted) || wanted != left) {
    fail_at({input.name}, "{} bytes of values, expected {} items of {} bytes; was it cut short?",
            left, about.count(), item_bytes);
  }
}

template <class T>
std::vector<T> copy_values(const char* bytes, const Description& about) {
  std::vector<T> values(about.count());
  if (!values.empty()) std::memcpy(values.data(), bytes, values.size() * sizeof(T));
  return values;
}

template <class T>
std::vector<T> row_major(const std::vector<T>& values, const Description& about) {
  const std::size_t rows = about.shape[0];
  const std::size_t columns = about.shape[1];
  std::vector<T> result(values.size());
  for (std::size_t j = 0; j < columns; ++j) {
    for (std::size_t i = 0; i < rows; ++i) result[i * columns + j] = values[j * rows + i];
  }
  return result;
}

template <class Stored, class T = Stored>
Array take(const Input& input, const Description& about) {
  check_size(input, about, sizeof(Stored));
  const char* bytes = input.bytes.data() + about.values_at;
  const bool turned = about.column_major && about.shape.size() > 1;
  if (turned && about.shape.size() > 2) {
    fail_at({input.name}, "{} dimensions in column-major order, expected at most 2",
            about.shape.size());
  }
  if constexpr (std::is_same_v<Stored, T>) {
    const bool aligned = reinterpret_cast<std::uintptr_t>(bytes) % alignof(T) == 0;
    if (aligned && !turned && input.owner) {
      return {about.shape,
              SharedArray<T>({reinterpret_cast<const T*>(bytes), about.count()}, input.owner)};
    }
  }
  std::vector<Stored> values = copy_values<Stored>(bytes, about);
  if (turned) values = row_major(values, about);
  if constexpr (std::is_same_v<Stored, T>) {
    return {about.shape, SharedArray<T>(std::move(values))};
  } else {
    return {about.shape, SharedArray<T>(std::vector<T>(values.begin(), values.end()))};
  }
}

struct TypeName {
  template <class T>
  std::string_view operator()(const SharedArray<T>&) const {
    if constexpr (std::is_same_v<T, double>) return "<f8";
    if constexpr (std::is_same_v<T, float>) return "<f4";
    if constexpr (std::is_same_v<T, std::int64_t>) return "<i8";
    if constexpr (std::is_same_v<T, std::int32_t>) return "<i4";
    if constexpr (std::is_same_v<T, std::uint64_t>) return "<u8";
    if constexpr (std::is_same_v<T, std::uint32_t>) return "<u4";
    return "|u1";
  }
};

std::string header_text(std::string_view type, const std::string& shape) {
  std::string text =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", type, shape);
  constexpr std::size_t fixed = 10;
  const std::size_t padding = (alignment - (fixed + text.size() + 1) % alignment) % alignment;
  text += std::string(padding, ' ') + '\n';
  std::string result(magic);
  result +=
      {'\x01', '\x00', static_cast<char>(text.size() & 0xFFU), static_cast<char>(text.size() >> 8)};
  return result + text;
}

}  // namespace

Array parse_npy(const Input& input) {
  const Description about = describe(input);
  const std::string type = about.type.substr(about.type.empty() ? 0 : 1);
  const bool swapped = about.type.starts_with('>');
  if (type == "b1" || type == "u1") return take<std::uint8_t>(input, about);
  if (type == "i1") return take<std::int8_t, std::int32_t>(input, about);
  if (!swapped) {
    if (type == "f8") return take<double>(input, about);
    if (type == "f4") return take<float>(input, about);
    if (type == "i8") return take<std::int64_t>(input, about);
    if (type == "i4") return take<std::int32_t>(input, about);
    if (type == "i2") return take<std::int16_t, std::int32_t>(input, about);
    if (type == "u8") return take<std::uint64_t>(input, about);
    if (type == "u4") return take<std::uint32_t>(input, about);
    if (type == "u2") return take<std::uint16_t, std::int32_t>(input, about);
  }
  if (type == "O") {
    fail_at({input.name}, "pickled Python objects, expected numbers; they are never loaded");
  }
  fail_at({input.name}, "values of type {}, expected whole or real numbers in little-endian order",
          quote(about.type));
}

std::optional<NpyVector> view_npy(const Input& input) {
  constexpr std::array types{std::pair{"f8", 8}, std::pair{"f4", 4}, std::pair{"i8", 8},
                             std::pair{"i4", 4}, std::pair{"i2", 2}, std::pair{"i1", 1},
                             std::pair{"u8", 8}, std::pair{"u4", 4}, std::pair{"u2", 2},
                             std::pair{"u1", 1}, std::pair{"b1", 1}};
  const Description about = describe(input);
  if (about.shape.size() != 1 || about.type.empty() || about.type.starts_with('>')) return {};
  for (const auto& [type, bytes] : types) {
    if (about.type.substr(1) != type) continue;
    check_size(input, about, bytes);
    return NpyVector{about.type, about.count(), input.bytes.data() + about.values_at};
  }
  return {};
}

std::string parse_npy_text(const Input& input) {
  const Description about = describe(input);
  const std::string_view values = input.bytes.substr(about.values_at);
  if (about.type == "|u1" || about.type.starts_with("|S")) {
    const std::size_t end = values.find('\0');
    return std::string(values.substr(0, end));
  }
  if (!about.type.starts_with("<U")) {
    fail_at({input.name}, "values of type {}, expected text", quote(about.type));
  }
  std::string text;  // four bytes a character; all names that matter are ASCII
  for (std::size_t i = 0; i + 3 < values.size() && values[i] != '\0'; i += 4) text += values[i];
  return text;
}

std::string npy_header(const Array& array) {
  std::string shape;
  for (const Index size : array.shape) shape += fmt::format("{}, ", size);
  if (array.shape.size() > 1) shape.resize(shape.size() - 2);
  if (array.shape.size() == 1) shape.pop_back();
  return header_text(std::visit(TypeName{}, array.values), shape);
}

std::string npy_text_header(std::size_t length) {
  return header_text(fmt::format("|S{}", length), "");
}

std::string_view bytes_of(const Array& array) {
  return std::visit(
      []<class T>(const SharedArray<T>& values) {
        return std::string_view(reinterpret_cast<const char*>(values.data()),
                                values.size() * sizeof(T));
      },
      array.values);
}

Matrix to_matrix(const Array& array, const std::string& name) {
  if (array.shape.empty() || array.shape.size() > 2) {
    fail_at({name}, "{} dimensions, expected 1 or 2", array.shape.size());
  }
  Matrix matrix(array.shape[0], array.shape.size() == 2 ? array.shape[1] : 1);
  std::visit(
      [&](const auto& values) {
        for (std::size_t i = 0; i < values.size(); ++i) {
          matrix.data()[i] = static_cast<double>(values[i]);
        }
      },
      array.values);
  return matrix;
}

std::vector<double> to_doubles(const Array& array) {
  return std::visit(
      [](const auto& values) {
        std::vector<double> result;
        result.reserve(values.size());
        for (const auto value : values) result.push_back(static_cast<double>(value));
        return result;
      },
      array.values);
}

std::vector<std::int64_t> to_integers(const Array& array, const std::string& name) {
  if (array.shape.size() != 1) {
    fail_at({name}, "{} dimensions, expected 1", array.shape.size());
  }
  return std::visit(
      [&]<class T>(const SharedArray<T>& values) {
        std::vector<std::int64_t> result;
        result.reserve(values.size());
        for (const T value : values) {
          if constexpr (std::is_floating_point_v<T>) {
            constexpr auto most = static_cast<double>(largest_exact_integer);
            if (!(std::abs(value) <= most) || std::floor(value) != value) {
              fail_at({name}, "value {}, expected whole numbers", value);
            }
          } else if constexpr (std::is_same_v<T, std::uint64_t>) {
            if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
              fail_at({name}, "value {}, expected numbers below 2^63", value);
            }
          }
          result.push_back(static_cast<std::int64_t>(value));
        }
        return result;
      },
      array.values);
}

NamedGraph read_dense_npy(const Input& input, const ReadOptions& options) {
  refuse_index_base(input, options);
  const Array array = parse_npy(input);
  if (array.shape.size() != 2 || array.shape[0] != array.shape[1] || array.shape[0] == 0) {
    fail_at({input.name}, "an array of {} dimensions{}, expected a square matrix",
            array.shape.size(),
            array.shape.size() == 2 ? fmt::format(" ({} x {})", array.shape[0], array.shape[1])
                                    : std::string());
  }
  const std::size_t n = array.shape[0];
  std::vector<Entry> entries;
  std::visit(
      [&](const auto& values) {
        for (std::size_t i = 0; i < values.size(); ++i) {
          const auto value = static_cast<double>(values[i]);
          if (!std::isfinite(value)) {
            fail_at({input.name}, "entry ({}, {}) is {}, expected a finite number", i / n, i % n,
                    value);
          }
          if (value != 0) {
            entries.push_back({static_cast<NodeId>(i / n), static_cast<NodeId>(i % n), value});
          }
        }
      },
      array.values);
  const Index nodes = count_nodes({input.name}, array.shape[0], options);
  return matrix_graph(make_csr(nodes, entries, Duplicates::refuse), options);
}

void write_dense_npy(const NamedGraph& named, Output& out) {
  require_no_names(named, out, "a matrix");
  const Csr& csr = named.graph.adjacency();
  const Index n = csr.rows();
  const Array about{.shape = {n, n}, .values = SharedArray<double>()};
  out.write(npy_header(about));
  std::vector<double> row(n);
  with_rows(csr, [&](const auto& rows) {
    for (Index i = 0; i < n; ++i) {
      std::fill(row.begin(), row.end(), 0.0);
      for (std::size_t k = rows.begin(i); k < rows.end(i); ++k) {
        if (rows.value(k) == 0) {
          fail_argument("{}: edge {} {} has weight 0, which a dense matrix cannot hold", out.name(),
                        i, rows.columns[k]);
        }
        row[rows.columns[k]] = rows.value(k);
      }
      out.write({reinterpret_cast<const char*>(row.data()), row.size() * sizeof(double)});
    }
  });
}

}  // namespace srgw::detail

namespace srgw::io {

Matrix read_matrix(const std::filesystem::path& path) {
  const detail::Input input = detail::open_input(path);
  return detail::name_file_in_errors(
      input.name, [&] { return detail::to_matrix(detail::parse_npy(input), input.name); });
}

void write_matrix(MatrixView matrix, const std::filesystem::path& path) {
  detail::Output out(path);
  out.write(detail::npy_header(
      {.shape = {matrix.rows(), matrix.cols()}, .values = SharedArray<double>()}));
  for (Index i = 0; i < matrix.rows(); ++i) {
    out.write({reinterpret_cast<const char*>(matrix.data() + i * matrix.outerStride()),
               static_cast<std::size_t>(matrix.cols()) * sizeof(double)});
  }
  out.finish();
}

}  // namespace srgw::io
