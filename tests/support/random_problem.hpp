// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <ostream>

#include "base/random.hpp"
#include "srgw/graph.hpp"
#include "srgw/problem.hpp"

namespace srgw::test {

enum class Storage { dense, csr, scaled_csr, diagonal };
inline constexpr Storage all_storages[] = {Storage::dense, Storage::csr, Storage::scaled_csr,
                                           Storage::diagonal};

enum class PlanStorage { labels, short_rows, product, dense };
inline constexpr PlanStorage all_plan_storages[] = {PlanStorage::labels, PlanStorage::short_rows,
                                                    PlanStorage::product, PlanStorage::dense};

/// The shape of a random problem; its numbers follow from the seed.
struct Recipe {
  Index rows = 7, columns = 3;
  Storage source = Storage::dense, target = Storage::dense;
  bool symmetric_source = true, symmetric_target = true;
  std::optional<double> alpha = {};
  bool zero_weights = false;  ///< some nodes have no mass
  std::uint64_t seed = 0;
};

inline std::ostream& operator<<(std::ostream& out, const Recipe& r) {
  return out << r.rows << " x " << r.columns << ", source " << static_cast<int>(r.source)
             << (r.symmetric_source ? " symmetric" : " asymmetric") << ", target "
             << static_cast<int>(r.target) << (r.symmetric_target ? " symmetric" : " asymmetric")
             << ", alpha " << r.alpha.value_or(1) << (r.zero_weights ? ", zero weights" : "")
             << ", seed " << r.seed;
}

/// Entries are normal; a sparse matrix has about a third of them.
inline Matrix random_matrix(Index rows, Index columns, detail::Random& random, double share = 1) {
  Matrix matrix = Matrix::Zero(rows, columns);
  for (double& entry : matrix.reshaped()) {
    if (random.uniform() < share) entry = random.normal();
  }
  return matrix;
}

inline Csr to_csr(const Matrix& matrix) {
  std::vector<Entry> entries;
  for (Index i = 0; i < matrix.rows(); ++i) {
    for (Index j = 0; j < matrix.cols(); ++j) {
      if (matrix(i, j) == 0) continue;
      entries.push_back({static_cast<NodeId>(i), static_cast<NodeId>(j), matrix(i, j)});
    }
  }
  return make_csr(matrix.rows(), entries, Duplicates::refuse);
}

inline Structure random_structure(Index size, Storage storage, bool symmetric,
                                  detail::Random& random) {
  constexpr double sparse_share = 0.3;
  if (storage == Storage::diagonal) return Structure::diagonal(random_matrix(size, 1, random));
  Matrix matrix = random_matrix(size, size, random, storage == Storage::dense ? 1.0 : sparse_share);
  if (symmetric) matrix = (matrix + matrix.transpose().eval()) / 2;
  if (storage == Storage::dense) return Structure::dense(matrix);
  if (storage == Storage::csr) return Structure::csr(to_csr(matrix));
  const Vector left = random_matrix(size, 1, random);
  const Vector right = symmetric ? left : Vector(random_matrix(size, 1, random));
  return Structure::scaled_csr(to_csr(matrix), left, right, 0.7);
}

inline Vector random_weights(Index size, bool zeros, detail::Random& random) {
  Vector weights(size);
  for (double& weight : weights) weight = zeros && random.uniform() < 0.3 ? 0 : random.uniform();
  weights[0] += 0.1;
  return weights / weights.sum();
}

/// Owns what a Problem looks at.
struct OwnedProblem {
  Structure source, target;
  Vector weights;
  Matrix cost;
  std::optional<double> alpha;

  [[nodiscard]] Problem problem() const {
    Problem view{.source = source, .weights = weights, .target = target};
    if (alpha) view.features.emplace(FusedTerm{.cost = cost, .alpha = *alpha});
    return view;
  }
};

inline OwnedProblem random_problem(const Recipe& recipe) {
  detail::Random random(recipe.seed, 0);
  return {
      .source = random_structure(recipe.rows, recipe.source, recipe.symmetric_source, random),
      .target = random_structure(recipe.columns, recipe.target, recipe.symmetric_target, random),
      .weights = random_weights(recipe.rows, recipe.zero_weights, random),
      .cost = random_matrix(recipe.rows, recipe.columns, random).cwiseAbs2(),
      .alpha = recipe.alpha};
}

inline Assignment random_labels(Index rows, Index columns, detail::Random& random) {
  Assignment labels(static_cast<std::size_t>(rows));
  for (NodeId& label : labels) {
    label = static_cast<NodeId>(random.below(static_cast<std::uint64_t>(columns)));
  }
  return labels;
}

/// Rows are random mixtures that leave out about a third of the columns.
inline Matrix random_dense_plan(const Vector& weights, Index columns, detail::Random& random) {
  Matrix plan(weights.size(), columns);
  for (Index i = 0; i < plan.rows(); ++i) {
    plan.row(i) = weights[i] * random_weights(columns, true, random).transpose();
  }
  return plan;
}

inline Plan random_plan(const Vector& weights, Index columns, PlanStorage storage,
                        std::uint64_t seed) {
  detail::Random random(seed, 1);
  switch (storage) {
    case PlanStorage::labels:
      return Plan::from_labels(weights, random_labels(weights.size(), columns, random), columns);
    case PlanStorage::product:
      return Plan::from_product(weights, random_weights(columns, false, random));
    case PlanStorage::short_rows: {
      const auto dense = Plan::from_dense(weights, random_dense_plan(weights, columns, random));
      return Plan::from_rows(weights, dense.short_rows(), columns);
    }
    case PlanStorage::dense: break;
  }
  return Plan::from_dense(weights, random_dense_plan(weights, columns, random));
}

}  // namespace srgw::test
