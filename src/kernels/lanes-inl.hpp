// SPDX-License-Identifier: MIT
// Vectors of doubles and rows of them, for each vector target of Highway.
#if defined(SRGW_KERNELS_LANES_INL_) == defined(HWY_TARGET_TOGGLE)
#ifdef SRGW_KERNELS_LANES_INL_
#undef SRGW_KERNELS_LANES_INL_
#else
#define SRGW_KERNELS_LANES_INL_
#endif

#include <hwy/highway.h>

#include <bit>
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

// Where the first smallest number is of the `count` vectors at(0), at(1), ... With `vectors` of
// them all stay in registers, and there is no branch.
template <std::size_t vectors, class At>
HWY_INLINE std::size_t first_smallest(std::size_t count, const At& at) {
  const Tag d;
  if constexpr (vectors > 0) {
    Lane f[vectors];
    for (std::size_t v = 0; v < vectors; ++v) f[v] = at(v);
    Lane smallest = f[0];
    for (std::size_t v = 1; v < vectors; ++v) smallest = hn::Min(smallest, f[v]);
    smallest = hn::MinOfLanes(d, smallest);
    std::uint64_t bits = 0;
    for (std::size_t v = 0; v < vectors; ++v) {
      bits |= bits_of(hn::Eq(f[v], smallest)) << (v * width());
    }
    return static_cast<std::size_t>(std::countr_zero(bits));
  } else {
    Lane smallest = at(0);
    for (std::size_t v = 1; v < count; ++v) smallest = hn::Min(smallest, at(v));
    smallest = hn::MinOfLanes(d, smallest);
    for (std::size_t v = 0; v < count; ++v) {
      const std::uint64_t bits = bits_of(hn::Eq(at(v), smallest));
      if (bits != 0) return v * width() + static_cast<std::size_t>(std::countr_zero(bits));
    }
    return 0;  // no number among them
  }
}

// g_k = column_cost_k - factor s Y_k + linear_factor M_k of one row of a pass, a vector at a time.
template <class Pass>
class RowGradient {
 public:
  HWY_INLINE RowGradient(const Pass& pass, std::ptrdiff_t row)
      : column_cost_(pass.column_cost),
        cross_(pass.cross + row * pass.stride),
        linear_(pass.linear != nullptr ? pass.linear + row * pass.linear_stride : nullptr),
        linear_factor_(hn::Set(Tag(), pass.linear_factor)),
        factor_(hn::Set(Tag(), -pass.factor * (pass.row_scale ? pass.row_scale[row] : 1.0))) {}

  HWY_INLINE Lane at(std::size_t offset, Lane cross) const {
    const Tag d;
    const Lane g = hn::MulAdd(factor_, cross, hn::LoadU(d, column_cost_ + offset));
    if (linear_ == nullptr) return g;
    return hn::MulAdd(linear_factor_, hn::LoadU(d, linear_ + offset), g);
  }
  HWY_INLINE Lane at(std::size_t offset) const {
    return at(offset, hn::LoadU(Tag(), cross_ + offset));
  }

 private:
  const double* column_cost_;
  const double* cross_;
  const double* linear_;
  Lane linear_factor_, factor_;
};

}  // namespace srgw::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
