// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <optional>

#include "base/message.hpp"
#include "base/stop.hpp"
#include "baselines/learning.hpp"
#include "dictionary/batches.hpp"
#include "dictionary/sample_scale.hpp"
#include "dictionary/training_set.hpp"
#include "srgw/barycenter.hpp"
#include "srgw/baselines.hpp"

namespace srgw {

using detail::fail_argument;

void check(const GraphCentres& centres) {
  check(static_cast<const AtomModel&>(centres));
  if (!(centres.alpha >= 0 && centres.alpha <= 1)) {
    fail_argument("alpha is {}, expected a number in [0, 1]", centres.alpha);
  }
}

Embedding embed(const GraphCentres& centres, std::span<const Sample> samples, const Run& run) {
  const StopScope scope(run);
  check(centres);
  check(samples, centres.columns());
  const int exponent = detail::extreme_exponent(centres, centres.alpha);
  detail::check_scale(samples, exponent);
  if (exponent != 0) {
    GraphCentres scaled = centres;
    detail::multiply(scaled.atoms, -exponent);
    Embedding found = embed(scaled, detail::times_power_of_two(samples, -exponent), run);
    found.coordinates *= std::ldexp(1.0, 2 * exponent);
    detail::bring_back(found, exponent);
    return found;
  }
  std::vector<Structure> structures;
  std::vector<Vector> weights;
  for (const Atom& atom : centres.atoms) {
    structures.push_back(Structure::dense(atom.structure));
    weights.push_back(uniform_weights(atom.size()));
  }
  const int threads = detail::resolve_threads(run.threads);
  std::vector<Solver> solvers;
  solvers.reserve(threads);
  for (int t = 0; t < threads; ++t) solvers.emplace_back(ConditionalGradient{}, Run{.threads = 1});
  return detail::embed_each(
      samples, std::ssize(centres.atoms), threads, [&](int worker, const Sample& sample) {
        Vector values(std::ssize(centres.atoms));
        for (std::size_t k = 0; k < structures.size(); ++k) {
          Matrix cost;
          const Problem problem = detail::balanced_problem(
              sample, structures[k], weights[k], centres.atoms[k].features, centres.alpha, cost);
          const Plan start = Plan::from_product(sample.source.weights, weights[k]);
          values[static_cast<Index>(k)] = solvers[worker].solve(problem, start).value;
        }
        return std::pair(values, values.minCoeff());
      });
}

namespace {

Index median_size(std::span<const Sample> samples) {
  std::vector<Index> sizes;
  for (const Sample& sample : samples) sizes.push_back(sample.source.structure.size());
  const auto middle = sizes.begin() + std::ssize(sizes) / 2;
  std::nth_element(sizes.begin(), middle, sizes.end());
  return *middle;
}

Atom atom_of(const Sample& sample) { return {sample.source.structure.dense(), sample.features}; }

/// The loop, with what it goes on from.
class Clustering {
 public:
  Clustering(std::span<const Sample> samples, const GraphKMeansOptions& options, const Run& run)
      : samples_(samples),
        options_(options),
        run_(run),
        inner_{.threads = run.threads, .seed = run.seed},
        size_(options.size > 0 ? options.size : median_size(samples)) {
    result_.model.alpha = options.alpha;
  }

  GraphClusters run() {
    const auto stopped = detail::run_until_stopped(run_, [&](StopScope&) {
      seed_centres();
      assign();
      alternate();
    });
    if (!stopped) return std::move(found_);
    if (found_.labels.empty()) assign_at_once();
    found_.status = *stopped;
    return std::move(found_);
  }

 private:
  // k-means++ on some graphs: the next centre is drawn in proportion to the divergences from the
  // last one.
  void seed_centres() {
    const std::size_t count =
        std::min(samples_.size(),
                 static_cast<std::size_t>(std::max(options_.seeding_graphs, options_.clusters)));
    const auto part = detail::drawn_batch(samples_.size(), count, run_.seed, 0);
    std::vector<Sample> graphs;
    graphs.reserve(part.size());
    for (const std::size_t g : part) graphs.push_back(samples_[g]);
    detail::Random random = detail::stream(run_.seed, detail::Draw::start, 0);
    std::vector<bool> taken(count, false);
    std::size_t last = random.below(count);
    for (int k = 0;;) {
      taken[last] = true;
      result_.model.atoms.push_back(atom_of(graphs[last]));
      if (++k == options_.clusters) break;
      const GraphCentres centre{{.atoms = {result_.model.atoms.back()}}, options_.alpha};
      last = draw(embed(centre, graphs, inner_).coordinates, taken, random);
    }
  }

  static std::size_t draw(const Matrix& values, const std::vector<bool>& taken,
                          detail::Random& random) {
    double sum = 0;
    std::size_t last_free = 0;
    for (std::size_t g = 0; g < taken.size(); ++g) {
      if (taken[g]) continue;
      sum += std::max(values(static_cast<Index>(g), 0), 0.0);
      last_free = g;
    }
    double left = random.uniform() * sum;
    for (std::size_t g = 0; g < taken.size(); ++g) {
      if (taken[g]) continue;
      left -= std::max(values(static_cast<Index>(g), 0), 0.0);
      if (left < 0) return g;
    }
    return last_free;
  }

  // Assignment and means, until they do not change any more; a round that is stopped is forgotten.
  void alternate() {
    found_ = result_;
    while (result_.epochs < options_.max_rounds) {
      update_means();
      assign();
      ++result_.epochs;
      const double gain = found_.inertia - result_.inertia;
      // First centres are graphs of any size, so their inertia is another measure.
      const bool comparable = result_.epochs > 1;
      if (comparable && gain < 0) keep(found_);
      const double former = found_.inertia;
      found_ = result_;
      if (run_.observer &&
          !run_.observer({.iteration = result_.epochs, .value = result_.inertia})) {
        found_.status = Status::interrupted;
        return;
      }
      if (comparable && gain <= options_.tolerance * std::abs(former)) {
        found_.status = Status::converged;
        return;
      }
    }
  }

