// SPDX-License-Identifier: MIT
// Vectors of doubles and rows of them, for each vector target of Highway.
#if defined(SRGW_KERNELS_LANES_INL_) == defined(HWY_TARGET_TOGGLE)
#ifdef SRGW_KERNELS_LANES_INL_
#undef SRGW_KERNELS_LANES_INL_
#else
#define SRGW_KERNELS_LANES_INL_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace srgw::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::ScalableTag<double>;
using Lane = hn::Vec<Tag>;

HWY_INLINE std::size_t width() { return hn::Lanes(Tag()); }

// A bit for each lane.
HWY_INLINE std::uint64_t bits_of(hn::Mask<Tag> mask) {
#if HWY_HAVE_SCALABLE
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(Tag(), mask, bytes);
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes, sizeof(bits));
  return bits;
#else
  std::uint8_t bits = 0;  // at most 8 lanes
  hn::StoreMaskBits(Tag(), mask, &bits);
  return bits;
#endif
}

// Rows of up to so many vectors are kept in registers, by code for each number of them. That takes
// most of the time to compile: targets of old processors do without.
#if HWY_HAVE_SCALABLE || HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_SSE4
constexpr std::size_t most_register_vectors = 0;
#else
constexpr std::size_t most_register_vectors = 8;
#endif

// Calls `work<vectors>()` for rows of so many vectors; `work<0>()` for rows that do not fit in
// registers.
template <std::size_t most = most_register_vectors, class Work>
HWY_INLINE auto with_vectors(std::size_t vectors, const Work& work) {
  if constexpr (most == 0) {
    return work.template operator()<0>();
  } else {
    if (vectors == most) return work.template operator()<most>();
    return with_vectors<most - 1>(vectors, work);
  }
}

}  // namespace srgw::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
