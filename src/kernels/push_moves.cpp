// SPDX-License-Identifier: MIT
#include "kernels/push_moves.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/push_moves.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>

#include "kernels/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace srgw::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <std::size_t vectors>
void push(const PushMoves& shared) {
  const PushMoves moves = shared;  // out of reach of the stores to y
  const Tag d;
  const std::size_t stride = vectors * width();
  for (const NodeId j : moves.changed) {
    const double* to = moves.target + moves.to[j] * stride;
    const Lane amount = hn::Set(d, moves.factor * moves.mass[j]);
    Lane z[vectors];
    for (std::size_t v = 0; v < vectors; ++v) {
      Lane change = hn::LoadU(d, to + v * width());
      if (moves.from != nullptr) {
        change = hn::Sub(change, hn::LoadU(d, moves.target + moves.from[j] * stride + v * width()));
      }
      z[v] = hn::Mul(amount, change);
    }
    const auto entries = moves.source.sparse_row(j);
    for (std::size_t e = 0; e < entries.columns.size(); ++e) {
      double* row = moves.y + entries.columns[e] * stride;
      const Lane a = hn::Set(d, entries.values != nullptr ? entries.values[e] : 1.0);
      for (std::size_t v = 0; v < vectors; ++v) {
        hn::StoreU(hn::MulAdd(a, z[v], hn::LoadU(d, row + v * width())), d, row + v * width());
      }
    }
  }
}

bool can_push_moves(Index stride) {
  return static_cast<std::size_t>(stride) <= most_register_vectors * width();
}

void push_moves(const PushMoves& moves) {
  with_vectors(static_cast<std::size_t>(moves.stride) / width(), [&]<std::size_t vectors>() {
    if constexpr (vectors > 0) push<vectors>(moves);
  });
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
