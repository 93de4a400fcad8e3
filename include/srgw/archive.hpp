// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "srgw/types.hpp"

namespace srgw::detail {
struct ArchiveAccess;
struct ZipMember;
}  // namespace srgw::detail

namespace srgw::io {

/// An array of numbers in row-major order.
struct Array {
  using Values = std::variant<SharedArray<double>, SharedArray<float>, SharedArray<std::int64_t>,
                              SharedArray<std::int32_t>, SharedArray<std::uint64_t>,
                              SharedArray<std::uint32_t>, SharedArray<std::uint8_t>>;
  std::vector<Index> shape;
  Values values;
};

/// Named arrays and a JSON header in one file: what models, results and packed graphs are saved as.
/// The file is an .npz without pickled objects, so NumPy reads it too; its arrays are stored as
/// they are and aligned to 64 bytes, so that reading maps them.
class Archive {
 public:
  /// `kind` says what the file is (`graph`, `model`, ...), `version` how to read that kind.
  Archive(std::string kind, int version) : kind_(std::move(kind)), version_(version) {}

  /// Throws when the file is no archive, is cut short, is of another kind (unless `kind` is empty)
  /// or of a version above `newest`.
  [[nodiscard]] static Archive read(const std::filesystem::path& path, std::string_view kind,
                                    int newest);
  /// The same from memory that `owner` keeps; without an owner arrays are copied.
  [[nodiscard]] static Archive parse(std::string_view bytes, std::shared_ptr<const void> owner,
                                     const std::string& name, std::string_view kind, int newest);
  void write(const std::filesystem::path& path) const;

  [[nodiscard]] const std::string& kind() const { return kind_; }
  [[nodiscard]] int version() const { return version_; }
  /// A JSON object; anything that is no array.
  [[nodiscard]] const std::string& header() const { return header_; }
  /// Throws unless the text is a JSON object.
  void set_header(std::string json);

  /// Throws when the name is taken, is no plain word, or the shape does not fit the values.
  void add(const std::string& name, Array array);
  template <class T>
  void add(const std::string& name, std::vector<T> values) {
    const auto size = static_cast<Index>(values.size());
    add(name, {.shape = {size}, .values = SharedArray<T>(std::move(values))});
  }
  void add(const std::string& name, const Matrix& matrix);

  [[nodiscard]] bool has(const std::string& name) const { return arrays_.contains(name); }
  /// Throws when there is no such array.
  [[nodiscard]] const Array& array(const std::string& name) const;
  /// The values of an array; throws when they are of another type.
  template <class T>
  [[nodiscard]] const SharedArray<T>& values(const std::string& name) const {
    const auto* found = std::get_if<SharedArray<T>>(&array(name).values);
    if (found == nullptr) fail_type(name);
    return *found;
  }
  /// An array of doubles with two dimensions.
  [[nodiscard]] Matrix matrix(const std::string& name) const;
  [[nodiscard]] const std::map<std::string, Array>& arrays() const { return arrays_; }

 private:
  friend struct detail::ArchiveAccess;
  [[noreturn]] void fail_type(const std::string& name) const;
  static Archive from_members(const std::vector<detail::ZipMember>& members,
                              const std::string& name, std::string_view kind, int newest);

  std::string kind_;
  int version_ = 1;
  std::string header_ = "{}";
  std::string file_ = "archive";  // what messages call it
  std::map<std::string, Array> arrays_;
};

}  // namespace srgw::io
