// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace srgw::detail {

/// Bytes that wait in a file without a name, in the folder of another one, until they are needed.
class Spool {
 public:
  explicit Spool(const std::filesystem::path& beside);
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;
  ~Spool();

  void write(std::string_view bytes);
  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// All that was written, in order.
  void for_each_piece(const std::function<void(std::string_view)>& take) const;

 private:
  [[noreturn]] void fail() const;

  std::string name_;  // for messages
  int file_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace srgw::detail
