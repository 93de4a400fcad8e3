// SPDX-License-Identifier: MIT
// The route of partitions whose rows may be distributed over ranks.
#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "base/message.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"
#include "base/stop.hpp"
#include "communities/alternate.hpp"
#include "communities/distributed_source.hpp"
#include "communities/finish.hpp"
#include "communities/routes.hpp"
#include "communities/search/shared_sums.hpp"
#include "communities/search/split_merge.hpp"
#include "solve/conditional_gradient.hpp"
#include "solve/label_step.hpp"
#include "solve/method.hpp"
#include "solve/watch.hpp"
#include "structure/plan_rows.hpp"

namespace srgw::detail {

namespace {

// As in solve.cpp: a plan that is an array may have so many entries.
constexpr Index most_entries = Index{1} << 26;
// A free number of clusters begins with many random labels, of so many nodes each at least, which
// ends at a higher modularity than one cluster does. Each rank holds the pairs of labels that are
// linked, so there are not too many.
constexpr Index nodes_of_label = 4, most_labels = Index{1} << 10;

Plan plan_of_labels(const DistributedSource& source, std::span<const NodeId> labels,
                    Index columns) {
  Assignment own(labels.begin(), labels.begin() + std::ssize(source.weights));
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (!(source.weights[i] > 0)) own[i] = 0;
  }
  return Plan(Plan::Trusted{source.weights, columns, narrow_labels(own, columns)});
}

/// Uniform entries, rows scaled to the weights; a row is drawn from (seed, its number).
Plan random_plan(const DistributedGraph& graph, const DistributedSource& source, Index columns,
                 std::uint64_t seed) {
  if (columns > most_entries / graph.nodes()) {
    fail_resource(
        "a random plan of {} x {} would take more than {} numbers; random-labels needs no such "
        "array",
        graph.nodes(), columns, most_entries);
  }
  ShortRows rows{.offsets = {0}, .columns = {}, .masses = {}};
  std::vector<double> row(columns);
  for (std::size_t i = 0; i < source.weights.size(); ++i) {
    Random random(seed, graph.exchange.node(static_cast<Index>(i)));
    double sum = 0;
    for (double& entry : row) sum += entry = 1 - random.uniform();  // above 0
    for (std::size_t k = 0; k < row.size() && source.weights[i] > 0; ++k) {
      rows.columns.push_back(static_cast<NodeId>(k));
      rows.masses.push_back(row[k] * (source.weights[i] / sum));
    }
    rows.offsets.push_back(rows.columns.size());
  }
  return Plan(Plan::Trusted{source.weights, columns, std::move(rows)});
}

/// `rules` are those of the search, but for its resolution and number of clusters, which is free
/// where `columns` is absent.
Plan split_merge_plan(const DistributedGraph& graph, const DistributedSource& source,
                      std::optional<Index> columns, double scale, SplitMerge rules) {
  if (!(scale > 0)) {
    fail_argument("start split-merge with a target of scale {}, expected a scale above 0", scale);
  }
  rules.resolution = scale;
  rules.most_clusters = static_cast<std::size_t>(columns.value_or(0));
  if (!columns) {
    rules.first_labels = static_cast<std::size_t>(
        std::clamp(source.clustered / nodes_of_label, Index{1}, most_labels));
  }
  Clustering found = split_merge(weighted_graph_of(graph, source), rules);
  const Index count = columns.value_or(static_cast<Index>(found.count));
  // Components beyond the number of columns share the last one.
  const auto last = static_cast<NodeId>(count - 1);
  for (NodeId& label : found.labels) label = std::min(label, last);
  return plan_of_labels(source, found.labels, count);
}

/// Rows are drawn from the seed of the rules. Only split and merge finds the number of columns.
Plan first_plan(const DistributedGraph& graph, const DistributedSource& source,
                const PartitionOptions& options, std::optional<Index> most,
                const SplitMerge& rules) {
  const Index columns = most.value_or(1);
  if (const auto* labels = std::get_if<Assignment>(&*options.start)) {
    for (std::size_t i = 0; i < labels->size(); ++i) {
      if (source.weights[i] > 0 && (*labels)[i] >= columns) {
        fail_argument("label {} is {}, expected a column below {}",
                      graph.exchange.node(static_cast<Index>(i)), (*labels)[i], columns);
      }
    }
    return plan_of_labels(source, *labels, columns);
  }
  switch (std::get<Start>(*options.start)) {
    case Start::random: return random_plan(graph, source, columns, rules.seed);
    case Start::random_labels:
      return plan_of_labels(
          source, random_labels(graph.exchange, graph.size(), columns, rules.seed), columns);
    default: return split_merge_plan(graph, source, most, options.target.scale, rules);
  }
}

/// The observer and the clock of all ranks: they stop together where one of them has to, and what
/// they sent is written down.
class Together {
 public:
  Together(const Exchange& exchange, const Run& run)
      : exchange_(exchange), run_(run), watch_(run), own_(run) {
    if (exchange.alone()) return;
    own_.time_limit.reset();
    own_.observer = [this](const Progress& progress) { return go_on(progress); };
  }
  Together(const Together&) = delete;
  Together& operator=(const Together&) = delete;

