// SPDX-License-Identifier: MIT
#include "io/input.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>
#include <limits>
#include <utility>

#include "base/message.hpp"
#include "base/stop.hpp"
#include "io/text.hpp"

namespace srgw::detail {

namespace {

/// A file descriptor that closes itself, unless it is standard input.
class Descriptor {
 public:
  explicit Descriptor(const std::filesystem::path& path)
      : number_(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (number_ < 0) fail_io("{}: cannot be opened: {}", path.string(), std::strerror(errno));
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ != STDIN_FILENO) ::close(number_);
  }
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

Input own_bytes(std::string name, std::string bytes) {
  auto owner = std::make_shared<const std::string>(std::move(bytes));
  return {std::move(name), *owner, owner};
}

/// A pipe may have nothing to say for long.
void wait_for_bytes(int file) {
  constexpr int patience = 50;  // milliseconds
  do {
    throw_if_stopped();
    ::pollfd state{file, POLLIN, 0};
    if (::poll(&state, 1, current_stop_state() == nullptr ? -1 : patience) != 0) return;
  } while (true);
}

std::string read_all(const Descriptor& file, const std::string& name, std::uint64_t limit) {
  std::string bytes;
  constexpr std::size_t piece = std::size_t{1} << 16;
  for (;;) {
    wait_for_bytes(file.number());
    const std::size_t size = bytes.size();
    bytes.resize(size + piece);
    const ::ssize_t count = ::read(file.number(), bytes.data() + size, piece);
    if (count < 0 && errno == EINTR) {
      bytes.resize(size);
      continue;
    }
    if (count < 0) fail_io("{}: cannot be read: {}", name, std::strerror(errno));
    bytes.resize(size + static_cast<std::size_t>(count));
    if (count == 0) return bytes;
    if (bytes.size() > limit) {
      fail_resource(
          "{}: more than {} bytes, expected at most that; raise the limit of bytes to "
          "read it",
          name, limit);
    }
  }
}

std::shared_ptr<const void> map_file(const Descriptor& file, std::size_t size) {
  void* memory = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number(), 0);
  if (memory == MAP_FAILED) return nullptr;
  return {memory, [size](const void* address) { ::munmap(const_cast<void*>(address), size); }};
}

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

Input unpack(Input input, std::optional<std::uint64_t> limit) {
  if (!is_gzip(input.bytes)) {
    if (input.name.ends_with(".gz")) {
      fail_at({input.name}, "does not start like a gzip file, expected one by its name");
    }
    return input;
  }
  constexpr int gzip_window_bits = 31;
  return own_bytes(input.name,
                   inflate(input.bytes, gzip_window_bits,
                           limit.value_or(default_limit(input.bytes.size())), input.name));
}

Input open_raw(const std::filesystem::path& path, std::optional<std::uint64_t> limit) {
  std::string name = path == "-" ? "<stdin>" : path.string();
  const Descriptor file(path);
  struct stat status {};
  if (::fstat(file.number(), &status) != 0) {
    fail_io("{}: cannot be read: {}", name, std::strerror(errno));
  }
  if (S_ISDIR(status.st_mode)) fail_io("{}: is a folder, expected a file", name);
  if (S_ISREG(status.st_mode) && status.st_size == 0) return {std::move(name), {}, nullptr};
  if (S_ISREG(status.st_mode)) {
    const std::size_t size = status.st_size;
    if (auto owner = map_file(file, size)) {
      const std::string_view bytes(static_cast<const char*>(owner.get()), size);
      return {std::move(name), bytes, std::move(owner), true};
    }
  }
  // A pipe has no size that could make a large limit plausible.
  constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();
  std::string bytes = read_all(file, name, limit.value_or(no_limit));
  return own_bytes(std::move(name), std::move(bytes));
}

/// zlib's state, which must be given back.
class Inflater {
 public:
  explicit Inflater(int window_bits) : good_(::inflateInit2(&stream_, window_bits) == Z_OK) {}
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { ::inflateEnd(&stream_); }
  [[nodiscard]] bool good() const { return good_; }
  z_stream& stream() { return stream_; }

 private:
  z_stream stream_{};
  bool good_;
};

}  // namespace

void forget_pages(const Input& input, std::string_view part) {
  const std::less_equal<const char*> before;
  if (!input.mapped || !before(input.bytes.data(), part.data()) ||
      !before(part.data() + part.size(), input.bytes.data() + input.bytes.size())) {
    return;
  }
  const std::size_t page = ::sysconf(_SC_PAGESIZE);
  // The mapping starts at a page, so offsets tell where others do.
  const std::size_t offset = part.data() - input.bytes.data();
  const std::size_t begin = offset / page * page;
  ::madvise(const_cast<char*>(input.bytes.data()) + begin, offset + part.size() - begin,
            MADV_DONTNEED);
}

std::string inflate(std::string_view packed, int window_bits, std::uint64_t limit,
                    const std::string& name) {
  Inflater inflater(window_bits);
  if (!inflater.good()) fail_resource("{}: no memory to unpack it", name);
  z_stream& stream = inflater.stream();
  std::string result;
  constexpr std::size_t first_piece = std::size_t{1} << 16;
  constexpr std::size_t most_at_once = std::size_t{1} << 24;  // of which a stop can wait the end
  const bool gzip = window_bits > 15;
  for (std::size_t used = 0;;) {
    if (result.size() == limit) {
      fail_resource(
          "{}: unpacks to more than {} bytes from {}, expected less; raise the limit of "
          "bytes if this is meant",
          name, limit, packed.size());
    }
    throw_if_stopped();
    const std::size_t made = result.size();
    if (result.capacity() < made + first_piece) result.reserve(2 * (made + first_piece));
    result.resize(
        std::min<std::uint64_t>(made + std::clamp(made, first_piece, most_at_once), limit));
    const std::size_t room = std::min(result.size() - made, most_at_once);
    const std::size_t left = std::min(packed.size() - used, most_at_once);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + used));
    stream.avail_in = static_cast<uInt>(left);
    stream.next_out = reinterpret_cast<Bytef*>(result.data() + made);
    stream.avail_out = static_cast<uInt>(room);
    const int status = ::inflate(&stream, Z_NO_FLUSH);
    used += left - stream.avail_in;
    result.resize(made + (room - stream.avail_out));
    if (status == Z_STREAM_END) {
      // Gzip files may follow each other in one file.
      if (!gzip || used == packed.size()) return result;
      if (!is_gzip(packed.substr(used)) || ::inflateReset(&stream) != Z_OK) {
        fail_at({name}, "{} bytes follow the packed data, expected its end", packed.size() - used);
      }
      continue;
    }
    if (status != Z_OK && status != Z_BUF_ERROR) {
      fail_at({name}, "the packed data are damaged ({}), expected a whole file; fetch it again",
              stream.msg != nullptr ? stream.msg : "wrong checksum");
    }
    if (used == packed.size() && stream.avail_out != 0) {
      fail_at({name},
              "the packed data are cut short after {} bytes, expected a whole file; fetch "
              "it again",
              packed.size());
    }
  }
}

Input open_input(const std::filesystem::path& path, std::optional<std::uint64_t> limit) {
  return unpack(open_raw(path, limit), limit);
}

Input memory_input(std::string_view bytes, std::string name, std::optional<std::uint64_t> limit) {
  return unpack({std::move(name), bytes, nullptr}, limit);
}

}  // namespace srgw::detail
