// SPDX-License-Identifier: MIT
#include "io/archive.hpp"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "base/message.hpp"
#include "io/formats.hpp"
#include "io/formats/npy.hpp"
#include "io/zip.hpp"

namespace srgw {

namespace {

using detail::fail_argument;
using detail::fail_at;
using nlohmann::json;

constexpr const char* header_key = "srgw_header";
constexpr const char* version_field = "version";
constexpr std::string_view array_ending = ".npy";

bool is_plain_word(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_';
  });
}

}  // namespace

namespace detail {

void write_archive(const io::Archive& archive, Output& out,
                   const std::map<std::string, SpooledArray>& spooled) {
  ZipWriter zip(out);
  const auto add_text = [&](const std::string& key, const std::string& text) {
    zip.add(key + std::string(array_ending), npy_text_header(text.size()), text);
  };
  json header = json::parse(archive.header());
  header[version_field] = archive.version();
  add_text(kind_key, archive.kind());
  add_text(header_key, header.dump());
  auto waiting = spooled.begin();
  const auto add_waiting = [&] {
    zip.add(waiting->first + std::string(array_ending), waiting->second.header,
            *waiting->second.values);
    ++waiting;
  };
  for (const auto& [name, array] : archive.arrays()) {
    while (waiting != spooled.end() && waiting->first < name) add_waiting();
    zip.add(name + std::string(array_ending), npy_header(array), bytes_of(array));
  }
  while (waiting != spooled.end()) add_waiting();
  zip.finish();
}

io::Archive ArchiveAccess::parse(const Input& input, std::string_view kind, int newest) {
  return name_file_in_errors(input.name, [&] {
    return io::Archive::from_members(read_zip(input), input.name, kind, newest);
  });
}

io::Archive ArchiveAccess::map(const Input& input, std::string_view kind, int newest) {
  return name_file_in_errors(input.name, [&] {
    return io::Archive::from_members(list_zip(input), input.name, kind, newest);
  });
}

}  // namespace detail

namespace io {

Archive Archive::read(const std::filesystem::path& path, std::string_view kind, int newest) {
  return detail::ArchiveAccess::parse(detail::open_input(path), kind, newest);
}

Archive Archive::parse(std::string_view bytes, std::shared_ptr<const void> owner,
                       const std::string& name, std::string_view kind, int newest) {
  return detail::ArchiveAccess::parse({name, bytes, std::move(owner)}, kind, newest);
}

Archive Archive::from_members(const std::vector<detail::ZipMember>& members,
                              const std::string& name, std::string_view kind, int newest) {
  Archive archive("", 0);
  archive.file_ = name;
  bool has_header = false;
  for (const auto& member : members) {
    if (!member.name.ends_with(array_ending)) {
      fail_at({name}, "member {}, expected arrays only", detail::quote(member.name));
    }
    const std::string key = member.name.substr(0, member.name.size() - array_ending.size());
    if (key == detail::kind_key) {
      archive.kind_ = detail::parse_npy_text(member.content);
    } else if (key == header_key) {
      archive.header_ = detail::parse_npy_text(member.content);
      has_header = true;
    } else {
      archive.arrays_.insert_or_assign(key, detail::parse_npy(member.content));
    }
  }
  if (archive.kind_.empty() || !has_header) {
    fail_at({name}, "no {}, expected an archive that this library wrote", detail::kind_key);
  }
  if (!kind.empty() && archive.kind_ != kind) {
    fail_at({name}, "holds a {}, expected a {}", archive.kind_, kind);
  }
  json header;
  if (!detail::is_nested_deeper(archive.header_, 100)) {
    header = json::parse(archive.header_, nullptr, false);
  }
  if (!header.is_object() || !header.contains(version_field) ||
      !header[version_field].is_number_integer()) {
    fail_at({name}, "the header is no JSON object with a version, expected one");
  }
  const auto version = header[version_field].get<std::int64_t>();
  if (version < 1 || version > newest) {
    fail_at({name}, "a {} of version {}, expected version 1 to {}; read it with a newer srgw",
            archive.kind_, version, newest);
  }
  archive.version_ = static_cast<int>(version);
  header.erase(version_field);
  archive.header_ = header.dump();
  return archive;
}

void Archive::write(const std::filesystem::path& path) const {
  detail::Output out(path);
  detail::write_archive(*this, out);
  out.finish();
}

void Archive::set_header(std::string text) {
  const json header = json::parse(text, nullptr, false);
  if (!header.is_object()) {
    fail_argument("header {}, expected a JSON object", detail::quote(text));
  }
  header_ = std::move(text);
}

void Archive::add(const std::string& name, Array array) {
  if (!is_plain_word(name)) {
    fail_argument("array {}, expected letters, digits and underscores", detail::quote(name));
  }
  Index count = 1;
  for (const Index size : array.shape) count *= size;
  const auto values =
      std::visit([](const auto& items) { return static_cast<Index>(items.size()); }, array.values);
  if (count != values) {
    fail_argument("array {} has {} values, expected {} by its shape", name, values, count);
  }
  if (name == detail::kind_key || name == header_key || has(name)) {
    fail_argument("array {} is there already, expected another name", name);
  }
  arrays_.emplace(name, std::move(array));
}

void Archive::add(const std::string& name, const Matrix& matrix) {
  add(name, {.shape = {matrix.rows(), matrix.cols()},
             .values = SharedArray<double>(
                 std::vector<double>(matrix.data(), matrix.data() + matrix.size()))});
}

const Array& Archive::array(const std::string& name) const {
  const auto found = arrays_.find(name);
  if (found == arrays_.end()) {
    fail_at({file_}, "no array {}, expected one in a {}", name, kind_);
  }
  return found->second;
}

Matrix Archive::matrix(const std::string& name) const {
  const Array& found = array(name);
  if (found.shape.size() != 2 || !std::holds_alternative<SharedArray<double>>(found.values)) {
    fail_type(name);
  }
  return detail::to_matrix(found, file_);
}

void Archive::fail_type(const std::string& name) const {
  fail_at({file_}, "array {} has another type than a {} has there", name, kind_);
}

}  // namespace io

}  // namespace srgw
