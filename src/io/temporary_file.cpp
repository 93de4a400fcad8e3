// SPDX-License-Identifier: MIT
#include "io/temporary_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <string>

namespace srgw::detail {

int above_standard(int file) {
  if (file < 0 || file > STDERR_FILENO) return file;
  const int higher = ::fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int error = errno;
  ::close(file);
  errno = error;
  return higher;
}

int open_nameless(const std::filesystem::path& target, int access, unsigned mode) {
  const auto folder = target.has_parent_path() ? target.parent_path() : ".";
  return above_standard(::open(folder.c_str(), O_TMPFILE | access | O_CLOEXEC, mode));
}

std::filesystem::path beside(const std::filesystem::path& target, std::string_view ending) {
  constexpr std::size_t most_bytes = 255;
  std::string name = target.filename().string();
  name.resize(std::min(name.size(), most_bytes - ending.size()));
  return target.parent_path() / name.append(ending);
}

int open_named(const std::filesystem::path& target, std::filesystem::path& name) {
  std::string pattern = beside(target, ".XXXXXX").string();  // mkostemp puts letters for the Xs
  int file = ::mkostemp(pattern.data(), O_CLOEXEC);
  if (file < 0) return file;
  try {
    file = above_standard(file);
    if (file >= 0) name = pattern;
  } catch (...) {  // somebody must know the name to take the file away
    ::close(file);
    ::unlink(pattern.c_str());
    throw;
  }
  if (file < 0) ::unlink(pattern.c_str());
  return file;
}

bool write_all(int file, std::string_view bytes, std::optional<std::uint64_t> place) {
  while (!bytes.empty()) {
    const ::ssize_t count =
        place ? ::pwrite(file, bytes.data(), bytes.size(), static_cast<::off_t>(*place))
              : ::write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    bytes.remove_prefix(count);
    if (place) *place += static_cast<std::uint64_t>(count);
  }
  return true;
}

std::filesystem::path resolve(const std::filesystem::path& path) {
  std::error_code error;
  auto target = std::filesystem::canonical(path, error);
  if (!error) return target;
  // A link to a file that does not exist yet; of a circle of links an open tells.
  constexpr int most_links = 40;
  target = path;
  for (int links = 0; links < most_links; ++links) {
    const auto next = std::filesystem::read_symlink(target, error);
    if (error) return target;
    target = target.parent_path() / next;
  }
  return path;
}

unsigned new_file_mode() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666U & ~mask;
}

}  // namespace srgw::detail
