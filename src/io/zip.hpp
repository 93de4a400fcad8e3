// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/input.hpp"
#include "io/output.hpp"
#include "io/spool.hpp"

namespace srgw::detail {

/// The files in a zip archive, each named `ARCHIVE(MEMBER)` in messages. Stored members stay where
/// they are, deflated ones are unpacked, all together to no more than the limit. Throws when the
/// archive is damaged or cut short.
struct ZipMember {
  std::string name;
  Input content;
  bool stored = true;
  std::uint32_t checksum = 0;  ///< as the archive has it
};
[[nodiscard]] std::vector<ZipMember> read_zip(const Input& input,
                                              std::optional<std::uint64_t> limit = {});
/// Lists the members without reading their bytes: checksums are left to the caller, and deflated
/// members have no content.
[[nodiscard]] std::vector<ZipMember> list_zip(const Input& input);
/// The CRC-32 of bytes that may be more than the memory holds.
[[nodiscard]] std::uint32_t checksum_of(const Input& input, std::string_view bytes);
[[noreturn]] void fail_checksum(const std::string& name);

/// Writes members one after the other, stored as they are and aligned to 64 bytes.
class ZipWriter {
 public:
  explicit ZipWriter(Output& out) : out_(out) {}

  /// A member whose bytes are `head` followed by `body`.
  void add(const std::string& name, std::string_view head, std::string_view body);
  void add(const std::string& name, std::string_view head, const Spool& body);
  /// Writes the directory, without which nothing can be read.
  void finish();

 private:
  struct Member {
    std::string name;
    std::uint32_t checksum = 0;
    std::uint64_t size = 0, at = 0;
  };

  /// Writes what stands before the bytes of a member.
  void begin(Member member);

  Output& out_;
  std::vector<Member> members_;
};

}  // namespace srgw::detail
