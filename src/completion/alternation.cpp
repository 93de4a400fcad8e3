// SPDX-License-Identifier: MIT
#include <cmath>

#include "completion/loops.hpp"
#include "solve/watch.hpp"

namespace srgw::detail {

namespace {

class Turns {
 public:
  Turns(Fitting& model, const PartialGraph& graph, const Alternation& scheme, const Run& run)
      : model_(model), scheme_(scheme), entries_(graph, model.target()), watch_(run) {}

  [[nodiscard]] Sample sample(const FilledGraph& point) const {
    return {{Structure::dense(point.structure, entries_.symmetric()), entries_.weights()},
            point.features};
  }

  /// From a plan to where neither it nor the free entries can be better.
  [[nodiscard]] Completion run(FilledGraph point, Plan plan) {
    Completion result;
    double last = std::numeric_limits<double>::infinity();
    result.value = last;
    for (int turn = 1; turn <= scheme_.max_iterations; ++turn) {
      entries_.set_best(plan, point);
      Fitting::Fit found = model_.fit(sample(point), &plan);
      const bool same = found.plan.dense() == plan.dense();
      plan = std::move(found.plan);
      result.values.push_back(found.value);
      result.iterations = turn;
      if (found.value < result.value) {
        result.value = found.value;
        result.structure = point.structure;
        result.features = point.features;
      }
      if (same || (turn > 1 && last - found.value <= scheme_.tolerance * std::abs(last))) {
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
  Completion best;
  best.value = std::numeric_limits<double>::infinity();
  for (Plan& plan : model.starts(graph, turns.sample(start), scheme, run.seed)) {
    Completion other = turns.run(start, std::move(plan));
    if (best.structure.size() == 0 || other.value < best.value) best = std::move(other);
    if (best.status == Status::interrupted || best.status == Status::time_limit) break;
  }
  return best;
}

}  // namespace srgw::detail
