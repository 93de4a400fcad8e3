// SPDX-License-Identifier: MIT
#pragma once

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
/// The text in a .npy file that holds one string or an array of bytes.
[[nodiscard]] std::string parse_npy_text(const Input& input);

/// The header in front of the values of an array; its length is a multiple of 64.
[[nodiscard]] std::string npy_header(const io::Array& array);
/// The same for a string.
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
