// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>

#include "io/input.hpp"
#include "io/output.hpp"
#include "io/spool.hpp"
#include "srgw/io.hpp"

namespace srgw::detail {

/// The member of an .npz that says what kind of archive it is.
inline constexpr const char* kind_key = "srgw_kind";

/// An array that waits in a file: its .npy header, and its values.
struct SpooledArray {
  std::string header;
  const Spool* values = nullptr;
};

/// Arrays are written in the order of their names, those that wait among those of the archive.
void write_archive(const io::Archive& archive, Output& out,
                   const std::map<std::string, SpooledArray>& spooled = {});

/// Archives from input that is open already.
struct ArchiveAccess {
  [[nodiscard]] static io::Archive parse(const Input& input, std::string_view kind, int newest);
  /// Maps arrays that are stored as they are. Their bytes are not looked at, so checksums are
  /// left to the caller.
  [[nodiscard]] static io::Archive map(const Input& input, std::string_view kind, int newest);
};

}  // namespace srgw::detail
