// SPDX-License-Identifier: MIT
#include "io/temporary_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cstdlib>
#include <string>

namespace srgw::detail {

int open_nameless(const std::filesystem::path& target, int access, unsigned mode) {
  const auto folder = target.has_parent_path() ? target.parent_path() : ".";
  return ::open(folder.c_str(), O_TMPFILE | access | O_CLOEXEC, mode);
}

int open_named(const std::filesystem::path& target, std::filesystem::path& name) {
  std::string pattern = target.string() + ".XXXXXX";  // mkstemp puts letters for the Xs
  const int file = ::mkstemp(pattern.data());
  if (file >= 0) name = pattern;
  return file;
}

unsigned new_file_mode() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666U & ~mask;
}

}  // namespace srgw::detail
