// SPDX-License-Identifier: MIT
#include "kernels/row_pass.hpp"

#include <algorithm>
#include <bit>
#include <type_traits>

#include "kernels/dispatch.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/row_pass.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>

#include "kernels/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace srgw::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

Index lanes() { return static_cast<Index>(hn::Lanes(Tag())); }

// Column of the v-th vector's first lane that is set, and how many are set in all.
struct Minimum {
  NodeId first = 0;
  int count = 0;
};

using Gradient = RowGradient<RowPass>;

// A row of the direction, as numbers or as counts.
class NumberRow {
 public:
  HWY_INLINE NumberRow(const RowPass& pass, Index row)
      : numbers_(pass.direction + row * pass.stride), step_(hn::Set(Tag(), pass.step)) {}
  // y + step D
  HWY_INLINE Lane add_to(Lane y, std::size_t offset) const {
    return hn::MulAdd(step_, hn::LoadU(Tag(), numbers_ + offset), y);
  }

 private:
  const double* numbers_;
  Lane step_;
};

class CountRow {
 public:
  HWY_INLINE CountRow(const RowPass& pass, Index row)
      : counts_(pass.counts + row * pass.count_stride), unit_(pass.unit) {}
  HWY_INLINE Lane add_to(Lane y, std::size_t offset) const {
    const Tag d;
    const hn::Rebind<std::int32_t, Tag> wide;
    const hn::Rebind<std::uint16_t, Tag> narrow;
    const auto count = hn::PromoteTo(wide, hn::LoadU(narrow, counts_ + offset));
    return hn::MulAdd(hn::LoadU(d, unit_ + offset), hn::PromoteTo(d, count), y);
  }

 private:
  const std::uint16_t* counts_;
  const double* unit_;
};

// There is no step to blend in.
struct KeepRow {
  HWY_INLINE KeepRow(const RowPass&, Index) {}
};

template <class Direction>
class Blend {
 public:
  HWY_INLINE Blend(const RowPass& pass, Index row)
      : cross_(pass.cross + row * pass.stride),
        direction_(pass, row),
        keep_(hn::Set(Tag(), 1 - pass.step)) {}

  // Y <- (1 - step) Y + step D, which is D to the last bit when step = 1.
  HWY_INLINE Lane operator()(std::size_t offset) const {
    const Tag d;
    const Lane former = hn::LoadU(d, cross_ + offset);
    if constexpr (std::is_same_v<Direction, KeepRow>) {
      return former;
    } else {
      const Lane y = direction_.add_to(hn::Mul(keep_, former), offset);
      hn::StoreU(y, d, cross_ + offset);
      return y;
    }
  }

 private:
  double* cross_;
  Direction direction_;
  Lane keep_;
};

void push_tie(const Gradient& gradient, Lane threshold, Index row, Index stride, TieLists& ties) {
  const std::size_t width = lanes();
  for (std::size_t offset = 0; offset < static_cast<std::size_t>(stride); offset += width) {
    std::uint64_t bits = bits_of(hn::Le(gradient.at(offset), threshold));
    for (; bits != 0; bits &= bits - 1) {
      ties.columns.push_back(static_cast<NodeId>(offset) +
                             static_cast<NodeId>(std::countr_zero(bits)));
    }
  }
  ties.rows.push_back(static_cast<NodeId>(row));
  ties.offsets.push_back(static_cast<std::uint32_t>(ties.columns.size()));
}

