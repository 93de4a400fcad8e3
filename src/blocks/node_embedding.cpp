// SPDX-License-Identifier: MIT
#include "blocks/node_embedding.hpp"

#include <algorithm>
#include <cmath>

#include "base/kmeans.hpp"
#include "base/random.hpp"
#include "base/row_blocks.hpp"
#include "blocks/leading_pairs.hpp"

namespace srgw::detail {

namespace {

/// How far the eigenvalues of random graphs reach: those inside say nothing.
double bulk_of(const Vector& variances) {
  const double sum = variances.sum();
  return sum > 0 ? 2 * std::sqrt(std::max(1.0, variances.squaredNorm() / sum)) : 0;
}

}  // namespace

Matrix embed_rows(const Csr& rows, const Vector& degrees, const Vector& variances,
                  const EmbeddingRules& rules) {
  const double mean = degrees.mean();
  Walk walk{.entries = rows, .scale = {}, .u = {}, .v = {}};
  double bulk = bulk_of(variances);
  if (rules.normalised) {
    walk.scale = (degrees.array() + std::max(mean, 1e-300)).rsqrt();
    bulk = 1 / std::sqrt(std::max(1.0, mean));
  }
  const LeadingPairs pairs =
      leading_pairs(walk, {.wanted = rules.bipartite ? 2 * rules.wanted : rules.wanted,
                           .which = rules.bipartite ? Leading::largest : Leading::largest_absolute,
                           .tolerance = 1e-3 * std::max(bulk, 1e-300),
                           .rounds = 12,
                           .seed = rules.seed,
                           .threads = rules.threads});
  const Index kept = std::min<Index>(rules.wanted, pairs.values.size());
  const Index n = rules.bipartite ? rows.rows() / 2 : rows.rows();
  Matrix embedded(n, rules.bipartite ? 2 * kept : kept);
  for (Index k = 0; k < kept; ++k) {
    const double size = std::abs(pairs.values[k]);
    const double ratio = size > 0 ? bulk / size : 1;
    const double weight = size * std::sqrt(std::max(1e-2, 1 - ratio * ratio));
    embedded.col(k) = weight * pairs.vectors.col(k).head(n);
    if (rules.bipartite) embedded.col(kept + k) = weight * pairs.vectors.col(k).tail(n);
  }
  return embedded;
}

Assignment cluster_rows(const Matrix& rows, std::size_t count, std::uint64_t seed, int threads) {
  constexpr Index most_rows = 20'000;
  const KMeansOptions options{
      .clusters = static_cast<int>(count), .tries = 3, .seed = seed, .threads = threads};
  if (rows.rows() <= most_rows) {
    const double largest = rows.cwiseAbs().maxCoeff();
    return largest > 0 ? kmeans(rows / largest, options).labels : Assignment(rows.rows(), 0);
  }
  Random random(seed, 1);
  Matrix some(most_rows, rows.cols());
  for (Index s = 0; s < most_rows; ++s) {
    some.row(s) = rows.row(static_cast<Index>(random.below(rows.rows())));
  }
  const double largest = some.cwiseAbs().maxCoeff();
  if (!(largest > 0)) return Assignment(rows.rows(), 0);
  const Matrix centres = kmeans(some / largest, options).centres * largest;
  const Vector halves = 0.5 * centres.rowwise().squaredNorm();
  Assignment labels(rows.rows());
  for_each_row(rows.rows(), threads, [&](Index i) {
    Index nearest = 0;
    (halves - centres * rows.row(i).transpose()).minCoeff(&nearest);
    labels[i] = static_cast<NodeId>(nearest);
  });
  return labels;
}

}  // namespace srgw::detail
