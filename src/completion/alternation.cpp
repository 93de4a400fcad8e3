// SPDX-License-Identifier: MIT
#include <cmath>

#include "completion/free_entries.hpp"
#include "completion/loops.hpp"
#include "dictionary/projector.hpp"
#include "solvers/watch.hpp"
#include "srgw/transform.hpp"

namespace srgw::detail {

namespace {

class Turns {
 public:
  Turns(const Atom& atom, const Projection& projection, const PartialGraph& graph,
        const Alternation& scheme, const Run& run)
      : atom_(atom),
        projection_(projection),
        graph_(graph),
        scheme_(scheme),
        run_(run),
        entries_(graph, atom),
        projector_(projection, 1),
        watch_(run) {
    projector_.set_atom(atom);
  }

  [[nodiscard]] Solution solve(const FilledGraph& point, const Plan* start) {
    const Sample sample{
        {Structure::dense(point.structure, entries_.symmetric()), entries_.weights()},
        point.features};
    return projector_.solve(0, sample, start);
  }

  /// From a plan to where neither it nor the free entries can be better.
  [[nodiscard]] Completion run(FilledGraph point, Plan plan) {
    Completion result;
    double last = std::numeric_limits<double>::infinity();
    result.value = last;
    for (int turn = 1; turn <= scheme_.max_iterations; ++turn) {
      entries_.set_best(plan, point);
      const Solution solution = solve(point, &plan);
      plan = solution.plan;
      result.values.push_back(solution.value);
      result.iterations = turn;
      if (solution.value < result.value) {
        result.value = solution.value;
        result.structure = point.structure;
        result.features = point.features;
      }
      if (turn > 1 && last - solution.value <= scheme_.tolerance * std::abs(last)) {
        result.status = Status::converged;
        break;
      }
      last = solution.value;
      if (const auto stop = watch_.report({.iteration = turn, .value = solution.value}, trace_)) {
        result.status = *stop;
        break;
      }
    }
    return result;
  }

  /// The best plan of the seen nodes, with the rows of `plan` for all others: where it is hard, the
  /// value of the whole is what the seen part has, whatever the others do (spec 7.12).
  [[nodiscard]] Plan seen_plan(const FilledGraph& point, const Plan& plan) {
    const std::vector<Index> seen = graph_.seen();
    const double share = static_cast<double>(seen.size()) / static_cast<double>(graph_.size());
    Sample part{{Structure::dense(point.structure(seen, seen), entries_.symmetric()),
                 uniform_weights(std::ssize(seen))},
                {}};
    if (point.features.cols() > 0) part.features = point.features(seen, Eigen::all);
    // alpha E + (1 - alpha) L of all nodes is alpha share^2 E + (1 - alpha) share L of these.
    Projection projection = projection_;
    const double alpha = projection_.alpha;
    if (alpha > 0) projection.alpha = alpha * share / (alpha * share + 1 - alpha);
    Projector projector(projection, 1);
    projector.set_atom(atom_);
    const Solution best =
        projector.best(0, part, {.random = scheme_.random_starts, .seed = run_.seed, .item = 2});
    // The others go to one target node each where plans are hard: what is spread costs.
    const bool hard = std::holds_alternative<ConditionalGradient>(projection_.method);
    Matrix T = hard ? Plan::from_labels(entries_.weights(), plan.labels(), plan.columns()).dense()
                    : plan.dense();
    const Matrix of_seen = share * best.plan.dense();
    for (Index s = 0; s < std::ssize(seen); ++s) {
      T.row(seen[static_cast<std::size_t>(s)]) = of_seen.row(s);
    }
    return Plan::from_dense(entries_.weights(), std::move(T));
  }

 private:
  const Atom& atom_;
  const Projection& projection_;
  const PartialGraph& graph_;
  const Alternation& scheme_;
  const Run& run_;
  FreeEntries entries_;
  Projector projector_;
  Watch watch_;
  std::vector<Progress> trace_;
};

}  // namespace

Completion completed(const Atom& atom, const Projection& projection, const PartialGraph& graph,
                     const Alternation& scheme, const Run& run) {
  Turns turns(atom, projection, graph, scheme, run);
  const FilledGraph start = filled_start(graph, scheme.start, run.seed);
  const Plan first = turns.solve(start, nullptr).plan;
  Completion best = turns.run(start, first);
  if (best.status == Status::interrupted || best.status == Status::time_limit) return best;
  Completion other = turns.run(start, turns.seen_plan(start, first));
  return other.value < best.value ? other : best;
}

}  // namespace srgw::detail
