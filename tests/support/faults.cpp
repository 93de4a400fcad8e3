// SPDX-License-Identifier: MIT
//
// A library for LD_PRELOAD that makes the n-th system call of a kind fail:
//
//     SRGW_FAULT=write:3 LD_PRELOAD=libsrgw_faults.so srgw ...
//
// Kinds are those of `names` below. Calls count from the moment at which the program sets its first
// signal handler, before which there is nothing that it could clean up. SRGW_FAULT_COUNTS names a
// file that gets `kind count` lines when the program ends. Allocations count from the first look at
// a file on, when arguments are parsed: CLI11 allocates in functions that may not throw.
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {

enum Kind { kind_open, kind_write, kind_link, kind_rename, kind_map, kind_memory, kind_thread };
constexpr std::array names{"open", "write", "link", "rename", "map", "memory", "thread"};

std::array<std::atomic<long>, names.size()> counts;
std::atomic<bool> counting = false, counting_memory = false;
int failing_kind = -1;
long failing_call = 0;

/// Counts a call; whether it is the one that fails.
bool fails(Kind kind) {
  if (!counting || (kind == kind_memory && !counting_memory)) return false;
  return ++counts[kind] == failing_call && kind == failing_kind;
}

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

int fail_with(int error) {
  errno = error;
  return -1;
}

bool writes(int flags) { return (flags & O_ACCMODE) != O_RDONLY; }

__attribute__((constructor)) void read_setting() {
  const char* setting = std::getenv("SRGW_FAULT");
  if (setting == nullptr) return;
  const char* colon = std::strchr(setting, ':');
  if (colon == nullptr) return;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::size_t length = std::strlen(names[i]);
    if (length == static_cast<std::size_t>(colon - setting) &&
        std::strncmp(setting, names[i], length) == 0) {
      failing_kind = static_cast<int>(i);
    }
  }
  failing_call = std::atol(colon + 1);
}

__attribute__((destructor)) void write_counts() {
  counting = false;
  const char* path = std::getenv("SRGW_FAULT_COUNTS");
  if (path == nullptr) return;
  if (std::FILE* file = std::fopen(path, "w")) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      static_cast<void>(std::fprintf(file, "%s %ld\n", names[i], counts[i].load()));
    }
    static_cast<void>(std::fclose(file));
  }
}

}  // namespace

#define EXPORTED extern "C" __attribute__((visibility("default")))

EXPORTED int sigaction(int signal, const struct sigaction* action, struct sigaction* old) noexcept {
  counting = true;
  static auto* const original =
      next<int(int, const struct sigaction*, struct sigaction*)>("sigaction");
  return original(signal, action, old);
}

EXPORTED int stat(const char* path, struct stat* status) noexcept {
  counting_memory = true;
  static auto* const original = next<int(const char*, struct stat*)>("stat");
  return original(path, status);
}

EXPORTED int open(const char* path, int flags, ...) {
  std::va_list rest;
  va_start(rest, flags);
  const auto mode = static_cast<mode_t>(va_arg(rest, unsigned));
  va_end(rest);
  if (writes(flags) && fails(kind_open)) return fail_with(EACCES);
  return static_cast<int>(::syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}

EXPORTED int mkostemp(char* pattern, int flags) {
  static auto* const original = next<int(char*, int)>("mkostemp");
  return fails(kind_open) ? fail_with(EACCES) : original(pattern, flags);
}

EXPORTED ssize_t write(int file, const void* bytes, std::size_t size) {
  if (file != STDERR_FILENO && fails(kind_write)) return fail_with(ENOSPC);
  return ::syscall(SYS_write, file, bytes, size);
}

EXPORTED int linkat(int from, const char* old, int to, const char* path, int flags) noexcept {
  if (fails(kind_link)) return fail_with(EPERM);
  return static_cast<int>(::syscall(SYS_linkat, from, old, to, path, flags));
}

EXPORTED int rename(const char* old, const char* path) noexcept {
  if (fails(kind_rename)) return fail_with(EACCES);
  return static_cast<int>(::syscall(SYS_renameat2, AT_FDCWD, old, AT_FDCWD, path, 0));
}

EXPORTED void* mmap(void* address, std::size_t size, int protection, int flags, int file,
                    off_t offset) noexcept {
  if (file >= 0 && fails(kind_map)) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return reinterpret_cast<void*>(
      ::syscall(SYS_mmap, address, size, protection, flags, file, offset));
}

EXPORTED int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                            void* (*work)(void*), void* argument) noexcept {
  static auto* const original =
      next<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create");
  return fails(kind_thread) ? EAGAIN : original(thread, attributes, work, argument);
}

// operator new asks malloc, and memory of other libraries is not ours to survive without.
void* operator new(std::size_t size) {
  void* memory = fails(kind_memory) ? nullptr : std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*size*/) noexcept { std::free(memory); }
