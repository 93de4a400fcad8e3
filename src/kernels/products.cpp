// SPDX-License-Identifier: MIT
#include "kernels/products.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/stop.hpp"
#include "kernels/dispatch.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/products.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>

#include "kernels/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace srgw::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Columns of an array. Where they lie far apart and many rows read them, they are moved side by
// side first.
struct Panel {
  const double* data = nullptr;
  Index stride = 0;

  // Columns [first, first + width) of an array of `count` rows, for `readers` rows.
  static Panel of(const double* z, Index stride, Index count, Index width, Index readers,
                  std::vector<double>& space) {
    if (readers < 64 || width >= stride) return {z, stride};
    space.resize(count * width);
    for (Index j = 0; j < count; ++j) std::copy_n(z + j * stride, width, space.data() + j * width);
    return {space.data(), width};
  }
};

// Sums of several rows and vectors at a time: what is read of the panel serves all rows, and
// together they are as many independent sums as hide the latency of a multiply-add.
template <std::size_t rows, std::size_t vectors>
struct Tile {
  Lane sum[rows][vectors];

  HWY_INLINE void clear() {
    for (auto& row : sum) {
      for (auto& lane : row) lane = hn::Zero(Tag());
    }
  }
  // From what is there, or from 0.
  HWY_INLINE void start(bool accumulate, const double* y, Index stride = 0) {
    if (accumulate) {
      load(y, stride);
    } else {
      clear();
    }
  }
  HWY_INLINE void load(const double* y, Index stride = 0) {
    for (std::size_t r = 0; r < rows; ++r, y += stride) {
      for (std::size_t v = 0; v < vectors; ++v) sum[r][v] = hn::LoadU(Tag(), y + v * width());
    }
  }
  HWY_INLINE void store(double* y, Index stride = 0) const {
    for (std::size_t r = 0; r < rows; ++r, y += stride) {
      for (std::size_t v = 0; v < vectors; ++v) hn::StoreU(sum[r][v], Tag(), y + v * width());
    }
  }
  HWY_INLINE void multiply(const double* factors) {
    for (std::size_t r = 0; r < rows; ++r) {
      const Lane factor = hn::Set(Tag(), factors[r]);
      for (std::size_t v = 0; v < vectors; ++v) sum[r][v] = hn::Mul(factor, sum[r][v]);
    }
  }
  // sum_r += x, where r is the only row
  HWY_INLINE void add(const double* x) {
    for (std::size_t v = 0; v < vectors; ++v) {
      sum[0][v] = hn::Add(sum[0][v], hn::LoadU(Tag(), x + v * width()));
    }
  }
  // sum_r += factors_r x
  HWY_INLINE void add(const double* factors, const double* x) {
    const Tag d;
    Lane lane[vectors];
    for (std::size_t v = 0; v < vectors; ++v) lane[v] = hn::LoadU(d, x + v * width());
    for (std::size_t r = 0; r < rows; ++r) {
      const Lane factor = hn::Set(d, factors[r]);
      for (std::size_t v = 0; v < vectors; ++v) sum[r][v] = hn::MulAdd(factor, lane[v], sum[r][v]);
    }
  }
};

// Rows of a tile that fill the sixteen registers of AVX2.
template <std::size_t vectors>
constexpr std::size_t tile_rows = vectors == 4 ? 3 : 4;

// Calls `work<rows>(i)` for tiles of rows that cover [begin, end).
template <std::size_t vectors, class Work>
HWY_INLINE void in_tiles(Index begin, Index end, const Work& work) {
  constexpr std::size_t rows = tile_rows<vectors>;
  Index i = begin;
  for (; i + static_cast<Index>(rows) <= end; i += static_cast<Index>(rows)) {
    work.template operator()<rows>(i);
  }
  for (; i < end; ++i) work.template operator()<1>(i);
}

