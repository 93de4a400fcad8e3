// SPDX-License-Identifier: MIT
#include "kernels/forest_pass.hpp"

#include <bit>

#include "kernels/dispatch.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/forest_pass.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace srgw::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<double, forest_lanes>;
using Bits = hn::RebindToUnsigned<Tag>;

void add_trees(const ForestPass& pass) {
  const Tag d;
  const Bits bits;
  const std::size_t lanes = hn::Lanes(d), stride = pass.stride;
  HWY_ALIGN std::uint64_t ends[forest_lanes];
  for (std::size_t first = 0; first < stride; first += lanes) {
    const double* rows = pass.columns + first;
    std::size_t test = 0;
    for (const ForestTree& tree : pass.trees) {
      auto left = hn::Set(bits, ~std::uint64_t{0});
      for (; test < tree.tests_end; ++test) {
        const auto& [threshold, column, keep] = pass.tests[test];
        const auto value = hn::LoadU(d, rows + static_cast<std::size_t>(column) * stride);
        const auto above = hn::RebindMask(bits, hn::Gt(value, hn::Set(d, threshold)));
        left = hn::IfThenElse(above, hn::And(left, hn::Set(bits, keep)), left);
      }
      hn::Store(left, bits, ends);
      const double* leaves = pass.leaves + tree.first_leaf;
      for (std::size_t r = 0; r < lanes; ++r) {
        pass.sums[first + r] += leaves[std::countr_zero(ends[r])];
      }
    }
  }
}

}  // namespace srgw::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace srgw::detail {

SRGW_DISPATCH(void, add_trees, (const ForestPass& pass), (pass))

}  // namespace srgw::detail
#endif
