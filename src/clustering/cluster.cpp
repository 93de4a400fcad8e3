// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "base/message.hpp"
#include "base/stop.hpp"
#include "dictionary/shard.hpp"
#include "srgw/clustering.hpp"
#include "srgw/ranks.hpp"

namespace srgw {

namespace {

using detail::fail_argument;

std::int64_t feature_columns(std::span<const Sample> samples, Ranks* ranks) {
  const std::int64_t own = samples.empty() ? 0 : samples.front().features.cols();
  return ranks == nullptr ? own : detail::largest(*ranks, own);  // a rank may have no graphs
}

}  // namespace

Matrix join_embeddings(std::span<const Learned> learned) {
  Matrix rows(learned.front().embedding.rows(), 0);
  for (const Learned& one : learned) {
    const Index columns = rows.cols();
    rows.conservativeResize(Eigen::NoChange, columns + one.embedding.cols());
    rows.rightCols(one.embedding.cols()) = one.embedding;
  }
  return rows;
}

Status worst_status(std::span<const Learned> learned) {
  constexpr std::array order{Status::converged, Status::iteration_limit, Status::time_limit,
                             Status::interrupted};
  auto worst = order.begin();
  for (const Learned& one : learned) worst = std::max(worst, std::ranges::find(order, one.status));
  return *worst;
}

GraphPartition cluster(std::span<const Sample> samples, const ClusterOptions& options,
                       const Run& run) {
  if (options.clusters < 1) fail_argument("clusters is {}, expected 1 or more", options.clusters);
  if (options.atoms < 1) fail_argument("atoms is {}, expected 1 or more", options.atoms);
  std::int64_t graphs = std::ssize(samples);
  if (run.ranks != nullptr) graphs = detail::total(*run.ranks, graphs);
  if (options.clusters > graphs) {
    fail_argument("{} clusters of {} graphs, expected one for each graph at most", options.clusters,
                  graphs);
  }
  const StopScope scope(run);
  GraphPartition result;
  Projection& projection = result.model.projection = options.projection;
  if (const Index columns = feature_columns(samples, run.ranks); options.alpha || columns > 0) {
    projection.alpha =
        options.alpha ? *options.alpha : fused_terms(samples, columns, run.ranks).balanced_alpha();
  }
  const auto begin = std::chrono::steady_clock::now();
  const auto time_left = [&]() -> std::optional<double> {
    if (!run.time_limit) return {};
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
    return std::max(0.0, *run.time_limit - elapsed.count());
  };
  Run learning = run;
  const EmbedOptions& embedding = options.embedding;
  std::optional<Embedding> rows;
  const std::optional<Status> cut = detail::run_until_stopped(run, [&](StopScope&) {
    for (int a = 0; a < options.atoms; ++a) {
      learning.seed = run.seed + static_cast<std::uint64_t>(a);
      learning.time_limit = time_left();
      Learning atom(samples, options.size, projection, options.learner, learning);
      result.learned.push_back(finish(atom, learning));
      result.model.atoms.push_back(result.learned.back().atom);
      result.model.unit = result.learned.back().unit;
      const Status status = result.learned.back().status;
      if (status == Status::interrupted || status == Status::time_limit) break;
    }
    rows = embed(result.model, samples, embedding, {.threads = run.threads, .seed = run.seed});
  });
  if (cut && result.learned.empty()) throw detail::Stopped(*cut);
  result.status = cut ? *cut : worst_status(result.learned);
  std::vector<Index> sizes;
  for (const Sample& sample : samples) sizes.push_back(sample.source.structure.size());
  const Matrix all = detail::join_rows_on_first(
      rows ? rows->coordinates : join_embeddings(result.learned), run.ranks);
  sizes = join_on_first(run.ranks, sizes);
  if (run.ranks != nullptr && !run.ranks->first()) return result;
  const std::vector<Index> blocks = rows ? embedding_blocks(result.model, embedding)
                                         : std::vector<Index>(result.learned.size(), options.size);
  PointClusters found = cluster_points(all,
                                       {.clusters = options.clusters,
                                        .tries = options.tries,
                                        .scaling = options.scaling,
                                        .blocks = blocks},
                                       sizes, run);
  if (found.status == Status::converged) found.status = result.status;
  static_cast<PointClusters&>(result) = std::move(found);
  return result;
}

GraphPartition cluster(const Dataset& dataset, const ClusterOptions& options, const Run& run) {
  const StopScope scope(run);
  const FeatureMap map = fit_features(dataset, options.features, run.ranks);
  GraphPartition result = cluster(make_samples(dataset, map, adjacency, run.threads), options, run);
  result.model.features = map;
  return result;
}

}  // namespace srgw