// Columns [first, first + vectors * lanes) of the products; without zeros in the plan none is
// looked for.
template <std::size_t vectors, bool zeros>
HWY_INLINE void target_columns(const TargetProduct& product, Panel panel, Index first, Index begin,
                               Index end) {
  in_tiles<vectors>(begin, end, [&]<std::size_t rows>(Index i) HWY_ATTR {
    Tile<rows, vectors> tile;
    tile.clear();
    const double* plan[rows];
    double scale[rows];
    for (std::size_t r = 0; r < rows; ++r) {
      const Index row = i + static_cast<Index>(r);
      plan[r] = product.plan + row * product.plan_stride;
      scale[r] = product.factor * (product.scale != nullptr ? product.scale[row] : 1.0);
    }
    const double* z = panel.data;
    for (Index k = 0; k < product.columns; ++k, z += panel.stride) {
      if constexpr (zeros) {
        std::uint64_t bits = 0;  // of all rows; plans are never below 0
        for (std::size_t r = 0; r < rows; ++r) bits |= std::bit_cast<std::uint64_t>(plan[r][k]);
        if (bits == 0) continue;
      }
      double factors[rows];
      for (std::size_t r = 0; r < rows; ++r) factors[r] = plan[r][k];
      tile.add(factors, z);
    }
    tile.multiply(scale);
    tile.store(product.z + i * product.stride + first, product.stride);
  });
}

void scale_columns(const TargetProduct& product, Index begin, Index end) {
  for (Index j = begin; j < end; ++j) {
    const double* t = product.plan + j * product.plan_stride;
    double* z = product.z + j * product.stride;
    const double scale = product.factor * (product.scale != nullptr ? product.scale[j] : 1.0);
    for (Index k = 0; k < product.columns; ++k) z[k] = scale * t[k] * product.diagonal[k];
    for (Index k = product.columns; k < product.stride; ++k) z[k] = 0;
  }
}

template <std::size_t vectors>
HWY_INLINE void sparse_columns(const SourceProduct& product, Index first, Index begin, Index end) {
  const double* z = product.z + first;
  for (Index i = begin; i < end; ++i) {
    double* y = product.y + i * product.stride + first;
    Tile<1, vectors> tile;
    tile.start(product.accumulate, y);
    const auto entries = product.source.sparse_row(i);
    if (entries.values == nullptr) {
      for (const NodeId j : entries.columns) tile.add(z + static_cast<Index>(j) * product.stride);
    } else {
      for (std::size_t e = 0; e < entries.columns.size(); ++e) {
        tile.add(entries.values + e, z + static_cast<Index>(entries.columns[e]) * product.stride);
      }
    }
    tile.store(y);
  }
}

template <std::size_t vectors>
HWY_INLINE void dense_columns(const SourceProduct& product, Panel panel, Index first, Index begin,
                              Index end) {
  const Index size = product.source.size();
  in_tiles<vectors>(begin, end, [&]<std::size_t rows>(Index i) HWY_ATTR {
    double* y = product.y + i * product.stride + first;
    Tile<rows, vectors> tile;
    tile.start(product.accumulate, y, product.stride);
    const double* c[rows];
    for (std::size_t r = 0; r < rows; ++r)
      c[r] = product.source.dense_row(i + static_cast<Index>(r));
    const double* z = panel.data;
    for (Index j = 0; j < size; ++j, z += panel.stride) {
      double factors[rows];
      for (std::size_t r = 0; r < rows; ++r) factors[r] = c[r][j];
      tile.add(factors, z);
    }
    tile.store(y, product.stride);
  });
}

// Calls `work<vectors>(first)` for groups of at most four vectors that cover all columns.
template <class Work>
HWY_INLINE void in_groups(Index stride, const Work& work) {
  const auto lanes = static_cast<Index>(width());
  Index first = 0;
#if !HWY_HAVE_SCALABLE
  for (; first + 4 * lanes <= stride; first += 4 * lanes) work.template operator()<4>(first);
  for (; first + 2 * lanes <= stride; first += 2 * lanes) work.template operator()<2>(first);
#endif
  for (; first < stride; first += lanes) work.template operator()<1>(first);
}

bool has_zeros(const TargetProduct& product, Index begin, Index end) {
  for (Index j = begin; j < end; ++j) {
    const double* t = product.plan + j * product.plan_stride;
    if (std::find(t, t + product.columns, 0.0) != t + product.columns) return true;
  }
  return false;
}

void multiply_target(const TargetProduct& product, Index begin, Index end) {
  if (product.target == nullptr) {
    scale_columns(product, begin, end);
    return;
  }
  const bool zeros = has_zeros(product, begin, end);
  std::vector<double> space;
  in_groups(product.stride, [&]<std::size_t vectors>(Index first) {
    throw_if_stopped();
    const auto panel = Panel::of(product.target + first, product.stride, product.columns,
                                 static_cast<Index>(vectors * width()), end - begin, space);
    if (zeros) {
      target_columns<vectors, true>(product, panel, first, begin, end);
    } else {
      target_columns<vectors, false>(product, panel, first, begin, end);
    }
  });
}

