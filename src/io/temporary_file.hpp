// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

namespace srgw::detail {

/// The same file under a descriptor above those of the standard streams, which may be closed: what
/// is printed must not end up in a file that took their number.
[[nodiscard]] int above_standard(int file);

/// A file in the folder of `target` that has no name, so that nothing is left behind when the
/// process is killed; -1 where the file system has no such files. `access`: O_WRONLY or O_RDWR.
[[nodiscard]] int open_nameless(const std::filesystem::path& target, int access, unsigned mode);

/// A name in the folder of `target` that begins as its own and ends in `ending`, and is not longer
/// than file systems allow.
[[nodiscard]] std::filesystem::path beside(const std::filesystem::path& target,
                                           std::string_view ending);

/// A private file with a new name beside that of the target, which is returned in `name`; -1 and
/// errno where there can be none.
[[nodiscard]] int open_named(const std::filesystem::path& target, std::filesystem::path& name);

/// Writes all bytes, behind the last ones or at a place; false and errno where that fails.
[[nodiscard]] bool write_all(int file, std::string_view bytes,
                             std::optional<std::uint64_t> place = {});

/// The file that a name stands for: a link is written through, not replaced.
[[nodiscard]] std::filesystem::path resolve(const std::filesystem::path& path);

/// The mode of new files by the umask of the user. Not safe on several threads at once.
[[nodiscard]] unsigned new_file_mode();

}  // namespace srgw::detail
