// SPDX-License-Identifier: MIT
#include "structure/chebyshev.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <new>

#include "base/message.hpp"
#include "base/row_blocks.hpp"
#include "base/zeros.hpp"
#include "graph/csr_rows.hpp"
#include "structure/storage.hpp"

namespace srgw::detail {

namespace {

constexpr int most_terms = 100'000;
constexpr Index most_columns = 64;  // of one tile: a row of it is eight cache lines
constexpr std::size_t cache_line = 64;

/// One number, half a cache line, or whole ones.
Index padded(Index columns) {
  if (columns == 1) return 1;
  return columns <= 4 ? 4 : (columns + 7) / 8 * 8;
}

/// Rows of `stride` numbers that cross as few cache lines as they can: rows are gathered.
class Tile {
 public:
  Tile(Index rows, Index columns)
      : stride(padded(columns)),
        data_(static_cast<double*>(
            ::operator new (static_cast<std::size_t>(rows* stride) * sizeof(double),
                            std::align_val_t{cache_line}, std::nothrow))) {
    if (data_ == nullptr) fail_resource("no memory for {} x {} numbers", rows, stride);
  }

  [[nodiscard]] double* row(Index i) { return data_.get() + i * stride; }
  [[nodiscard]] const double* row(Index i) const { return data_.get() + i * stride; }

  Index stride;

 private:
  struct Free {
    void operator()(double* data) const { ::operator delete (data, std::align_val_t{cache_line}); }
  };
  std::unique_ptr<double, Free> data_;
};

/// sum = the first `Width` columns of sum_j a_ij scale_j x_j over the entries of row i. Rows of x
/// come from all over memory, so those of the entries ahead, in this row or the next ones, are
/// asked for early.
template <int Width, class Rows>
void gather(const Rows& rows, Index i, const double* scale, const double* x, Index stride,
            double* sum) {
  constexpr std::size_t ahead = 12;
  const std::size_t entries = rows.columns.size();
  double sums[Width] = {};
  for (std::size_t e = rows.begin(i); e < rows.end(i); ++e) {
    if (Width >= 8 && e + ahead < entries) {
      const double* later = x + Index{rows.columns[e + ahead]} * stride;
      for (int c = 0; c < Width; c += 8) __builtin_prefetch(later + c);
    }
    const Index j = rows.columns[e];
    const double a = scale == nullptr ? rows.value(e) : rows.value(e) * scale[j];
    const double* from = x + j * stride;
    for (int c = 0; c < Width; ++c) sums[c] += a * from[c];
  }
  for (int c = 0; c < Width; ++c) sum[c] = sums[c];
}

/// The walk N, a row at a time.
class WalkRows {
 public:
  explicit WalkRows(const Walk& walk)
      : walk_(walk), scale_(walk.scale.size() > 0 ? walk.scale.data() : nullptr) {}

  /// Calls `finish(i, (N x)_i)` for each row.
  template <class Finish>
  void for_each_product(const Tile& x, int threads, const Finish& finish) const {
    const Jumps jumps = jumps_of(x, threads);
    with_rows(walk_.entries, [&](const auto& rows) {
      for_each_block(walk_.size(), threads, [&](Index, Index begin, Index end, int) {
        alignas(cache_line) double sum[most_columns];
        for (Index i = begin; i < end; ++i) {
          product(rows, i, x, sum);
          if (scale_ != nullptr) {
            for (Index c = 0; c < x.stride; ++c) sum[c] *= scale_[i];
          }
          add_jumps(jumps, i, x.stride, sum);
          finish(i, sum);
        }
      });
    });
  }

 private:
  struct Jumps {
    double u[most_columns] = {};  // u'x / 2
    double v[most_columns] = {};

    Jumps& operator+=(const Jumps& other) {
      for (Index c = 0; c < most_columns; ++c) {
        u[c] += other.u[c];
        v[c] += other.v[c];
      }
      return *this;
    }
  };

  template <class Rows>
  void product(const Rows& rows, Index i, const Tile& x, double* sum) const {
    Index c = 0;
    for (; c + 16 <= x.stride; c += 16) {
      gather<16>(rows, i, scale_, x.row(0) + c, x.stride, sum + c);
    }
    switch (x.stride - c) {
      case 8: return gather<8>(rows, i, scale_, x.row(0) + c, x.stride, sum + c);
      case 4: return gather<4>(rows, i, scale_, x.row(0) + c, x.stride, sum + c);
      case 1: return gather<1>(rows, i, scale_, x.row(0) + c, x.stride, sum + c);
      default: return;
    }
  }

  Jumps jumps_of(const Tile& x, int threads) const {
    if (walk_.u.size() == 0) return {};
    return sum_over_blocks(walk_.size(), threads, Jumps(), [&](Index begin, Index end) {
      Jumps part;
      for (Index i = begin; i < end; ++i) {
        const double* row = x.row(i);
        for (Index c = 0; c < x.stride; ++c) {
          part.u[c] += 0.5 * walk_.u[i] * row[c];
          part.v[c] += 0.5 * walk_.v[i] * row[c];
        }
      }
      return part;
    });
  }

  void add_jumps(const Jumps& jumps, Index i, Index stride, double* sum) const {
    if (walk_.u.size() == 0) return;
    for (Index c = 0; c < stride; ++c) {
      sum[c] += walk_.u[i] * jumps.v[c] + walk_.v[i] * jumps.u[c];
    }
  }

  const Walk& walk_;
  const double* scale_;
};

/// Some columns of a row-major array.
template <class Number>
struct Columns {
  Number* first;
  Index stride, count;

