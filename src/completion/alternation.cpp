// SPDX-License-Identifier: MIT
#include <cmath>

#include "completion/loops.hpp"
#include "solvers/watch.hpp"

namespace srgw::detail {

namespace {

class Turns {
 public:
  Turns(Fitting& model, const PartialGraph& graph, const Alternation& scheme, const Run& run)
      : model_(model), scheme_(scheme), entries_(graph, model.target()), watch_(run) {}

  [[nodiscard]] Fitting::Fit fit(const FilledGraph& point, const Plan* start) {
    const Sample sample{
        {Structure::dense(point.structure, entries_.symmetric()), entries_.weights()},
        point.features};
    return model_.fit(sample, start);
  }

  /// From a plan to where neither it nor the free entries can be better.
  [[nodiscard]] Completion run(FilledGraph point, Plan plan) {
    Completion result;
    double last = std::numeric_limits<double>::infinity();
    result.value = last;
    for (int turn = 1; turn <= scheme_.max_iterations; ++turn) {
      entries_.set_best(plan, point);
      Fitting::Fit found = fit(point, &plan);
      plan = std::move(found.plan);
      result.values.push_back(found.value);
      result.iterations = turn;
      if (found.value < result.value) {
        result.value = found.value;
        result.structure = point.structure;
        result.features = point.features;
      }
      if (turn > 1 && last - found.value <= scheme_.tolerance * std::abs(last)) {
        result.status = Status::converged;
        break;
      }
      last = found.value;
      if (const auto stop = watch_.report({.iteration = turn, .value = found.value}, trace_)) {
        result.status = *stop;
        break;
      }
    }
    return result;
  }

 private:
  Fitting& model_;
  const Alternation& scheme_;
  FreeEntries entries_;
  Watch watch_;
  std::vector<Progress> trace_;
};

}  // namespace

Completion completed(Fitting& model, const PartialGraph& graph, const Alternation& scheme,
                     const Run& run) {
  Turns turns(model, graph, scheme, run);
  const FilledGraph start = filled_start(graph, scheme.start, run.seed);
  const Plan first = turns.fit(start, nullptr).plan;
  Completion best = turns.run(start, first);
  if (best.status == Status::interrupted || best.status == Status::time_limit) return best;
  const std::optional<Plan> second = model.second_start(graph, start, first, scheme, run.seed);
  if (!second) return best;
  Completion other = turns.run(start, *second);
  return other.value < best.value ? other : best;
}

}  // namespace srgw::detail
