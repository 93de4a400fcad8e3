// SPDX-License-Identifier: MIT
#include "io/shared_output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <span>

#include "base/message.hpp"
#include "io/output.hpp"
#include "io/spool.hpp"
#include "io/temporary_file.hpp"
#include "ranks/parcel.hpp"

namespace srgw::detail {

namespace {

void wait_for_all(Ranks& ranks) {
  std::int64_t here = 1;
  ranks.sum(std::span(&here, 1));
}

struct OneProcess final : Sink {
  explicit OneProcess(const std::filesystem::path& path) : out(path) {}
  void write(std::string_view bytes) override { out.write(bytes); }
  void finish() override { out.finish(); }
  Output out;
};

/// Bytes wait in a file of each rank until all know how many there are.
struct SpooledBytes final : Sink {
  SpooledBytes(const std::filesystem::path& path, Ranks& all)
      : ranks(all), out(path, all), spool(path) {}
  void write(std::string_view bytes) override { spool.write(bytes); }
  void finish() override {
    std::uint64_t place = before_mine(ranks, static_cast<std::int64_t>(spool.size()));
    spool.for_each_piece([&](std::string_view bytes) {
      out.write_at(place, bytes);
      place += bytes.size();
    });
    out.finish();
  }
  Ranks& ranks;
  SharedOutput out;
  Spool spool;
};

/// The first rank writes what all send to it, one after the other.
struct SentBytes final : Sink {
  SentBytes(const std::filesystem::path& path, Ranks& all) : ranks(all) {
    together(ranks, [&] {
      if (ranks.first()) out.emplace(path);
    });
  }
  void write(std::string_view bytes) override { own += bytes; }
  void finish() override {
    for (int turn = 0; turn < ranks.count(); ++turn) {
      std::vector<Bytes> parcels(ranks.count());
      if (turn == ranks.rank()) parcels[0] = parcel_of(std::span<const char>(own));
      const auto arrived = ranks.exchange(parcels);
      together(ranks, [&] {
        if (out) out->write(text_of(arrived[turn]));
      });
    }
    together(ranks, [&] {
      if (out) out->finish();
    });
  }
  Ranks& ranks;
  std::optional<Output> out;
  std::string own;
};

}  // namespace

SharedOutput::SharedOutput(const std::filesystem::path& path, Ranks& ranks)
    : ranks_(ranks), name_(path.string()), target_(path) {
  wait_for_all(ranks);  // who fails before that has nothing to take away
  if (ranks.first()) {
    target_ = resolve(path);
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
  if (!write_all(file_, bytes, place)) fail();
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

bool is_shared_file(const std::filesystem::path& path, Ranks& ranks) {
  struct stat status {};
  const bool single = path == "-" || path.string().ends_with(".gz") ||
                      (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode));
  return !any(ranks, ranks.first() && single);
}

std::unique_ptr<Sink> open_sink(const std::filesystem::path& path, Ranks* ranks) {
  if (ranks == nullptr) return std::make_unique<OneProcess>(path);
  if (is_shared_file(path, *ranks)) return std::make_unique<SpooledBytes>(path, *ranks);
  return std::make_unique<SentBytes>(path, *ranks);
}

}  // namespace srgw::detail