  [[nodiscard]] Number* row(Index i) const { return first + i * stride; }
};

/// diag(outer) x, in a tile whose spare columns are zero; an empty outer stands for ones.
Tile load(Index n, const Vector& outer, const Columns<const double>& x, int threads) {
  Tile tile(n, x.count);
  for_each_row(n, threads, [&](Index i) {
    const double scale = outer.size() > 0 ? outer[i] : 1.0;
    double* row = tile.row(i);
    for (Index c = 0; c < x.count; ++c) row[c] = scale * x.row(i)[c];
    std::fill(row + x.count, row + tile.stride, 0.0);
  });
  return tile;
}

/// Clenshaw: b_k = c_k x + 2 N b_{k+1} - b_{k+2}, and the sum is c_0 x + N b_1 - b_2. b_k is
/// written over b_{k+2}, of which it needs the same row alone.
void apply_tile(const ImplicitKernelStorage& kernel, const Columns<const double>& x,
                const Columns<double>& y, int threads) {
  const std::vector<double>& c = kernel.series.coefficients;
  const Index n = kernel.walk.size();
  const WalkRows N(kernel.walk);
  const double* outer = kernel.outer.size() > 0 ? kernel.outer.data() : nullptr;
  Tile next = load(n, kernel.outer, x, threads);  // b_{k+1}, at first x itself
  Tile after(n, x.count);                         // b_{k+2}
  const Index stride = next.stride;
  for_each_row(n, threads, [&](Index i) {
    for (Index v = 0; v < stride; ++v) {
      next.row(i)[v] *= c.back();
      after.row(i)[v] = 0;
    }
  });
  for (int k = kernel.series.degree() - 1; k >= 0; --k) {
    const double coefficient = c[k];
    const double twice = k == 0 ? 1.0 : 2.0;
    N.for_each_product(next, threads, [&](Index i, const double* product) {
      double* b = after.row(i);
      const double* from = x.row(i);
      const double weight = outer != nullptr ? coefficient * outer[i] : coefficient;
      for (Index v = 0; v < x.count; ++v) b[v] = weight * from[v] + (twice * product[v] - b[v]);
    });
    std::swap(next, after);
  }
  for_each_row(n, threads, [&](Index i) {
    const double scale = kernel.factor * (outer != nullptr ? outer[i] : 1.0);
    for (Index v = 0; v < x.count; ++v) y.row(i)[v] = scale * next.row(i)[v];
  });
}

/// exp(-t) I_k(t) for k < terms by the backward recurrence I_{k-1} = I_{k+1} + (2k/t) I_k, which
/// any start far out falls into; scaled by I_0 + 2 sum_k I_k = exp(t).
std::vector<double> scaled_bessel(double t, std::size_t terms) {
  std::vector<double> values(terms + 1, 0.0);
  double above = 0;
  double current = 1e-300;
  double sum = 0;
  for (std::size_t k = terms; k-- > 0;) {
    values[k] = current;
    sum += k == 0 ? current : 2 * current;
    if (k == 0) break;
    const double below = above + 2 * static_cast<double>(k) / t * current;
    above = current;
    current = below;
    if (current > 1e200) {  // far from overflow, and what is lost was nothing
      for (std::size_t l = k; l < terms; ++l) values[l] *= 1e-250;
      above *= 1e-250;
      current *= 1e-250;
      sum *= 1e-250;
    }
  }
  for (double& value : values) value /= sum;
  return values;
}

}  // namespace

Matrix dense_walk(const Walk& walk) {
  Matrix N = zeros(walk.size(), walk.size());
  for_each_entry(walk.entries, [&](Index i, Index j, double a) {
    N(i, j) = walk.scale.size() == 0 ? a : walk.scale[i] * a * walk.scale[j];
  });
  if (walk.u.size() > 0) {
    N += 0.5 * (walk.u * walk.v.transpose() + walk.v * walk.u.transpose());
  }
  return N;
}

HeatSeries heat_series(double t, double tolerance) {
  // |exp(-t(1 - x)) - 1| <= 2t; the recurrence below divides by t.
  if (t <= 1e-30) return {.coefficients = {1.0}, .error = 2 * t};
  // Beyond here the coefficients are below 1e-35: they fall like exp(-k^2 / 2t) up to k = t, and
  // faster afterwards.
  const double terms = 50 + 13 * std::sqrt(t);
  if (terms > most_terms) {
    fail_resource(
        "t is {}: its series has more than {} terms, expected a smaller t or a kernel of "
        "low rank",
        t, most_terms);
  }
  std::vector<double> coefficients = scaled_bessel(t, static_cast<std::size_t>(terms));
  for (std::size_t k = 1; k < coefficients.size(); ++k) coefficients[k] *= 2;
  double error = 0;
  while (coefficients.size() > 1 && error + coefficients.back() <= tolerance) {
    error += coefficients.back();
    coefficients.pop_back();
  }
  return {.coefficients = std::move(coefficients), .error = error};
}

void apply(const ImplicitKernelStorage& kernel, const double* x, Index columns, double* y,
           int threads) {
  for (Index first = 0; first < columns; first += most_columns) {
    const Index count = std::min(most_columns, columns - first);
    apply_tile(kernel, {x + first, columns, count}, {y + first, columns, count}, threads);
  }
}

void apply_walk(const Walk& walk, const double* x, Index columns, double* y, int threads) {
  const WalkRows N(walk);
  for (Index first = 0; first < columns; first += most_columns) {
    const Columns<const double> from{x + first, columns, std::min(most_columns, columns - first)};
    const Columns<double> to{y + first, columns, from.count};
    const Tile tile = load(walk.size(), {}, from, threads);
    N.for_each_product(tile, threads, [&](Index i, const double* product) {
      std::copy_n(product, from.count, to.row(i));
    });
  }
}

}  // namespace srgw::detail
