// SPDX-License-Identifier: MIT
#include "solve/starts/starts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/random.hpp"
#include "base/row_blocks.hpp"
#include "kernels/source_rows.hpp"
#include "structure/chebyshev.hpp"
#include "structure/eigen.hpp"
#include "structure/plain_rows.hpp"
#include "structure/storage.hpp"

namespace srgw::detail {

namespace {

constexpr int filter_degree = 12;
constexpr Index sampled_rows = 20000;
constexpr double smallest_volume = 1e-30;  // beside the largest; nodes below count as isolated

// Single precision: the filter needs directions, not digits, and rows of 16 vectors fill one cache
// line.
using Block = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// The edge of the bulk of a random graph's spectrum, 2 / sqrt(mean degree - 1).
double edge_of_bulk(Index nodes, Index entries) {
  const double degree = static_cast<double>(entries) / static_cast<double>(nodes);
  return std::min(0.9, 2 / std::sqrt(std::max(2.0, degree - 1)));
}

// N = diag(left) A diag(left), with A the stored entries of C.
class NormalizedSource {
 public:
  NormalizedSource(const Problem& problem, int threads)
      : structure_(with_plain_rows(problem.source.symmetrized(), true)),
        rows_(storage_of(structure_)),
        threads_(threads) {
    // M_ij = left_i a_ij left_j with left_i^2 = h_i^2 |scale_i| for a symmetric scaling. N does not
    // depend on the size of the entries: a power of 4 brings them where single precision holds
    // them.
    std::vector<double> scale(problem.weights.begin(), problem.weights.end());
    double factor = 1;
    if (const auto* csr = std::get_if<CsrStorage>(&storage_of(structure_).form)) {
      for (Index i = 0; i < csr->left.size(); ++i) scale[i] *= std::abs(csr->left[i]);
      factor = csr->factor;
    }
    double largest = 0, largest_scale = 0;
    for (Index i = 0; i < size(); ++i) {
      largest_scale = std::max(largest_scale, scale[i]);
      rows_.for_each(i, [&](Index, double a) { largest = std::max(largest, std::abs(a)); });
    }
    if (largest > 0 && largest_scale > 0) {
      unit_ = std::ldexp(1.0, -2 * std::max(-511, std::ilogb(largest) / 2));
      const double unit = std::ldexp(1.0, -std::ilogb(largest_scale));
      for (double& s : scale) s *= unit;
    }
    Vector volume(size());
    for_each_row(size(), threads_, [&](Index i) {
      double sum = 0;
      rows_.for_each(i, [&](Index j, double a) { sum += std::abs(a * unit_) * scale[j]; });
      volume[i] = sum * scale[i];
    });
    left_.resize(size());
    const double least = smallest_volume * volume.maxCoeff();
    for (Index i = 0; i < size(); ++i) {
      left_[i] = volume[i] > least ? static_cast<float>(scale[i] / std::sqrt(volume[i])) : 0.0F;
    }
    sign_ = factor < 0 ? -1.0F : 1.0F;
  }

  [[nodiscard]] Index size() const { return rows_.size(); }

  [[nodiscard]] double bulk_edge() const { return edge_of_bulk(size(), structure_.entries()); }

  // y = a N x + b x + c y, all in one pass over the rows.
  void combine(float a, const Block& x, float b, float c, Block& y) const {
    const Index width = x.cols();
    for_each_row(size(), threads_, [&](Index i) {
      float sum[64] = {};
      rows_.for_each(i, [&](Index j, double value) {
        const float factor = static_cast<float>(value * unit_) * left_[j];
        const float* row = x.data() + j * width;
        for (Index v = 0; v < width; ++v) sum[v] += factor * row[v];
      });
      const float scale = a * sign_ * left_[i];
      float* out = y.data() + i * width;
      const float* in = x.data() + i * width;
      for (Index v = 0; v < width; ++v) out[v] = scale * sum[v] + b * in[v] + c * out[v];
    });
  }

 private:
  Structure structure_;
  SourceRows rows_;
  int threads_;
  double unit_ = 1;
  std::vector<float> left_;
  float sign_ = 1;
};

// The walk of an implicit kernel exp(-t(I - N)), whose leading vectors are those of the kernel.
class KernelSource {
 public:
  KernelSource(const ImplicitKernelStorage& kernel, const Structure& structure, int threads)
      : kernel_(kernel),
        size_(structure.size()),
        entries_(structure.entries()),
        threads_(threads) {}

  [[nodiscard]] Index size() const { return size_; }
  [[nodiscard]] double bulk_edge() const { return edge_of_bulk(size_, entries_); }

  void combine(float a, const Block& x, float b, float c, Block& y) const {
    const Matrix in = x.cast<double>();
    Matrix out(in.rows(), in.cols());
    apply_walk(kernel_.walk, in.data(), in.cols(), out.data(), threads_);
    y = a * out.cast<float>() + b * x + c * y;
  }

