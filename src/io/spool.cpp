// SPDX-License-Identifier: MIT
#include "io/spool.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/message.hpp"
#include "io/temporary_file.hpp"

namespace srgw::detail {

Spool::Spool(const std::filesystem::path& beside) : name_(beside.string()) {
  file_ = open_nameless(beside, O_RDWR, 0600);
  if (file_ < 0) {
    std::filesystem::path name;
    file_ = open_named(beside, name);
    if (file_ >= 0) ::unlink(name.c_str());
  }
  if (file_ < 0) fail();
}

Spool::~Spool() {
  if (file_ >= 0) ::close(file_);
}

void Spool::fail() const {
  fail_io("{}: what goes there cannot be stored beside it: {}", name_, std::strerror(errno));
}

void Spool::write(std::string_view bytes) {
  if (!write_all(file_, bytes)) fail();
  size_ += bytes.size();
}

void Spool::for_each_piece(const std::function<void(std::string_view)>& take) const {
  std::string piece(std::size_t{1} << 18, '\0');
  for (std::uint64_t place = 0; place < size_;) {
    const ::ssize_t count = ::pread(file_, piece.data(), piece.size(), static_cast<::off_t>(place));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) fail();
    take({piece.data(), static_cast<std::size_t>(count)});
    place += static_cast<std::uint64_t>(count);
  }
}

}  // namespace srgw::detail
