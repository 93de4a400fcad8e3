// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace srgw::detail {

/// The bytes of a file: mapped where it can be, read otherwise, unpacked when it is gzipped.
struct Input {
  std::string name;  ///< what messages call it
  std::string_view bytes;
  std::shared_ptr<const void> owner;  ///< keeps the bytes alive
  bool mapped = false;                ///< from a file, which can be read again
};

/// Gives the memory of a part of a mapped file back; it is read again when it is looked at again.
/// Nothing happens to other bytes.
void forget_pages(const Input& input, std::string_view part);

/// `limit` bounds what a gzipped file, or a pipe, may grow to; by default see default_limit().
[[nodiscard]] Input open_input(const std::filesystem::path& path,
                               std::optional<std::uint64_t> limit = {});

/// Bytes that are in memory already, unpacked when they are gzipped.
[[nodiscard]] Input memory_input(std::string_view bytes, std::string name,
                                 std::optional<std::uint64_t> limit = {});

/// The limit that a packed file of this size may grow to by default: more than graphs
/// as text need, less than the thousandfold that deflate can reach.
[[nodiscard]] constexpr std::uint64_t default_limit(std::uint64_t packed) {
  constexpr std::uint64_t gigabyte = std::uint64_t{1} << 30;
  return packed > gigabyte / 64 ? 64 * packed : gigabyte;
}

/// Unpacks a deflate stream: `window_bits` as zlib has it (-15 raw, 31 gzip). At most `limit` bytes
/// are made; a stream that is cut short, wrong or too long is refused.
[[nodiscard]] std::string inflate(std::string_view packed, int window_bits, std::uint64_t limit,
                                  const std::string& name);

}  // namespace srgw::detail