// The row minimum with the gradient kept in `vectors` registers; 0: any length, formed twice.
template <std::size_t vectors, class Direction>
HWY_INLINE Minimum row_minimum(const RowPass& pass, const Gradient& gradient,
                               const Blend<Direction>& blend, Lane& threshold) {
  const Tag d;
  const std::size_t width = lanes();
  const Lane tolerance = hn::Set(d, pass.tie_tolerance);
  Minimum minimum;
  if constexpr (vectors > 0) {
    Lane g[vectors];
    for (std::size_t v = 0; v < vectors; ++v) g[v] = gradient.at(v * width, blend(v * width));
    Lane smallest = g[0];
    for (std::size_t v = 1; v < vectors; ++v) smallest = hn::Min(smallest, g[v]);
    threshold = hn::Add(hn::MinOfLanes(d, smallest), tolerance);
    std::uint64_t bits = 0;
    for (std::size_t v = 0; v < vectors; ++v) {
      bits |= bits_of(hn::Le(g[v], threshold)) << (v * width);
    }
    minimum.first = static_cast<NodeId>(std::countr_zero(bits));
    minimum.count = std::popcount(bits);
  } else {
    const std::size_t stride = pass.stride;
    Lane smallest = hn::Set(d, std::numeric_limits<double>::infinity());
    for (std::size_t k = 0; k < stride; k += width) {
      smallest = hn::Min(smallest, gradient.at(k, blend(k)));
    }
    threshold = hn::Add(hn::MinOfLanes(d, smallest), tolerance);
    for (std::size_t k = 0; k < stride; k += width) {
      const std::uint64_t bits = bits_of(hn::Le(gradient.at(k), threshold));
      if (bits != 0 && minimum.count == 0) {
        minimum.first = static_cast<NodeId>(k) + static_cast<NodeId>(std::countr_zero(bits));
      }
      minimum.count += std::popcount(bits);
    }
  }
  return minimum;
}

template <std::size_t vectors, class Direction>
RowPassSums run_pass(const RowPass& shared, Index begin, Index end, TieLists& ties) {
  const RowPass pass = shared;  // out of reach of the stores below: fields stay in registers
  RowPassSums sums;
  for (Index i = begin; i < end; ++i) {
    const double h = pass.weights[i];
    if (h == 0) {
      pass.minimiser[i] = 0;
      continue;
    }
    const Gradient gradient(pass, i);
    Lane threshold;
    const Minimum minimum =
        row_minimum<vectors>(pass, gradient, Blend<Direction>(pass, i), threshold);
    const double* y = pass.cross + i * pass.stride;
    const double* l = pass.linear != nullptr ? pass.linear + i * pass.linear_stride : nullptr;
    const double linear_mass = h * pass.linear_factor;
    const double mass = pass.row_scale != nullptr ? h * pass.row_scale[i] : h;
    if (minimum.count == 1 || !pass.share_ties) {
      pass.minimiser[i] = minimum.first;
      sums.cross += mass * y[minimum.first];
      if (l != nullptr) sums.linear += linear_mass * l[minimum.first];
      continue;
    }
    pass.minimiser[i] = tied;
    push_tie(gradient, threshold, i, pass.stride, ties);
    for (auto k = ties.columns.end() - minimum.count; k != ties.columns.end(); ++k) {
      sums.cross += mass / minimum.count * y[*k];
      if (l != nullptr) sums.linear += linear_mass / minimum.count * l[*k];
    }
  }
  return sums;
}

template <class Direction>
RowPassSums pass_along(const RowPass& pass, Index begin, Index end, TieLists& ties) {
  return with_vectors(static_cast<std::size_t>(pass.stride) / width(), [&]<std::size_t vectors>() {
    return run_pass<vectors, Direction>(pass, begin, end, ties);
  });
}

RowPassSums row_pass(const RowPass& pass, Index begin, Index end, TieLists& ties) {
  if (pass.step == 0) return pass_along<KeepRow>(pass, begin, end, ties);
  if (pass.counts != nullptr) return pass_along<CountRow>(pass, begin, end, ties);
  return pass_along<NumberRow>(pass, begin, end, ties);
}

}  // namespace srgw::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace srgw::detail {

HWY_EXPORT(lanes);

Index row_pass_lanes() { return HWY_DYNAMIC_DISPATCH(lanes)(); }
Index padded_columns(Index columns) {
  const Index width = row_pass_lanes();
  return (columns + width - 1) / width * width;
}

SRGW_DISPATCH(RowPassSums, row_pass, (const RowPass& pass, Index begin, Index end, TieLists& ties),
              (pass, begin, end, ties))

void TieLists::append(const TieLists& other) {
  const auto shift = static_cast<std::uint32_t>(columns.size());
  rows.insert(rows.end(), other.rows.begin(), other.rows.end());
  columns.insert(columns.end(), other.columns.begin(), other.columns.end());
  for (std::size_t t = 1; t < other.offsets.size(); ++t) {
    offsets.push_back(other.offsets[t] + shift);
  }
}

}  // namespace srgw::detail
#endif