  [[nodiscard]] const Run& run() const { return own_; }
  /// Why an interrupted run was.
  [[nodiscard]] Status reason() const { return reason_; }
  std::vector<PartitionTraffic::Step> take_steps() { return std::exchange(steps_, {}); }
  /// Ranks throw Stopped together if one of them has to stop.
  void poll() {
    if (exchange_.alone()) return;
    const auto own = own_reason();
    std::array<std::int64_t, 2> numbers{own == Status::interrupted ? 1 : 0,
                                        own == Status::time_limit ? 1 : 0};
    if (const auto stop = agree(numbers)) throw Stopped(*stop);
  }

 private:
  bool go_on(const Progress& progress) {
    std::vector<Progress> unused;
    auto own = watch_.report(progress, unused);
    if (!own) own = own_reason();
    const std::uint64_t bytes = exchange_.bytes_sent(), rows = exchange_.rows_sent();
    std::array<std::int64_t, 4> numbers{
        own == Status::interrupted ? 1 : 0, own == Status::time_limit ? 1 : 0,
        static_cast<std::int64_t>(rows - rows_), static_cast<std::int64_t>(bytes - bytes_)};
    const auto stop = agree(numbers);
    rows_ = exchange_.rows_sent();
    bytes_ = exchange_.bytes_sent();
    if (progress.iteration > 0) {
      steps_.push_back(
          {static_cast<std::uint64_t>(numbers[2]), static_cast<std::uint64_t>(numbers[3])});
    }
    if (stop) reason_ = *stop;
    return !stop;
  }

  /// Why this rank has to stop, if it has to.
  [[nodiscard]] std::optional<Status> own_reason() const {
    if (run_.cancelled && run_.cancelled()) return Status::interrupted;
    if (run_.time_limit && watch_.elapsed() > *run_.time_limit) return Status::time_limit;
    return {};
  }
  /// Sums the numbers of all ranks: how many are interrupted, how many are late, and others.
  [[nodiscard]] std::optional<Status> agree(std::span<std::int64_t> numbers) const {
    exchange_.sum(numbers);
    if (numbers[0] > 0) return Status::interrupted;
    if (numbers[1] > 0) return Status::time_limit;
    return {};
  }

