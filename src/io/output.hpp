// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>

namespace srgw::detail {

/// A file being written. It gets its name only when finish() is called, so that nobody sees half of
/// it and a former file survives a failure; devices, pipes and standard output (`-`) are written as
/// they come. A name that ends in .gz is packed. Writing polls the StopScope: a file that is
/// stopped does not appear.
class Output {
 public:
  explicit Output(const std::filesystem::path& path);
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  ~Output();

  void write(std::string_view bytes);
  template <class... Args>
  void print(fmt::format_string<Args...> text, Args&&... args) {
    fmt::format_to(std::back_inserter(buffer_), text, std::forward<Args>(args)...);
    if (buffer_.size() >= flush_size) flush();
  }
  void finish();

  [[nodiscard]] const std::string& name() const { return name_; }
  /// Bytes written so far, before packing.
  [[nodiscard]] std::uint64_t position() const { return flushed_ + buffer_.size(); }

 private:
  static constexpr std::size_t flush_size = std::size_t{1} << 18;
  struct Packer;

  [[noreturn]] void fail() const;
  void flush();
  /// Packs what the packer was given; `mode` as zlib has it.
  void deflate(int mode);
  void write_raw(std::string_view bytes);

  std::string name_;
  std::filesystem::path target_;
  bool replaces_ = false;            // the target at the end, instead of being written directly
  std::filesystem::path temporary_;  // the name until then, if there is one
  int file_ = -1;
  std::string buffer_;
  std::uint64_t flushed_ = 0;
  std::unique_ptr<Packer> packer_;
};

}  // namespace srgw::detail
