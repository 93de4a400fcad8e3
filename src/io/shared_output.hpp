// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "srgw/ranks.hpp"

namespace srgw::detail {

/// A file that all ranks write at once, each at its places, in a folder that they share. As with
/// Output it gets its name only at the end, from the first rank, when all are done; a rank that
/// fails takes the unfinished file away. Making and finishing it are collective.
class SharedOutput {
 public:
  SharedOutput(const std::filesystem::path& path, Ranks& ranks);
  SharedOutput(const SharedOutput&) = delete;
  SharedOutput& operator=(const SharedOutput&) = delete;
  ~SharedOutput();

  void write_at(std::uint64_t place, std::string_view bytes);
  void finish();

 private:
  [[noreturn]] void fail() const;

  Ranks& ranks_;
  std::string name_;
  std::filesystem::path target_;
  std::string temporary_;  // its name until then
  int file_ = -1;
};

/// Where the bytes of a file go, one after the other.
struct Sink {
  virtual ~Sink() = default;
  virtual void write(std::string_view bytes) = 0;
  virtual void finish() = 0;
};

/// Whether all ranks can write a file at once, each at its places: none that is packed, and no
/// pipe.
[[nodiscard]] bool is_shared_file(const std::filesystem::path& path, Ranks& ranks);

/// A file that has the bytes of all ranks, in their order; without ranks (null) those of the one
/// process. Making and finishing it are collective.
[[nodiscard]] std::unique_ptr<Sink> open_sink(const std::filesystem::path& path, Ranks* ranks);

}  // namespace srgw::detail
