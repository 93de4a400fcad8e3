// SPDX-License-Identifier: MIT
#pragma once

#include "io/output.hpp"
#include "srgw/io.hpp"

namespace srgw::detail {

/// The member of an .npz that says what kind of archive it is.
inline constexpr const char* kind_key = "srgw_kind";

void write_archive(const io::Archive& archive, Output& out);

}  // namespace srgw::detail