  // Without any search: the first graphs are centres, and plans are products.
  void assign_at_once() {
    const detail::StopShield shield;
    result_ = {};
    result_.model.alpha = options_.alpha;
    for (int k = 0; k < options_.clusters; ++k) result_.model.atoms.push_back(atom_of(samples_[k]));
    result_.embedding =
        detail::embed_each(samples_, options_.clusters, detail::resolve_threads(run_.threads),
                           [&](int, const Sample& sample) {
                             Vector values(options_.clusters);
                             for (int k = 0; k < options_.clusters; ++k) {
                               const Atom& centre = result_.model.atoms[k];
                               values[k] = detail::product_value(
                                   sample, centre, uniform_weights(centre.size()), options_.alpha);
                             }
                             return std::pair(values, values.minCoeff());
                           });
    assign_to_nearest();
    found_ = std::move(result_);
  }

  void assign() {
    result_.embedding = embed(result_.model, samples_, inner_);
    assign_to_nearest();
  }

  void assign_to_nearest() {
    result_.labels.assign(samples_.size(), 0);
    for (std::size_t g = 0; g < samples_.size(); ++g) {
      Index best = 0;
      result_.embedding.coordinates.row(static_cast<Index>(g)).minCoeff(&best);
      result_.labels[g] = static_cast<NodeId>(best);
    }
    refill();
    result_.inertia = 0;
    for (std::size_t g = 0; g < samples_.size(); ++g) result_.inertia += own_value(g);
    result_.losses.push_back(result_.inertia);
  }

  [[nodiscard]] double own_value(std::size_t g) const {
    return result_.embedding.coordinates(static_cast<Index>(g), result_.labels[g]);
  }

  // An empty cluster takes the graph that fits worst in the largest one.
  void refill() {
    for (int k = 0; k < options_.clusters; ++k) {
      std::vector<std::size_t> sizes(options_.clusters, 0);
      for (const NodeId label : result_.labels) ++sizes[label];
      if (sizes[k] > 0) continue;
      const auto largest = static_cast<NodeId>(std::ranges::max_element(sizes) - sizes.begin());
      std::size_t worst = samples_.size();
      for (std::size_t g = 0; g < samples_.size(); ++g) {
        if (result_.labels[g] != largest) continue;
        if (worst == samples_.size() || own_value(g) > own_value(worst)) worst = g;
      }
      result_.labels[worst] = static_cast<NodeId>(k);
    }
  }

  void update_means() {
    for (int k = 0; k < options_.clusters; ++k) {
      std::vector<BarycenterSample> members;
      for (std::size_t g = 0; g < samples_.size(); ++g) {
        if (result_.labels[g] != static_cast<NodeId>(k)) continue;
        const Sample& sample = samples_[g];
        std::optional<MatrixSpan> features;
        if (sample.features.cols() > 0) features.emplace(sample.features);
        members.push_back({.structure = sample.source.structure,
                           .weights = sample.source.weights,
                           .features = features});
      }
      update_mean(result_.model.atoms[k], members, static_cast<std::uint64_t>(k));
    }
  }

  void update_mean(Atom& centre, const std::vector<BarycenterSample>& members, std::uint64_t k) {
    const Vector weights = uniform_weights(size_);
    BarycenterProblem problem{
        .samples = members, .size = size_, .target_weights = weights, .alpha = options_.alpha};
    if (centre.size() == size_) {  // else a graph, from the start
      problem.structure.emplace(centre.structure);
      if (centre.features.cols() > 0) problem.features.emplace(centre.features);
    }
    const Barycenter mean =
        barycenter(problem, ConditionalGradient{},
                   {.max_iterations = options_.mean_turns, .tolerance = options_.mean_tolerance},
                   {.threads = run_.threads, .seed = detail::Random(run_.seed, k)()});
    centre = {mean.structure, mean.features};
  }

  void keep(const GraphClusters& former) {
    std::vector<double> losses = std::move(result_.losses);
    const int epochs = result_.epochs;
    result_ = former;
    result_.losses = std::move(losses);
    result_.epochs = epochs;
  }

  std::span<const Sample> samples_;
  const GraphKMeansOptions& options_;
  const Run& run_;
  const Run inner_;  // without limits: the whole is stopped, not its parts
  Index size_;
  GraphClusters result_;  // in the midst of a round
  GraphClusters found_;   // after the last one
};

}  // namespace

GraphClusters learn(std::span<const Sample> samples, const GraphKMeansOptions& options,
                    const Run& run) {
  check_fields(options);
  const StopScope scope(run);
  if (const int exponent = detail::scale_exponent(samples, options.alpha); exponent != 0) {
    GraphClusters found = learn(detail::times_power_of_two(samples, -exponent), options,
                                detail::with_values_times(run, 2 * exponent));
    found.inertia = std::ldexp(found.inertia, 2 * exponent);
    found.embedding.coordinates *= std::ldexp(1.0, 2 * exponent);
    detail::bring_back(found, exponent);
    return found;
  }
  (void)detail::checked_training_set(samples, 1, {.alpha = options.alpha});
  if (static_cast<std::size_t>(options.clusters) > samples.size()) {
    fail_argument("{} clusters for {} graphs, expected no more than graphs", options.clusters,
                  samples.size());
  }
  return Clustering(samples, options, run).run();
}

}  // namespace srgw
