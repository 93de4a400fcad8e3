// SPDX-License-Identifier: MIT
#include "io/shared_output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <span>

#include "base/message.hpp"
#include "io/temporary_file.hpp"
#include "ranks/parcel.hpp"

namespace srgw::detail {

namespace {

void wait_for_all(Ranks& ranks) {
  std::int64_t here = 1;
  ranks.sum(std::span(&here, 1));
}

}  // namespace

SharedOutput::SharedOutput(const std::filesystem::path& path, Ranks& ranks)
    : ranks_(ranks), name_(path.string()), target_(path) {
  wait_for_all(ranks);  // who fails before that has nothing to take away
  if (ranks.first()) {
    std::error_code ignored;
    if (auto found = std::filesystem::canonical(path, ignored); !ignored) target_ = found;
    struct stat status {};
    const bool exists = ::stat(target_.c_str(), &status) == 0;
    if (exists && !S_ISREG(status.st_mode)) {
      fail_io("{}: is no regular file, expected one that {} ranks can write together", name_,
              ranks.count());
    }
    std::filesystem::path temporary;
    file_ = open_named(target_, temporary);
    if (file_ < 0) fail();
    temporary_ = temporary.string();
    static_cast<void>(::fchmod(file_, exists ? status.st_mode & 07777U : new_file_mode()));
  }
  temporary_ = gather_texts(ranks, temporary_).front();
  if (ranks.first()) return;
  file_ = above_standard(::open(temporary_.c_str(), O_WRONLY | O_CLOEXEC));
  if (file_ < 0) {
    fail_io("{}: rank {} cannot open it: {}; expected a folder that all ranks share", temporary_,
            ranks.rank(), std::strerror(errno));
  }
}

SharedOutput::~SharedOutput() {
  if (file_ >= 0) ::close(file_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void SharedOutput::fail() const {
  fail_io("{}: cannot be written: {}", name_, std::strerror(errno));
}

void SharedOutput::write_at(std::uint64_t place, std::string_view bytes) {
  while (!bytes.empty()) {
    const ::ssize_t count =
        ::pwrite(file_, bytes.data(), bytes.size(), static_cast<::off_t>(place));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail();
    bytes.remove_prefix(count);
    place += static_cast<std::uint64_t>(count);
  }
}

void SharedOutput::finish() {
  const int file = file_;
  file_ = -1;
  if (::close(file) != 0) fail();
  wait_for_all(ranks_);  // all have written
  if (ranks_.first() && ::rename(temporary_.c_str(), target_.c_str()) != 0) fail();
  temporary_.clear();
  wait_for_all(ranks_);  // and may read it
}

}  // namespace srgw::detail