void multiply_source(const SourceProduct& product, Index begin, Index end) {
  std::vector<double> space;
  in_groups(product.stride, [&]<std::size_t vectors>(Index first) {
    throw_if_stopped();
    if (!product.source.dense()) return sparse_columns<vectors>(product, first, begin, end);
    const auto panel = Panel::of(product.z + first, product.stride, product.source.size(),
                                 static_cast<Index>(vectors * width()), end - begin, space);
    dense_columns<vectors>(product, panel, first, begin, end);
  });
}

// Calls `work<vectors>()` for rows of this length, `work<0>()` where they do not fit in registers.
template <class Work>
HWY_INLINE void with_row_vectors(Index stride, const Work& work) {
  with_vectors(static_cast<std::size_t>(stride) / width(), work);
}

void add_scaled(const double* HWY_RESTRICT x, double a, Index size, double* HWY_RESTRICT y) {
  const Tag d;
  const Lane factor = hn::Set(d, a);
  const auto lanes = static_cast<Index>(width());
  Index k = 0;
  for (; k + lanes <= size; k += lanes) {
    hn::StoreU(hn::MulAdd(factor, hn::LoadU(d, x + k), hn::LoadU(d, y + k)), d, y + k);
  }
  for (; k < size; ++k) y[k] = std::fma(a, x[k], y[k]);
}

void sum_of_rows(const double* x, const double* rows, Index count, Index size, double* result) {
  std::fill_n(result, size, 0.0);
  for (Index k = 0; k < count; ++k) {
    if (x[k] != 0) add_scaled(rows + k * size, x[k], size, result);
  }
}

template <std::size_t vectors>
HWY_INLINE void push(std::span<const NodeId> rows, const double* coefficients, const Lane* z,
                     double* y) {
  const Tag d;
  for (std::size_t e = 0; e < rows.size(); ++e) {
    double* row = y + rows[e] * (vectors * width());
    const Lane a = hn::Set(d, coefficients != nullptr ? coefficients[e] : 1.0);
    for (std::size_t v = 0; v < vectors; ++v, row += width()) {
      hn::StoreU(hn::MulAdd(a, z[v], hn::LoadU(d, row)), d, row);
    }
  }
}

void add_to_rows(std::span<const NodeId> rows, const double* coefficients, const double* z,
                 Index stride, double* y) {
  with_row_vectors(stride, [&]<std::size_t vectors>() {
    if constexpr (vectors > 0) {
      Tile<1, vectors> kept;
      kept.load(z);
      return push<vectors>(rows, coefficients, kept.sum[0], y);
    }
    for (std::size_t e = 0; e < rows.size(); ++e) {
      add_scaled(z, coefficients != nullptr ? coefficients[e] : 1.0, stride,
                 y + static_cast<Index>(rows[e]) * stride);
    }
  });
}

bool can_push_moves(Index stride) {
  return static_cast<std::size_t>(stride) <= most_register_vectors * width();
}

void push_moves(const PushMoves& shared) {
  with_row_vectors(shared.stride, [&]<std::size_t vectors>() {
    if constexpr (vectors > 0) {
      const PushMoves moves = shared;  // out of reach of the stores to y
      const Tag d;
      const std::size_t stride = vectors * width();
      for (const NodeId j : moves.changed) {
        const double* to = moves.target + moves.to[j] * stride;
        const double* from =
            moves.from != nullptr ? moves.target + moves.from[j] * stride : nullptr;
        const Lane amount = hn::Set(d, moves.factor * moves.mass[j]);
        Lane z[vectors];
        for (std::size_t v = 0; v < vectors; ++v) {
          Lane change = hn::LoadU(d, to + v * width());
          if (from != nullptr) change = hn::Sub(change, hn::LoadU(d, from + v * width()));
          z[v] = hn::Mul(amount, change);
        }
        const auto entries = moves.source.sparse_row(j);
        push<vectors>(entries.columns, entries.values, z, moves.y);
      }
    }
  });
}

