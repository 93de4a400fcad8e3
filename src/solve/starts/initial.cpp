// SPDX-License-Identifier: MIT
#include "srgw/solve.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <vector>

#include "base/kmeans.hpp"
#include "base/message.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"
#include "base/stop.hpp"
#include "base/zeros.hpp"
#include "communities/search/multilevel.hpp"
#include "communities/search/problem_graph.hpp"
#include "communities/search/split_merge.hpp"
#include "solve/starts/starts.hpp"
#include "solve/unit_scale.hpp"
#include "srgw/plan.hpp"
#include "structure/plain_rows.hpp"
#include "structure/storage.hpp"

namespace srgw {

namespace {

using detail::Random;

constexpr std::array<StartName, 17> names{{
    {Start::automatic, "auto", "the best of a few of these"},
    {Start::product, "product", "h 1'/m, left when it is a fixed point only by symmetry"},
    {Start::product_literal, "product-literal", "h 1'/m and nothing else"},
    {Start::random, "random", "uniform entries, rows scaled to the weights"},
    {Start::random_product, "random-product", "h r' with random r"},
    {Start::random_labels, "random-labels", "each node on one random target node"},
    {Start::kmeans, "kmeans", "k-means on the rows of the structure"},
    {Start::spectral, "spectral", "k-means on leading eigenvectors of the structure"},
    {Start::fluid, "fluid", "fluid communities on the graph of the structure"},
    {Start::kmeans_aligned, "kmeans-aligned",
     "k-means parts sent to the target nodes they fit best"},
    {Start::spectral_aligned, "spectral-aligned", "spectral parts sent to them"},
    {Start::fluid_aligned, "fluid-aligned", "fluid communities sent to them"},
    {Start::split_merge, "split-merge", "clusters split by the walk and merged again"},
    {Start::multilevel, "multilevel", "local moves on contracted graphs"},
    {Start::kmeans_soft, "kmeans-soft", "average of kmeans and the product of its marginals"},
    {Start::spectral_soft, "spectral-soft", "the same of spectral"},
    {Start::fluid_soft, "fluid-soft", "the same of fluid"},
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
  detail::StopCounter stop(64);
  for (Index i = 0; i < plan.rows(); ++i) {
    stop.throw_if_stopped();
    Random random(seed, static_cast<std::uint64_t>(i));
    for (Index k = 0; k < plan.cols(); ++k) plan(i, k) = 1 - random.uniform();
    plan.row(i) *= problem.weights[i] / plan.row(i).sum();
  }
  return Plan::from_dense(problem.weights, std::move(plan));
}

Plan random_labels_plan(const Problem& problem, std::uint64_t seed) {
  Random random(seed, 0);
  Assignment labels(problem.rows());
  const auto m = static_cast<std::uint64_t>(problem.columns());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto row = static_cast<Index>(i);
    if (problem.allowed.everything()) {
      labels[i] = static_cast<NodeId>(random.below(m));
    } else {
      const auto place = static_cast<Index>(random.below(problem.allowed.count(row)));
      labels[i] = static_cast<NodeId>(problem.allowed.nth(row, place));
    }
  }
  return Plan::from_labels(problem.weights, labels, problem.columns());
}

// Each node alone, when there are target nodes enough.
Assignment one_each(Index rows) {
  Assignment labels(rows);
  std::iota(labels.begin(), labels.end(), NodeId{0});
  return labels;
}

Assignment kmeans_labels(const Structure& structure, const KMeansOptions& options) {
  const Structure rows = detail::with_plain_rows(structure, false);
  const auto& form = detail::storage_of(rows).form;
  if (const auto* dense = std::get_if<detail::DenseStorage>(&form)) {
    return kmeans(dense->matrix, options).labels;
  }
  return kmeans(std::get<detail::CsrStorage>(form).csr, options).labels;
}

// The common part of the names of partitions, aligned or not, soft or not.
Start kind_of_partition(Start start) {
  switch (start) {
    case Start::kmeans_aligned:
    case Start::kmeans_soft: return Start::kmeans;
    case Start::spectral_aligned:
    case Start::spectral_soft: return Start::spectral;
    case Start::fluid_aligned:
    case Start::fluid_soft: return Start::fluid;
    default: return start;
  }
}

Assignment partition(const Problem& problem, Start start, std::uint64_t seed, int threads) {
  const KMeansOptions options{
      .clusters = static_cast<int>(problem.columns()), .seed = seed, .threads = threads};
  if (start == Start::kmeans) return kmeans_labels(problem.source, options);
  if (start == Start::fluid) return detail::fluid_labels(problem.source, problem.columns(), seed);
  return detail::spectral_labels(problem, options);
}

Plan partition_plan(const Problem& problem, Start start, std::uint64_t seed, int threads) {
  const Start kind = kind_of_partition(start);
  if (kind != start || problem.balanced()) {
    return detail::align_plan(
        problem,
        [&](const Structure& structure, const Vector& weights, Index parts) {
          const Structure target = Structure::scaled_identity(parts);
          return partition({.source = structure, .weights = weights, .target = target}, kind, seed,
                           threads);
        },
        threads);
  }
  if (problem.rows() <= problem.columns()) {
    return Plan::from_labels(problem.weights, one_each(problem.rows()), problem.columns());
  }
  return Plan::from_labels(problem.weights, partition(problem, kind, seed, threads),
                           problem.columns());
}

// The cheapest plan for random costs.
Plan random_vertex(const Problem& problem, std::uint64_t seed) {
  Matrix cost = detail::zeros(problem.rows(), problem.columns());
  for (Index i = 0; i < cost.rows(); ++i) {
    Random random(seed, static_cast<std::uint64_t>(i));
    for (double& entry : cost.row(i)) entry = random.uniform();
  }
  return transport(cost, problem.weights, *problem.target_weights).plan;
}

Plan soften_vertex(const Problem& problem, std::uint64_t seed) {
  Matrix plan = 0.5 * random_vertex(problem, seed).dense();
  plan += 0.5 * problem.weights * problem.target_weights->transpose();
  return Plan::from_dense(problem.weights, std::move(plan));
}

/// Searches that know (scaled) identity targets only.
Plan search_plan(const Problem& problem, Start start, std::uint64_t seed, int threads) {
  const bool multilevel = start == Start::multilevel;
  const auto [graph, resolution] =
      detail::problem_graph(problem, multilevel ? "multilevel" : "split-merge");
  const std::size_t columns = problem.columns();
  detail::Clustering found =
      multilevel ? detail::multilevel(
                       graph, {.resolution = resolution, .most_clusters = columns, .seed = seed})
                 : detail::split_merge(graph, {.resolution = resolution,
                                               .most_clusters = columns,
                                               .seed = seed,
                                               .threads = threads});
  // Components beyond the number of columns share the last one.
  const auto last = static_cast<NodeId>(columns - 1);
  for (NodeId& label : found.labels) label = std::min(label, last);
  return Plan::from_labels(problem.weights, found.labels, problem.columns());
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

namespace {

Plan named_plan(const Problem& problem, Start start, std::uint64_t seed, int threads);

}  // namespace

Plan initial_plan(const Problem& problem, Start start, std::uint64_t seed, int threads) {
  check(problem);
  if (const int exponent = detail::scale_exponent(problem); exponent != 0) {
    const detail::ScaledProblem scaled(problem, exponent);
    return initial_plan(scaled.problem(), start, seed, threads);
  }
  Plan plan = named_plan(problem, start, seed, detail::resolve_threads(threads));
  if (!problem.allowed.everything()) plan = problem.allowed.project(plan);
  return problem.partial() ? detail::part_of(plan, problem.share) : plan;
}

namespace {

Plan named_plan(const Problem& problem, Start start, std::uint64_t seed, int threads) {
  const bool balanced = problem.balanced();
  switch (start) {
    case Start::automatic:
    case Start::product:
    case Start::product_literal: return product_plan(problem);
    case Start::random: return balanced ? soften_vertex(problem, seed) : random_plan(problem, seed);
    case Start::random_product:
      return balanced ? product_plan(problem) : random_product_plan(problem, seed);
    case Start::random_labels:
      return balanced ? random_vertex(problem, seed) : random_labels_plan(problem, seed);
    case Start::kmeans:
    case Start::spectral:
    case Start::fluid:
    case Start::kmeans_aligned:
    case Start::spectral_aligned:
    case Start::fluid_aligned: return partition_plan(problem, start, seed, threads);
    case Start::kmeans_soft:
    case Start::spectral_soft:
    case Start::fluid_soft:
      return detail::soften(partition_plan(problem, kind_of_partition(start), seed, threads));
    case Start::split_merge:
    case Start::multilevel: return search_plan(problem, start, seed, threads);
  }
  detail::fail_argument("start {}, expected one of the enumerators", static_cast<int>(start));
}

}  // namespace

}  // namespace srgw
