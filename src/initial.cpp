// SPDX-License-Identifier: MIT
#include "srgw/initial.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <vector>

#include "message.hpp"
#include "random.hpp"
#include "spectral_rows.hpp"
#include "srgw/kmeans.hpp"
#include "structure/plain_rows.hpp"
#include "structure/storage.hpp"
#include "zeros.hpp"

namespace srgw {

namespace {

using detail::Random;

constexpr std::array<StartName, 7> names{{
    {Start::product, "product", "h 1'/m, left when it is a fixed point only by symmetry"},
    {Start::product_literal, "product-literal", "h 1'/m and nothing else"},
    {Start::random, "random", "uniform entries, rows scaled to the weights"},
    {Start::random_product, "random-product", "h r' with random r"},
    {Start::random_labels, "random-labels", "each node on one random target node"},
    {Start::kmeans, "kmeans", "k-means on the rows of the structure"},
    {Start::spectral, "spectral", "k-means on leading eigenvectors of the structure"},
}};

Plan product_plan(const Problem& problem) {
  if (problem.balanced()) return Plan::from_product(problem.weights, *problem.target_weights);
  const Index m = problem.columns();
  return Plan::from_product(problem.weights, Vector::Constant(m, 1.0 / static_cast<double>(m)));
}

Plan random_product_plan(const Problem& problem, std::uint64_t seed) {
  Random random(seed, 0);
  Vector shares(problem.columns());
  for (double& share : shares) share = 1 - random.uniform();  // above 0
  return Plan::from_product(problem.weights, shares / shares.sum());
}

Plan random_plan(const Problem& problem, std::uint64_t seed) {
  Matrix plan = detail::zeros(problem.rows(), problem.columns());
  for (Index i = 0; i < plan.rows(); ++i) {
    Random random(seed, static_cast<std::uint64_t>(i));
    for (Index k = 0; k < plan.cols(); ++k) plan(i, k) = 1 - random.uniform();
    plan.row(i) *= problem.weights[i] / plan.row(i).sum();
  }
  return Plan::from_dense(problem.weights, std::move(plan));
}

Plan random_labels_plan(const Problem& problem, std::uint64_t seed) {
  Random random(seed, 0);
  Assignment labels(static_cast<std::size_t>(problem.rows()));
  const auto m = static_cast<std::uint64_t>(problem.columns());
  for (NodeId& label : labels) label = static_cast<NodeId>(random.below(m));
  return Plan::from_labels(problem.weights, labels, problem.columns());
}

// Each node alone, when there are target nodes enough.
Assignment one_each(Index rows) {
  Assignment labels(static_cast<std::size_t>(rows));
  std::iota(labels.begin(), labels.end(), NodeId{0});
  return labels;
}

Assignment kmeans_labels(const Problem& problem, const KMeans& options) {
  const Structure rows = detail::with_plain_rows(problem.source, false);
  const auto& form = rows.storage().form;
  if (const auto* dense = std::get_if<detail::DenseStorage>(&form)) {
    return kmeans(dense->matrix, options).labels;
  }
  return kmeans(std::get<detail::CsrStorage>(form).csr, options).labels;
}

Plan clustered_plan(const Problem& problem, Start start, std::uint64_t seed, int threads) {
  if (problem.rows() <= problem.columns()) {
    return Plan::from_labels(problem.weights, one_each(problem.rows()), problem.columns());
  }
  const KMeans options{
      .clusters = static_cast<int>(problem.columns()), .seed = seed, .threads = threads};
  const Assignment labels = start == Start::kmeans ? kmeans_labels(problem, options)
                                                   : detail::spectral_labels(problem, options);
  return Plan::from_labels(problem.weights, labels, problem.columns());
}

}  // namespace

std::span<const StartName> start_names() { return names; }

std::string_view name(Start start) {
  for (const StartName& entry : names) {
    if (entry.start == start) return entry.name;
  }
  detail::fail_argument("start {}, expected one of the enumerators", static_cast<int>(start));
}

Start start_from_name(std::string_view name) {
  std::string known;
  for (const StartName& entry : names) {
    if (entry.name == name) return entry.start;
    known += known.empty() ? "" : ", ";
    known += entry.name;
  }
  detail::fail_argument("start '{}', expected one of: {}", name, known);
}

Plan initial_plan(const Problem& problem, Start start, std::uint64_t seed, int threads) {
  check(problem);
  switch (start) {
    case Start::product:
    case Start::product_literal: return product_plan(problem);
    case Start::random: return random_plan(problem, seed);
    case Start::random_product: return random_product_plan(problem, seed);
    case Start::random_labels: return random_labels_plan(problem, seed);
    case Start::kmeans:
    case Start::spectral: return clustered_plan(problem, start, seed, threads);
  }
  detail::fail_argument("start {}, expected one of the enumerators", static_cast<int>(start));
}

}  // namespace srgw
