// SPDX-License-Identifier: MIT
#include "kernels/neighbour_counts.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/neighbour_counts.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>

#include "kernels/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace srgw::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using CountTag = hn::ScalableTag<std::uint16_t>;

Index count_lanes() { return static_cast<Index>(hn::Lanes(CountTag())); }

// A label is turned into a row with a single one, so that counting is adding vectors: no increment
// waits for an earlier one to reach memory.
template <std::size_t vectors>
void count_in_registers(const NeighbourCounts& shared, Index begin, Index end) {
  const NeighbourCounts task = shared;
  const CountTag d;
  const std::size_t width = hn::Lanes(d);
  for (Index i = begin; i < end; ++i) {
    hn::Vec<CountTag> sum[vectors];
    for (std::size_t v = 0; v < vectors; ++v) sum[v] = hn::Zero(d);
    for (const NodeId j : task.source.sparse_row(i).columns) {
      const std::uint16_t* unit = task.units + task.labels[j] * (vectors * width);
      for (std::size_t v = 0; v < vectors; ++v) {
        sum[v] = hn::Add(sum[v], hn::LoadU(d, unit + v * width));
      }
    }
    std::uint16_t* row = task.counts + static_cast<std::size_t>(i) * (vectors * width);
    for (std::size_t v = 0; v < vectors; ++v) hn::StoreU(sum[v], d, row + v * width);
  }
}

void count_neighbours(const NeighbourCounts& task, Index begin, Index end) {
  constexpr std::size_t most = std::min<std::size_t>(most_register_vectors, 4);
  with_vectors<most>(static_cast<std::size_t>(task.stride / count_lanes()),
                     [&]<std::size_t vectors>() {
                       if constexpr (vectors > 0)
                         return count_in_registers<vectors>(task, begin, end);
                       for (Index i = begin; i < end; ++i) {
                         std::uint16_t* row = task.counts + i * task.stride;
                         std::fill_n(row, task.stride, std::uint16_t{0});
                         for (const NodeId j : task.source.sparse_row(i).columns)
                           ++row[task.labels[j]];
                       }
                     });
}

}  // namespace srgw::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace srgw::detail {

HWY_EXPORT(count_lanes);
HWY_EXPORT(count_neighbours);

Index count_lanes() { return HWY_DYNAMIC_DISPATCH(count_lanes)(); }

void count_neighbours(const NeighbourCounts& task, Index begin, Index end) {
  HWY_DYNAMIC_DISPATCH(count_neighbours)(task, begin, end);
}

std::vector<std::uint16_t> count_units(Index stride) {
  const std::size_t size = stride;
  std::vector<std::uint16_t> units(size * size, 0);
  for (std::size_t k = 0; k < size; ++k) units[k * size + k] = 1;
  return units;
}

}  // namespace srgw::detail
#endif
