// SPDX-License-Identifier: MIT
#include "kernels/plan_product.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "base/stop.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/plan_product.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace srgw::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::ScalableTag<double>;
using Lane = hn::Vec<Tag>;

// sum += a x, of `vectors` vectors.
template <std::size_t vectors>
HWY_INLINE void add(double a, const double* x, Lane* sum) {
  const Tag d;
  const Lane factor = hn::Set(d, a);
  for (std::size_t v = 0; v < vectors; ++v) {
    sum[v] = hn::MulAdd(factor, hn::LoadU(d, x + v * hn::Lanes(d)), sum[v]);
  }
}

// Rows of columns that lie far apart, moved side by side: a panel that many rows read.
struct Panel {
  const double* data = nullptr;
  Index stride = 0;
};

Panel pack(const double* z, Index stride, Index rows, Index width, std::vector<double>& space) {
  space.resize(rows * width);
  for (Index j = 0; j < rows; ++j) std::copy_n(z + j * stride, width, space.data() + j * width);
  return {space.data(), width};
}

// A panel is read by all rows, and made once.
bool worth_packing(Index rows, Index width, Index stride) { return rows >= 64 && width < stride; }

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
  HWY_INLINE void load(const double* y, Index stride) {
    for (std::size_t r = 0; r < rows; ++r, y += stride) {
      for (std::size_t v = 0; v < vectors; ++v) sum[r][v] = hn::LoadU(Tag(), y + v * lanes());
    }
  }
  HWY_INLINE void store(double* y, Index stride) const {
    for (std::size_t r = 0; r < rows; ++r, y += stride) {
      for (std::size_t v = 0; v < vectors; ++v) hn::StoreU(sum[r][v], Tag(), y + v * lanes());
    }
  }
  HWY_INLINE void multiply(const double* factors) {
    for (std::size_t r = 0; r < rows; ++r) {
      const Lane factor = hn::Set(Tag(), factors[r]);
      for (std::size_t v = 0; v < vectors; ++v) sum[r][v] = hn::Mul(factor, sum[r][v]);
    }
  }
  // sum_r += factors_r x
  HWY_INLINE void add(const double* factors, const double* x) {
    const Tag d;
    Lane lane[vectors];
    for (std::size_t v = 0; v < vectors; ++v) lane[v] = hn::LoadU(d, x + v * lanes());
    for (std::size_t r = 0; r < rows; ++r) {
      const Lane factor = hn::Set(d, factors[r]);
      for (std::size_t v = 0; v < vectors; ++v) sum[r][v] = hn::MulAdd(factor, lane[v], sum[r][v]);
    }
  }

 private:
  static HWY_INLINE std::size_t lanes() { return hn::Lanes(Tag()); }
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
  const Tag d;
  for (Index i = begin; i < end; ++i) {
    double* y = product.y + i * product.stride + first;
    const double* z = product.z + first;
    Lane sum[vectors];
    for (std::size_t v = 0; v < vectors; ++v) {
      sum[v] = product.accumulate ? hn::LoadU(d, y + v * hn::Lanes(d)) : hn::Zero(d);
    }
    const auto entries = product.source.sparse_row(i);
    if (entries.values == nullptr) {
      for (const NodeId j : entries.columns) {
        const double* row = z + static_cast<Index>(j) * product.stride;
        for (std::size_t v = 0; v < vectors; ++v) {
          sum[v] = hn::Add(sum[v], hn::LoadU(d, row + v * hn::Lanes(d)));
        }
      }
    } else {
      for (std::size_t e = 0; e < entries.columns.size(); ++e) {
        add<vectors>(entries.values[e], z + static_cast<Index>(entries.columns[e]) * product.stride,
                     sum);
      }
    }
    for (std::size_t v = 0; v < vectors; ++v) hn::StoreU(sum[v], d, y + v * hn::Lanes(d));
  }
}

template <std::size_t vectors>
HWY_INLINE void dense_columns(const SourceProduct& product, Panel panel, Index first, Index begin,
                              Index end) {
  const Index size = product.source.size();
  in_tiles<vectors>(begin, end, [&]<std::size_t rows>(Index i) HWY_ATTR {
    double* y = product.y + i * product.stride + first;
    Tile<rows, vectors> tile;
    if (product.accumulate) {
      tile.load(y, product.stride);
    } else {
      tile.clear();
    }
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
  const auto width = static_cast<Index>(hn::Lanes(Tag()));
  Index first = 0;
#if !HWY_HAVE_SCALABLE
  for (; first + 4 * width <= stride; first += 4 * width) work.template operator()<4>(first);
  for (; first + 2 * width <= stride; first += 2 * width) work.template operator()<2>(first);
#endif
  for (; first < stride; first += width) work.template operator()<1>(first);
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
    Panel panel{product.target + first, product.stride};
    const auto width = static_cast<Index>(vectors * hn::Lanes(Tag()));
    if (worth_packing(end - begin, width, product.stride)) {
      panel = pack(panel.data, product.stride, product.columns, width, space);
    }
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
    if (product.source.dense()) {
      Panel panel{product.z + first, product.stride};
      const auto width = static_cast<Index>(vectors * hn::Lanes(Tag()));
      if (worth_packing(end - begin, width, product.stride)) {
        panel = pack(panel.data, product.stride, product.source.size(), width, space);
      }
      dense_columns<vectors>(product, panel, first, begin, end);
    } else {
      sparse_columns<vectors>(product, first, begin, end);
    }
  });
}

}  // namespace srgw::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace srgw::detail {

HWY_EXPORT(multiply_target);
HWY_EXPORT(multiply_source);

void multiply_target(const TargetProduct& product, Index begin, Index end) {
  HWY_DYNAMIC_DISPATCH(multiply_target)(product, begin, end);
}

void multiply_source(const SourceProduct& product, Index begin, Index end) {
  HWY_DYNAMIC_DISPATCH(multiply_source)(product, begin, end);
}

}  // namespace srgw::detail
#endif
