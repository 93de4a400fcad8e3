// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "io/input.hpp"
#include "io/output.hpp"
#include "srgw/io.hpp"
#include "srgw/types.hpp"

namespace srgw::detail {

/// The array in a .npy file. Its values stay where they are if they are aligned, in a type that
/// Array has, in row-major order, and the input owns its bytes.
[[nodiscard]] io::Array parse_npy(const Input& input);
/// The values of a vector in a .npy file, where they lie: at any address.
struct NpyVector {
  std::string type;  ///< as NumPy writes it, for example <f8
  std::size_t size = 0;
  const char* bytes = nullptr;

  template <class T>
  [[nodiscard]] T at(std::size_t i) const {
    T value;
    std::memcpy(&value, bytes + i * sizeof(T), sizeof(T));
    return value;
  }
};
/// Nothing where it is no vector of numbers in little-endian order; parse_npy() says why.
[[nodiscard]] std::optional<NpyVector> view_npy(const Input& input);
/// Calls `work(value at i)` with a function that gives the values in the type of the file.
template <class Work>
decltype(auto) with_type_of(const NpyVector& vector, const Work& work) {
  const auto as = [&]<class T>(T) -> decltype(auto) {
    return work([&vector](std::size_t i) { return vector.at<T>(i); });
  };
  const std::string_view type = std::string_view(vector.type).substr(1);
  if (type == "f8") return as(double{});
  if (type == "f4") return as(float{});
  if (type == "i8") return as(std::int64_t{});
  if (type == "i4") return as(std::int32_t{});
  if (type == "i2") return as(std::int16_t{});
  if (type == "i1") return as(std::int8_t{});
  if (type == "u8") return as(std::uint64_t{});
  if (type == "u4") return as(std::uint32_t{});
  if (type == "u2") return as(std::uint16_t{});
  return as(std::uint8_t{});  // u1 and b1
}

/// The text in a .npy file that holds one string or an array of bytes.
[[nodiscard]] std::string parse_npy_text(const Input& input);

/// The header in front of the values of an array; its length is a multiple of 64.
[[nodiscard]] std::string npy_header(const io::Array& array);
/// The header in front of a string.
[[nodiscard]] std::string npy_text_header(std::size_t length);
/// The values as bytes.
[[nodiscard]] std::string_view bytes_of(const io::Array& array);

/// One or two dimensions as a matrix; one is a column.
[[nodiscard]] Matrix to_matrix(const io::Array& array, const std::string& name);
/// One dimension of whole numbers.
[[nodiscard]] std::vector<std::int64_t> to_integers(const io::Array& array,
                                                    const std::string& name);
[[nodiscard]] std::vector<double> to_doubles(const io::Array& array);

}  // namespace srgw::detail