 private:
  const ImplicitKernelStorage& kernel_;
  Index size_, entries_;
  int threads_;
};

Block random_block(Index rows, Index vectors, std::uint64_t seed, int threads) {
  Block block(rows, vectors);
  for_each_row(rows, threads, [&](Index i) {
    Random random(seed, static_cast<std::uint64_t>(i));
    for (Index v = 0; v < vectors; ++v) block(i, v) = static_cast<float>(random.normal());
  });
  return block;
}

// T_p((2 N - (edge - 1)) / (edge + 1)) x: bounded on [-1, edge], steep above.
template <class Source>
Block filter_block(const Source& source, const Block& x) {
  const double edge = source.bulk_edge();
  const auto slope = static_cast<float>(2 / (edge + 1));
  const auto shift = static_cast<float>((1 - edge) / (edge + 1));
  Block former = x;
  Block current = x;
  source.combine(slope, x, shift, 0, current);
  for (int degree = 2; degree <= filter_degree; ++degree) {
    source.combine(2 * slope, current, 2 * shift, -1, former);
    std::swap(former, current);
    // Growth is the same for all, but single precision must hold it.
    const float largest = current.cwiseAbs().maxCoeff();
    if (largest > 1e10F) {
      current /= largest;
      former /= largest;
    }
  }
  return current;
}

// X'Y in double, over fixed blocks of rows.
Matrix inner_products(const Block& x, const Block& y, int threads) {
  const Matrix zero = Matrix::Zero(x.cols(), y.cols());
  return sum_over_blocks(x.rows(), threads, zero, [&](Index begin, Index end) -> Matrix {
    return x.middleRows(begin, end - begin).cast<double>().transpose() *
           y.middleRows(begin, end - begin).cast<double>();
  });
}

// The rotation of a block to its leading Ritz vectors; directions that the filter left no trace of
// are dropped.
template <class Source>
Matrix ritz_rotation(const Source& source, const Block& block, Index wanted, int threads) {
  Block image = block;
  source.combine(1, block, 0, 0, image);
  const Matrix gram = inner_products(block, block, threads);
  Matrix projected = inner_products(block, image, threads);
  projected = (0.5 * (projected + projected.transpose())).eval();
  const EigenPairs inner = eigen_pairs(gram);
  const Vector& sizes = inner.values;
  const double smallest = 1e-9 * std::max(sizes.maxCoeff(), 1e-300);
  Index kept = 0;
  for (const double size : sizes) kept += size > smallest ? 1 : 0;
  if (kept == 0) return Matrix::Zero(block.cols(), 1);  // nothing tells the rows apart
  const Matrix whiten =
      inner.vectors.rightCols(kept) * sizes.tail(kept).cwiseSqrt().cwiseInverse().asDiagonal();
  return whiten * eigen_pairs(whiten.transpose() * projected * whiten)
                      .vectors.rightCols(std::min(wanted, kept));
}

// Rows of unit length, so that nodes of all degrees lie with their block.
Matrix unit_rows(const Block& block, const Matrix& rotation, int threads) {
  Matrix rows(block.rows(), rotation.cols());
  for_each_row(block.rows(), threads, [&](Index i) {
    rows.row(i).noalias() = block.row(i).cast<double>() * rotation;
    const double norm = rows.row(i).norm();
    if (norm > 0) rows.row(i) /= norm;
  });
  return rows;
}

Matrix sample(const Matrix& rows, std::uint64_t seed) {
  if (rows.rows() <= sampled_rows) return rows;
  Random random(seed, 1);
  Matrix result(sampled_rows, rows.cols());
  for (Index s = 0; s < sampled_rows; ++s) {
    result.row(s) =
        rows.row(static_cast<Index>(random.below(static_cast<std::uint64_t>(rows.rows()))));
  }
  return result;
}

Assignment nearest_centres(const Matrix& rows, const Matrix& centres, int threads) {
  Assignment labels(rows.rows());
  const Vector halves = 0.5 * centres.rowwise().squaredNorm();
  for_each_row(rows.rows(), threads, [&](Index i) {
    Index nearest = 0;
    (halves - centres * rows.row(i).transpose()).minCoeff(&nearest);
    labels[i] = static_cast<NodeId>(nearest);
  });
  return labels;
}

template <class Source>
Matrix leading_rows(const Source& source, const KMeansOptions& options, Index wanted) {
  const Index vectors = std::min<Index>((wanted + 4 + 15) / 16 * 16, 64);
  const Block block =
      filter_block(source, random_block(source.size(), vectors, options.seed, options.threads));
  return unit_rows(block, ritz_rotation(source, block, wanted, options.threads), options.threads);
}

// A low rank brings its vectors: those with the largest values.
Matrix leading_rows(const LowRankStorage& form, Index wanted, int threads) {
  std::vector<Index> order(form.values.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, std::ranges::greater(), [&](Index k) { return form.values[k]; });
  order.resize(std::min(order.size(), static_cast<std::size_t>(wanted)));
  const Block block = form.factors(Eigen::all, order).cast<float>();
  return unit_rows(block, Matrix::Identity(block.cols(), block.cols()), threads);
}

}  // namespace

Assignment spectral_labels(const Problem& problem, const KMeansOptions& options) {
  const Index wanted = std::min<Index>(options.clusters, 60);
  const auto& form = storage_of(problem.source).form;
  Matrix rows;
  if (const auto* low_rank = std::get_if<LowRankStorage>(&form)) {
    rows = leading_rows(*low_rank, wanted, options.threads);
  } else if (const auto* kernel = std::get_if<ImplicitKernelStorage>(&form)) {
    rows = leading_rows(KernelSource(*kernel, problem.source, options.threads), options, wanted);
  } else {
    rows = leading_rows(NormalizedSource(problem, options.threads), options, wanted);
  }
  KMeansOptions on_sample = options;
  on_sample.tries = 3;
  const KMeansResult clusters = kmeans(sample(rows, options.seed), on_sample);
  return nearest_centres(rows, clusters.centres, options.threads);
}

}  // namespace srgw::detail
