// SPDX-License-Identifier: MIT
#include "io/zip.hpp"

#include <zlib.h>

#include <algorithm>
#include <limits>

#include "base/message.hpp"
#include "base/stop.hpp"
#include "io/text.hpp"

// Names of records and fields are those of PKWARE's APPNOTE. Sizes and positions that do not fit
// into 32 bits are all ones there and stand in 64 bits elsewhere (Zip64).

namespace srgw::detail {

namespace {

constexpr std::uint32_t local_signature = 0x04034b50, central_signature = 0x02014b50,
                        end_signature = 0x06054b50, end64_signature = 0x06064b50,
                        locator_signature = 0x07064b50;
constexpr std::size_t local_bytes = 30, central_bytes = 46, end_bytes = 22, end64_bytes = 56,
                      locator_bytes = 20;
constexpr std::uint64_t all_ones = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint16_t zip64_field = 0x0001;
constexpr std::uint16_t padding_field = 0x5047;  // readers skip fields that they do not know

/// Reads numbers of a record; whatever lies outside of the archive makes it damaged.
class Record {
 public:
  Record(const Input& input, std::uint64_t at, std::uint64_t size) : input_(input) {
    if (at > input.bytes.size() || input.bytes.size() - at < size) fail();
    bytes_ = input.bytes.substr(at, size);
  }
  [[nodiscard]] std::uint64_t number(std::size_t at, std::size_t size) const {
    if (at > bytes_.size() || bytes_.size() - at < size) fail();
    std::uint64_t result = 0;
    for (std::size_t i = size; i-- > 0;) {
      result = result << 8 | static_cast<unsigned char>(bytes_[at + i]);
    }
    return result;
  }
  [[nodiscard]] std::string_view text(std::size_t at, std::size_t size) const {
    if (at > bytes_.size() || bytes_.size() - at < size) fail();
    return bytes_.substr(at, size);
  }
  [[noreturn]] void fail() const {
    fail_at({input_.name}, "the archive is damaged or cut short, expected a whole one");
  }

