// SPDX-License-Identifier: MIT
#include "io/output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "base/message.hpp"
#include "base/stop.hpp"
#include "io/temporary_file.hpp"

namespace srgw::detail {

/// zlib's state for a gzip file.
struct Output::Packer {
  z_stream stream{};
  Packer() {
    constexpr int gzip_window_bits = 31, memory_level = 8;
    if (::deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_window_bits, memory_level,
                       Z_DEFAULT_STRATEGY) != Z_OK) {
      fail_resource("no memory to pack a file");
    }
  }
  Packer(const Packer&) = delete;
  Packer& operator=(const Packer&) = delete;
  ~Packer() { ::deflateEnd(&stream); }
};

namespace {

/// Gives a nameless file a name beside that of the target; an empty one and errno where it fails.
/// Nothing may throw once the file has its name: somebody must know it to take it away.
void give_name(int file, const std::filesystem::path& target, std::filesystem::path& name) {
  const std::string from = "/proc/self/fd/" + std::to_string(file);
  for (int attempt = 0; attempt < 100; ++attempt) {
    name = beside(target, "." + std::to_string(::getpid()) + "-" + std::to_string(attempt));
    if (::linkat(AT_FDCWD, from.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) return;
    const int error = errno;
    name.clear();
    errno = error;
    if (error != EEXIST) return;
  }
}

}  // namespace

Output::Output(const std::filesystem::path& path)
    : name_(path == "-" ? "<stdout>" : path.string()), target_(path) {
  // First what may fail for want of memory: this constructor has nothing to clean up then.
  if (name_.ends_with(".gz")) packer_ = std::make_unique<Packer>();
  buffer_.reserve(flush_size + flush_size / 4);
  if (path == "-") {
    file_ = STDOUT_FILENO;
  } else {
    struct stat status {};
    const bool exists = ::stat(path.c_str(), &status) == 0;
    if (exists && S_ISDIR(status.st_mode)) fail_io("{}: is a folder, expected a file", name_);
    if (exists && !S_ISREG(status.st_mode)) {
      file_ = above_standard(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    } else {
      replaces_ = true;
      target_ = resolve(path);
      file_ = open_nameless(target_, O_WRONLY, 0666);
      if (file_ < 0) {
        file_ = open_named(target_, temporary_);
        // The temporary file is private; a result is as readable as any other new file.
        if (file_ >= 0) static_cast<void>(::fchmod(file_, new_file_mode()));
      }
      if (file_ >= 0 && exists) static_cast<void>(::fchmod(file_, status.st_mode & 07777U));
    }
    if (file_ < 0) fail();
  }
}

Output::~Output() {
  if (file_ >= 0 && file_ != STDOUT_FILENO) ::close(file_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void Output::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::string_view piece = bytes.substr(0, flush_size);
    buffer_ += piece;
    bytes.remove_prefix(piece.size());
    if (buffer_.size() >= flush_size) flush();
  }
}

void Output::fail() const { fail_io("{}: cannot be written: {}", name_, std::strerror(errno)); }

void Output::write_raw(std::string_view bytes) {
  if (!write_all(file_, bytes)) fail();
}

void Output::deflate(int mode) {
  std::array<char, 1 << 16> packed;
  do {
    packer_->stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    packer_->stream.avail_out = packed.size();
    ::deflate(&packer_->stream, mode);
    write_raw({packed.data(), packed.size() - packer_->stream.avail_out});
  } while (packer_->stream.avail_out == 0);
}

void Output::flush() {
  throw_if_stopped();
  flushed_ += buffer_.size();
  if (!packer_) {
    write_raw(buffer_);
  } else {
    std::string_view rest = buffer_;
    while (!rest.empty()) {
      const std::size_t piece =
          std::min<std::size_t>(rest.size(), std::numeric_limits<uInt>::max());
      packer_->stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(rest.data()));
      packer_->stream.avail_in = static_cast<uInt>(piece);
      deflate(Z_NO_FLUSH);
      rest.remove_prefix(piece);
    }
  }
  buffer_.clear();
}

void Output::finish() {
  flush();
  if (packer_) deflate(Z_FINISH);
  if (file_ == STDOUT_FILENO) return;
  if (replaces_ && temporary_.empty()) {
    give_name(file_, target_, temporary_);
    if (temporary_.empty()) fail();
  }
  const int file = file_;
  file_ = -1;
  if (::close(file) != 0) fail();
  if (!replaces_) return;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail();
  temporary_.clear();
}

}  // namespace srgw::detail