void combine_columns(const ColumnCombination& sum, Index begin, Index end) {
  with_row_vectors(sum.stride, [&]<std::size_t vectors>() {
    for (Index i = begin; i < end; ++i) {
      double* row = sum.y + i * sum.stride;
      const auto for_each_used = [&](const auto& add) HWY_ATTR {
        for (const NodeId k : sum.used) {
          add(sum.factor * sum.columns[static_cast<Index>(k) * sum.rows + i],
              sum.target + static_cast<Index>(k) * sum.stride);
        }
      };
      if constexpr (vectors > 0) {
        Tile<1, vectors> tile;
        tile.start(sum.accumulate, row);
        for_each_used([&](double c, const double* target) HWY_ATTR { tile.add(&c, target); });
        tile.store(row);
      } else {
        if (!sum.accumulate) std::fill_n(row, sum.stride, 0.0);
        for_each_used([&](double c, const double* target)
                          HWY_ATTR { add_scaled(target, c, sum.stride, row); });
      }
    }
  });
}

using CountTag = hn::ScalableTag<std::uint16_t>;

Index count_lanes() { return static_cast<Index>(hn::Lanes(CountTag())); }

// A label is turned into a row with a single one, so that counting is adding vectors: no increment
// waits for an earlier one to reach memory.
template <std::size_t vectors>
void count_in_registers(const NeighbourCounts& shared, Index begin, Index end) {
  const NeighbourCounts task = shared;
  const CountTag d;
  const std::size_t lanes = hn::Lanes(d);
  for (Index i = begin; i < end; ++i) {
    hn::Vec<CountTag> sum[vectors];
    for (std::size_t v = 0; v < vectors; ++v) sum[v] = hn::Zero(d);
    for (const NodeId j : task.source.sparse_row(i).columns) {
      const std::uint16_t* unit = task.units + task.labels[j] * (vectors * lanes);
      for (std::size_t v = 0; v < vectors; ++v) {
        sum[v] = hn::Add(sum[v], hn::LoadU(d, unit + v * lanes));
      }
    }
    std::uint16_t* row = task.counts + static_cast<std::size_t>(i) * (vectors * lanes);
    for (std::size_t v = 0; v < vectors; ++v) hn::StoreU(sum[v], d, row + v * lanes);
  }
}

void count_neighbours(const NeighbourCounts& task, Index begin, Index end) {
  constexpr std::size_t most = std::min<std::size_t>(most_register_vectors, 4);
  const auto vectors_of_row = static_cast<std::size_t>(task.stride / count_lanes());
  with_vectors<most>(vectors_of_row, [&]<std::size_t vectors>() {
    if constexpr (vectors > 0) return count_in_registers<vectors>(task, begin, end);
    for (Index i = begin; i < end; ++i) {
      std::uint16_t* row = task.counts + i * task.stride;
      std::fill_n(row, task.stride, std::uint16_t{0});
      for (const NodeId j : task.source.sparse_row(i).columns) ++row[task.labels[j]];
    }
  });
}

}  // namespace srgw::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace srgw::detail {

SRGW_DISPATCH_PASS(void, multiply_target, TargetProduct)
SRGW_DISPATCH_PASS(void, multiply_source, SourceProduct)
SRGW_DISPATCH_PASS(void, combine_columns, ColumnCombination)
SRGW_DISPATCH_PASS(void, count_neighbours, NeighbourCounts)
SRGW_DISPATCH(void, push_moves, (const PushMoves& moves), (moves))
SRGW_DISPATCH(bool, can_push_moves, (Index stride), (stride))
SRGW_DISPATCH(Index, count_lanes, (), ())
SRGW_DISPATCH(void, add_to_rows,
              (std::span<const NodeId> rows, const double* coefficients, const double* z,
               Index stride, double* y),
              (rows, coefficients, z, stride, y))
SRGW_DISPATCH(void, sum_of_rows,
              (const double* x, const double* rows, Index count, Index size, double* result),
              (x, rows, count, size, result))
SRGW_DISPATCH(void, add_scaled, (const double* x, double a, Index size, double* y), (x, a, size, y))

std::vector<std::uint16_t> count_units(Index stride) {
  const std::size_t size = stride;
  std::vector<std::uint16_t> units(size * size, 0);
  for (std::size_t k = 0; k < size; ++k) units[k * size + k] = 1;
  return units;
}

}  // namespace srgw::detail
#endif