 private:
  const Input& input_;
  std::string_view bytes_;
};

struct Directory {
  std::uint64_t at = 0, members = 0;
};

Directory find_directory(const Input& input) {
  const std::string_view bytes = input.bytes;
  constexpr std::size_t longest_comment = 0xFFFF;
  const std::size_t from =
      bytes.size() > longest_comment + end_bytes ? bytes.size() - longest_comment - end_bytes : 0;
  const std::size_t found = bytes.rfind("PK\x05\x06");
  if (!bytes.starts_with("PK") || found == std::string_view::npos || found < from) {
    fail_at({input.name}, "{}",
            bytes.starts_with("PK")
                ? "the archive is cut short, expected its directory at the end; fetch it again"
                : "does not start like a zip archive, expected an .npz file");
  }
  const Record end(input, found, end_bytes);
  Directory directory{end.number(16, 4), end.number(10, 2)};
  if (directory.at == all_ones || directory.members == 0xFFFF) {
    if (found < locator_bytes) end.fail();
    const Record locator(input, found - locator_bytes, locator_bytes);
    if (locator.number(0, 4) != locator_signature) end.fail();
    const Record wide(input, locator.number(8, 8), end64_bytes);
    if (wide.number(0, 4) != end64_signature) end.fail();
    directory = {wide.number(48, 8), wide.number(32, 8)};
  }
  if (directory.members > bytes.size() / central_bytes) end.fail();
  return directory;
}

/// Sizes and place of a member, from the directory.
struct Place {
  std::uint64_t packed = 0, size = 0, at = 0;
};

Place wide_place(const Record& extra, std::size_t length, Place place) {
  for (std::size_t at = 0; at + 4 <= length;) {
    const std::size_t size = extra.number(at + 2, 2);
    if (extra.number(at, 2) == zip64_field) {
      std::size_t field = at + 4;
      for (std::uint64_t* value : {&place.size, &place.packed, &place.at}) {
        if (*value != all_ones) continue;
        *value = extra.number(field, 8);
        field += 8;
      }
    }
    at += 4 + size;
  }
  return place;
}

void append(std::string& bytes, std::uint64_t number, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    bytes += static_cast<char>(number & 0xFFU);
    number >>= 8;
  }
}

std::uint32_t checksum(std::uint32_t before, std::string_view bytes) {
  if (bytes.empty()) return before;  // zlib takes no bytes for a new start
  return static_cast<std::uint32_t>(
      ::crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

/// Walks over the directory; `limit` absent: contents are left alone.
std::vector<ZipMember> members_of(const Input& input, std::optional<std::uint64_t> limit);

}  // namespace

std::uint32_t checksum_of(const Input& input, std::string_view bytes) {
  constexpr std::size_t piece = std::size_t{1} << 26;
  const bool large = bytes.size() > piece;
  std::uint32_t sum = 0;
  while (!bytes.empty()) {
    throw_if_stopped();
    const std::string_view part = bytes.substr(0, piece);
    sum = checksum(sum, part);
    if (large) forget_pages(input, part);
    bytes.remove_prefix(part.size());
  }
  return sum;
}

void fail_checksum(const std::string& name) {
  fail_at({name}, "the bytes do not match their checksum, expected undamaged data; fetch it again");
}

std::vector<ZipMember> read_zip(const Input& input, std::optional<std::uint64_t> limit) {
  return members_of(input, limit.value_or(default_limit(input.bytes.size())));
}

std::vector<ZipMember> list_zip(const Input& input) { return members_of(input, std::nullopt); }

namespace {

std::vector<ZipMember> members_of(const Input& input, std::optional<std::uint64_t> limit) {
  const bool reads = limit.has_value();
  std::uint64_t left = limit.value_or(0);
  const Directory directory = find_directory(input);
  std::vector<ZipMember> members;
  std::uint64_t at = directory.at;
  for (std::uint64_t i = 0; i < directory.members; ++i) {
    const Record entry(input, at, central_bytes);
    if (entry.number(0, 4) != central_signature) entry.fail();
    const std::size_t name_length = entry.number(28, 2), extra_length = entry.number(30, 2);
    const Record names(input, at + central_bytes, name_length + extra_length);
    const std::string name(names.text(0, name_length));
    const std::string shown_name = fmt::format("{}({})", input.name, name);
    const Record extra(input, at + central_bytes + name_length, extra_length);
    const Place place = wide_place(extra, extra_length,
                                   {entry.number(20, 4), entry.number(24, 4), entry.number(42, 4)});
    if ((entry.number(8, 2) & 1U) != 0) fail_at({shown_name}, "encrypted, expected plain data");
    const Record local(input, place.at, local_bytes);
    if (local.number(0, 4) != local_signature) local.fail();
    const std::uint64_t data_at =
        place.at + local_bytes + local.number(26, 2) + local.number(28, 2);
    const std::string_view data = Record(input, data_at, place.packed).text(0, place.packed);
    const std::uint64_t method = entry.number(10, 2);
    ZipMember member{name,
                     {shown_name, data, input.owner},
                     method == 0,
                     static_cast<std::uint32_t>(entry.number(16, 4))};
    if (method == 8 && !reads) {
      member.content.bytes = {};
    } else if (method == 8) {
      if (place.size > left) {
        fail_resource(
            "{}: unpacks to {} bytes, expected at most {}; raise the limit of bytes if "
            "this is meant",
            shown_name, place.size, left);
      }
      auto unpacked =
          std::make_shared<const std::string>(inflate(data, -15, place.size + 1, shown_name));
      member.content = {shown_name, *unpacked, unpacked};
      left -= place.size;
    } else if (method != 0) {
      fail_at({shown_name}, "packed by method {}, expected stored or deflated data", method);
    }
    const bool left_out = !member.stored && !reads;
    const bool whole = left_out || member.content.bytes.size() == place.size;
    if (!whole || (reads && checksum_of(input, member.content.bytes) != member.checksum)) {
      fail_checksum(shown_name);
    }
    members.push_back(std::move(member));
    at += central_bytes + name_length + extra_length + entry.number(32, 2);
  }
  return members;
}

}  // namespace

void ZipWriter::add(const std::string& name, std::string_view head, std::string_view body) {
  begin({name, checksum(checksum(0, head), body), head.size() + body.size(), out_.position()});
  out_.write(head);
  out_.write(body);
}

void ZipWriter::add(const std::string& name, std::string_view head, const Spool& body) {
  std::uint32_t sum = checksum(0, head);
  body.for_each_piece([&](std::string_view piece) { sum = checksum(sum, piece); });
  begin({name, sum, head.size() + body.size(), out_.position()});
  out_.write(head);
  body.for_each_piece([&](std::string_view piece) { out_.write(piece); });
}

void ZipWriter::begin(Member member) {
  constexpr std::size_t alignment = 64, wide_bytes = 20, field_head = 4;
  const std::string& name = member.name;
  const std::uint64_t unpadded = member.at + local_bytes + name.size() + wide_bytes + field_head;
  const std::size_t padding = (alignment - unpadded % alignment) % alignment;
  std::string header;
  append(header, local_signature, 4);
  append(header, 45, 2);          // version needed: Zip64
  append(header, 0, 2);           // flags
  append(header, 0, 2);           // stored
  append(header, 0x00210000, 4);  // 1 January 1980: the same bytes every time
  append(header, member.checksum, 4);
  append(header, all_ones, 4);
  append(header, all_ones, 4);
  append(header, name.size(), 2);
  append(header, wide_bytes + field_head + padding, 2);
  header += name;
  append(header, zip64_field, 2);
  append(header, wide_bytes - field_head, 2);
  append(header, member.size, 8);
  append(header, member.size, 8);
  append(header, padding_field, 2);
  append(header, padding, 2);
  header += std::string(padding, '\0');
  out_.write(header);
  members_.push_back(std::move(member));
}

void ZipWriter::finish() {
  const std::uint64_t directory_at = out_.position();
  for (const Member& member : members_) {
    constexpr std::size_t wide_bytes = 28;
    std::string entry;
    append(entry, central_signature, 4);
    append(entry, 45, 2);
    append(entry, 45, 2);
    append(entry, 0, 2);
    append(entry, 0, 2);
    append(entry, 0x00210000, 4);
    append(entry, member.checksum, 4);
    append(entry, all_ones, 4);
    append(entry, all_ones, 4);
    append(entry, member.name.size(), 2);
    append(entry, wide_bytes, 2);
    append(entry, 0, 10);  // no comment, first disk, no attributes
    append(entry, all_ones, 4);
    entry += member.name;
    append(entry, zip64_field, 2);
    append(entry, wide_bytes - 4, 2);
    append(entry, member.size, 8);
    append(entry, member.size, 8);
    append(entry, member.at, 8);
    out_.write(entry);
  }
  const std::uint64_t end_at = out_.position(), size = end_at - directory_at;
  std::string end;
  append(end, end64_signature, 4);
  append(end, end64_bytes - 12, 8);
  append(end, 45, 2);
  append(end, 45, 2);
  append(end, 0, 8);
  append(end, members_.size(), 8);
  append(end, members_.size(), 8);
  append(end, size, 8);
  append(end, directory_at, 8);
  append(end, locator_signature, 4);
  append(end, 0, 4);
  append(end, end_at, 8);
  append(end, 1, 4);
  append(end, end_signature, 4);
  append(end, 0, 4);
  append(end, std::min<std::uint64_t>(members_.size(), 0xFFFF), 2);
  append(end, std::min<std::uint64_t>(members_.size(), 0xFFFF), 2);
  append(end, std::min(size, all_ones), 4);
  append(end, all_ones, 4);
  append(end, 0, 2);
  out_.write(end);
}

}  // namespace srgw::detail
