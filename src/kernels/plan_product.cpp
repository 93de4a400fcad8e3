// SPDX-License-Identifier: MIT
#include "kernels/plan_product.hpp"

#include <algorithm>
#include <vector>

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
  space.resize(static_cast<std::size_t>(rows * width));
  for (Index j = 0; j < rows; ++j) std::copy_n(z + j * stride, width, space.data() + j * width);
  return {space.data(), width};
}

// A panel is read by all rows, and made once.
bool worth_packing(Index rows, Index width, Index stride) { return rows >= 64 && width < stride; }

// Columns [first, first + vectors * lanes) of the products, kept in registers while two rows are
// summed.
template <std::size_t vectors>
HWY_INLINE void target_columns(const TargetProduct& product, Panel panel, Index first, Index begin,
                               Index end) {
  const Tag d;
  for (Index j = begin; j < end; j += 2) {
    const Index second = j + 1 < end ? j + 1 : j;
    const double* t0 = product.plan + j * product.plan_stride;
    const double* t1 = product.plan + second * product.plan_stride;
    const double scale0 = product.factor * (product.scale != nullptr ? product.scale[j] : 1.0);
    const double scale1 = product.factor * (product.scale != nullptr ? product.scale[second] : 1.0);
    Lane sum0[vectors], sum1[vectors];
    for (std::size_t v = 0; v < vectors; ++v) sum0[v] = sum1[v] = hn::Zero(d);
    const double* z = panel.data;
    for (Index k = 0; k < product.columns; ++k, z += panel.stride) {
      if (t0[k] == 0 && t1[k] == 0) continue;
      const Lane a0 = hn::Set(d, scale0 * t0[k]);
      const Lane a1 = hn::Set(d, scale1 * t1[k]);
      for (std::size_t v = 0; v < vectors; ++v) {
        const Lane x = hn::LoadU(d, z + v * hn::Lanes(d));
        sum0[v] = hn::MulAdd(a0, x, sum0[v]);
        sum1[v] = hn::MulAdd(a1, x, sum1[v]);
      }
    }
    double* z0 = product.z + j * product.stride + first;
    double* z1 = product.z + second * product.stride + first;
    for (std::size_t v = 0; v < vectors; ++v) hn::StoreU(sum1[v], d, z1 + v * hn::Lanes(d));
    for (std::size_t v = 0; v < vectors; ++v) hn::StoreU(sum0[v], d, z0 + v * hn::Lanes(d));
  }
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

// Two rows at a time: each row of Z that is read serves both.
template <std::size_t vectors>
HWY_INLINE void dense_columns(const SourceProduct& product, Panel panel, Index first, Index begin,
                              Index end) {
  const Tag d;
  const Index size = product.source.size();
  for (Index i = begin; i < end; i += 2) {
    const bool both = i + 1 < end;
    const double* c0 = product.source.dense_row(i);
    const double* c1 = product.source.dense_row(both ? i + 1 : i);
    double* y0 = product.y + i * product.stride + first;
    double* y1 = both ? y0 + product.stride : y0;
    Lane sum0[vectors], sum1[vectors];
    for (std::size_t v = 0; v < vectors; ++v) {
      sum0[v] = product.accumulate ? hn::LoadU(d, y0 + v * hn::Lanes(d)) : hn::Zero(d);
      sum1[v] = product.accumulate ? hn::LoadU(d, y1 + v * hn::Lanes(d)) : hn::Zero(d);
    }
    const double* z = panel.data;
    for (Index j = 0; j < size; ++j, z += panel.stride) {
      const Lane a0 = hn::Set(d, c0[j]);
      const Lane a1 = hn::Set(d, c1[j]);
      for (std::size_t v = 0; v < vectors; ++v) {
        const Lane x = hn::LoadU(d, z + v * hn::Lanes(d));
        sum0[v] = hn::MulAdd(a0, x, sum0[v]);
        sum1[v] = hn::MulAdd(a1, x, sum1[v]);
      }
    }
    for (std::size_t v = 0; v < vectors; ++v) hn::StoreU(sum1[v], d, y1 + v * hn::Lanes(d));
    for (std::size_t v = 0; v < vectors; ++v) hn::StoreU(sum0[v], d, y0 + v * hn::Lanes(d));
  }
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

void multiply_target(const TargetProduct& product, Index begin, Index end) {
  if (product.target == nullptr) {
    scale_columns(product, begin, end);
    return;
  }
  std::vector<double> space;
  in_groups(product.stride, [&]<std::size_t vectors>(Index first) {
    Panel panel{product.target + first, product.stride};
    const auto width = static_cast<Index>(vectors * hn::Lanes(Tag()));
    if (worth_packing(end - begin, width, product.stride)) {
      panel = pack(panel.data, product.stride, product.columns, width, space);
    }
    target_columns<vectors>(product, panel, first, begin, end);
  });
}

void multiply_source(const SourceProduct& product, Index begin, Index end) {
  std::vector<double> space;
  in_groups(product.stride, [&]<std::size_t vectors>(Index first) {
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
