// SPDX-License-Identifier: MIT
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "srgw/types.hpp"

namespace srgw::detail {

/// Memory that is not cleared, on large pages when it is large: they are fetched in fewer steps and
/// cheaper to write in no order. Give it back with std::free.
[[nodiscard]] inline void* large_memory(std::size_t bytes) {
  constexpr std::size_t large_page = std::size_t{1} << 21;
  if (bytes <= 2 * large_page) {
    void* memory = std::malloc(std::max<std::size_t>(1, bytes));
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
  }
  const std::size_t whole = (bytes + large_page - 1) / large_page * large_page;
  void* memory = std::aligned_alloc(large_page, whole);
  if (memory == nullptr) throw std::bad_alloc();
  static_cast<void>(::madvise(memory, whole, MADV_HUGEPAGE));
  return memory;
}

/// An allocator of such memory for std::vector.
template <class T>
struct LargePages {
  using value_type = T;

  LargePages() = default;
  template <class Other>
  LargePages(const LargePages<Other>&) {}  // NOLINT(google-explicit-constructor): as allocators are

  T* allocate(std::size_t count) { return static_cast<T*>(large_memory(count * sizeof(T))); }
  void deallocate(T* memory, std::size_t) { std::free(memory); }
  friend bool operator==(const LargePages&, const LargePages&) { return true; }
};

/// An array that is not cleared before it is filled.
template <class T>
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t size)
      : data_(static_cast<T*>(large_memory(size * sizeof(T)))), size_(size) {}

  T& operator[](std::size_t i) { return data_.get()[i]; }
  const T& operator[](std::size_t i) const { return data_.get()[i]; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  T* data() { return data_.get(); }

  /// The first `size` values; what lies beyond is given back when it is much.
  SharedArray<T> share(std::size_t size) && {
    if (size == 0) return {};
    if (size < size_ - size_ / 4) return std::vector<T>(data_.get(), data_.get() + size);
    const std::shared_ptr<const T> owner = std::move(data_);
    return {std::span<const T>(owner.get(), size), owner};
  }

 private:
  struct Free {
    void operator()(T* memory) const { std::free(memory); }
  };
  std::unique_ptr<T, Free> data_;
  std::size_t size_ = 0;
};

}  // namespace srgw::detail
