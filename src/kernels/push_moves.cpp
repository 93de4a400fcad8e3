// SPDX-License-Identifier: MIT
#include "kernels/push_moves.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/push_moves.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace srgw::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::ScalableTag<double>;
using Lane = hn::Vec<Tag>;

template <std::size_t vectors>
void push(const PushMoves& shared) {
  const PushMoves moves = shared;  // out of reach of the stores to y
  const Tag d;
  const std::size_t width = hn::Lanes(d);
  const std::size_t stride = vectors * width;
  for (const NodeId j : moves.changed) {
    const double* to = moves.target + moves.to[j] * stride;
    const Lane amount = hn::Set(d, moves.factor * moves.mass[j]);
    Lane z[vectors];
    for (std::size_t v = 0; v < vectors; ++v) {
      Lane change = hn::LoadU(d, to + v * width);
      if (moves.from != nullptr) {
        change = hn::Sub(change, hn::LoadU(d, moves.target + moves.from[j] * stride + v * width));
      }
      z[v] = hn::Mul(amount, change);
    }
    const auto entries = moves.source.sparse_row(j);
    for (std::size_t e = 0; e < entries.columns.size(); ++e) {
      double* row = moves.y + entries.columns[e] * stride;
      const Lane a = hn::Set(d, entries.values != nullptr ? entries.values[e] : 1.0);
      for (std::size_t v = 0; v < vectors; ++v) {
        hn::StoreU(hn::MulAdd(a, z[v], hn::LoadU(d, row + v * width)), d, row + v * width);
      }
    }
  }
}

bool can_push_moves([[maybe_unused]] Index stride) {
#if HWY_HAVE_SCALABLE
  return false;
#else
  return stride <= 8 * static_cast<Index>(hn::Lanes(Tag()));
#endif
}

void push_moves([[maybe_unused]] const PushMoves& moves) {
#if !HWY_HAVE_SCALABLE
  switch (moves.stride / static_cast<Index>(hn::Lanes(Tag()))) {
    case 1: return push<1>(moves);
    case 2: return push<2>(moves);
    case 3: return push<3>(moves);
    case 4: return push<4>(moves);
    case 5: return push<5>(moves);
    case 6: return push<6>(moves);
    case 7: return push<7>(moves);
    case 8: return push<8>(moves);
    default: break;
  }
#endif
}

}  // namespace srgw::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace srgw::detail {

HWY_EXPORT(can_push_moves);
HWY_EXPORT(push_moves);

bool can_push_moves(Index stride) { return HWY_DYNAMIC_DISPATCH(can_push_moves)(stride); }
void push_moves(const PushMoves& moves) { HWY_DYNAMIC_DISPATCH(push_moves)(moves); }

}  // namespace srgw::detail
#endif