  const Exchange& exchange_;
  const Run& run_;
  Watch watch_;
  Run own_;
  Status reason_ = Status::interrupted;
  std::uint64_t rows_ = 0, bytes_ = 0;
  std::vector<PartitionTraffic::Step> steps_;
};

template <class Label>
Solution solve_from(const Plan& start, const Objective& objective, const DistributedGraph& graph,
                    const DistributedSource& source, const ConditionalGradient& method,
                    const Run& run, Watch& watch, int number) {
  LabelStep<Label> step(objective, source.rows,
                        {.share_ties = method.ties == Ties::share, .threads = run.threads},
                        graph.exchange);
  step.start(start);
  Solution solution;
  const Outcome outcome =
      conditional_gradient(step, objective, method, watch, number, solution.trace);
  step.refresh();
  solution.plan = step.plan();
  solution.target_weights = step.target_weights();
  solution.value_quad = std::max(0.0, step.value().quad);
  solution.value = solution.value_quad;
  solution.gap = outcome.gap;
  solution.iterations = outcome.iterations;
  solution.status = outcome.status;
  solution.rounds = 1;
  return solution;
}

/// Conditional gradient onto a scaled identity of `columns` nodes (absent: as many as the start
/// has), from the start that the options name: of several the best. The plan is that of the rows
/// here, all else is of all ranks. Leaves in `traffic` what the steps of the best start sent.
Solution solve_distributed(const DistributedGraph& graph, const DistributedSource& source,
                           const PartitionOptions& options, std::optional<Index> columns,
                           const Run& run, PartitionTraffic& traffic) {
  const auto& method = *detail::conditional_gradient_of(options.method);
  check_fields(method);
  Run threaded = run;
  threaded.threads = resolve_threads(run.threads);
  const auto solve = [&](const Plan& start, const ConditionalGradient& steps, Watch& watch,
                         int number) {
    const Structure target = Structure::scaled_identity(start.columns(), options.target.scale);
    Objective objective;
    objective.prepare({.weights = source.weights,
                       .all_rows = source.clustered,
                       .kappa = source.kappa,
                       .largest_entry = source.largest_entry},
                      target);
    return with_label_width(start.columns(), [&]<class Label>() {
      return solve_from<Label>(start, objective, graph, source, steps, threaded, watch, number);
    });
  };
  Together together(graph.exchange, threaded);
  Watch watch(together.run());
  const bool given = std::holds_alternative<Assignment>(*options.start);
  const int count = given ? 1 : *options.starts;
  std::optional<Solution> best;
  std::optional<Plan> start;
  Assignment so_far(graph.size(), 0);  // of the first search
  Index clusters_so_far = 1;
  std::vector<double> values;
  std::vector<std::vector<Progress>> traces;
  SplitMerge rules{.threads = threaded.threads};
  rules.poll = [&] { together.poll(); };
  rules.found = [&](const Clustering& found, double) {
    std::copy_n(found.labels.begin(), so_far.size(), so_far.begin());
    clusters_so_far = static_cast<Index>(found.count);
  };
  const auto stopped = run_until_stopped(run, [&](StopScope&) {
    for (int number = 0; number < count; ++number) {
      rules.seed = Random(run.seed, static_cast<std::uint64_t>(number))();
      start = first_plan(graph, source, options, columns, rules);
      Solution solution = solve(*start, method, watch, number);
      if (!graph.exchange.alone() && solution.status == Status::interrupted) {
        solution.status = together.reason();
      }
      const Status status = solution.status;
      values.push_back(solution.value);
      if (run.trace && count > 1) traces.push_back(solution.trace);
      std::vector<PartitionTraffic::Step> steps = together.take_steps();
      if (!best || solution.value < best->value) {
        best = std::move(solution);
        best->best_start = number;
        traffic.steps = std::move(steps);
      }
      pass_on_stop(status);
    }
  });
  if (!best) {
    // The plan that was at hand, as it is. Of one cluster all rows would be shared among all empty
    // columns, to no use: Ties::first.
    const StopShield shield;
    if (!start) start = plan_of_labels(source, so_far, columns.value_or(clusters_so_far));
    const Run unlimited;
    Watch silent(unlimited);
    best = solve(*start,
                 {.max_iterations = 1, .tolerance = 1e300, .ties = Ties::first, .polish_sweeps = 0},
                 silent, 0);
    values.push_back(best->value);
  }
  if (stopped) best->status = *stopped;
  best->start_values = std::move(values);
  best->start_traces = std::move(traces);
  return *std::move(best);
}

std::string explain_free_number(const Partition& result) {
  if (result.clusters <= 1) {
    return fmt::format("No communities: no split is better than one cluster at resolution {:.3g}.",
                       result.resolution);
  }
  return fmt::format(
      "The number of clusters was free: splitting and merging found {} at resolution {:.3g}.",
      result.clusters, result.resolution);
}

}  // namespace

Partition partition_distributed(const DistributedGraph& graph, const PartitionOptions& options,
                                const Run& run) {
  const Watch watch(run);
  const int threads = resolve_threads(run.threads);
  std::optional<Index> columns = options.clusters;
  if (columns) columns = std::min(*columns, graph.nodes());
  std::optional<StopShield> shield(std::in_place);  // what every answer needs
  const std::vector<bool> clustered =
      clustered_rows(graph, degrees_of(graph, threads), columns.value_or(graph.nodes()));
  const DistributedSource source =
      source_of(graph, rows_among(graph, clustered), clustered, options, threads);

  shield.reset();
  Partition result;
  PartitionTraffic traffic;
  result.solution = solve_distributed(graph, source, options, columns, watch.rest(), traffic);
  shield.emplace();
  result.resolution = options.target.scale;
  if (!options.clusters) result.criterion = PartitionCriterion::modularity;
  finish(graph.exchange, graph.size(), rows_where(clustered), false, result);
  result.modularity = modularity_of(graph, result.labels, result.sizes.size() + 1, threads);
  judge(options.target.kind, result);
  if (!columns) {
    result.significant = result.clusters > 1;
    result.reasons.push_back(explain_free_number(result));
  }
  if (!graph.exchange.alone()) {
    std::array<std::int64_t, 2> sums{static_cast<std::int64_t>(graph.exchange.copies()),
                                     static_cast<std::int64_t>(graph.exchange.bytes_sent())};
    graph.exchange.sum(sums);
    traffic.copies = static_cast<std::uint64_t>(sums[0]);
    traffic.bytes = static_cast<std::uint64_t>(sums[1]);
    result.traffic = std::move(traffic);
  }
  return result;
}

}  // namespace srgw::detail
