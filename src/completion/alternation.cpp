// SPDX-License-Identifier: MIT
#include <cmath>
#include <utility>

#include "base/stop.hpp"
#include "completion/loops.hpp"

namespace srgw::detail {

namespace {

class Turns {
 public:
  Turns(Fitting& model, const PartialGraph& graph, const Alternation& scheme, const Run& run)
      : model_(model), scheme_(scheme), entries_(graph, model.target()), run_(run) {}

  [[nodiscard]] Sample sample(const FilledGraph& point) const {
    return {{Structure::dense(point.structure, entries_.symmetric()), entries_.weights()},
            point.features};
  }

  /// From a plan to where neither it nor the free entries can be better.
  void run(FilledGraph point, Plan plan, Completion& result) {
    double last = std::numeric_limits<double>::infinity();
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
      if (run_.observer && !run_.observer({.iteration = turn, .value = found.value})) {
        throw Stopped(Status::interrupted);
      }
    }
  }

 private:
  Fitting& model_;
  const Alternation& scheme_;
  FreeEntries entries_;
  const Run& run_;
};

}  // namespace

void complete_with(Fitting& model, const PartialGraph& graph, const Alternation& scheme,
                   const Run& run, Completion& best) {
  Turns turns(model, graph, scheme, run);
  const FilledGraph start = filled_start(graph, scheme.start, run.seed);
  bool is_first = true;
  for (Plan& plan : model.starts(graph, turns.sample(start), scheme, run.seed)) {
    if (std::exchange(is_first, false)) {
      turns.run(start, std::move(plan), best);
      continue;
    }
    Completion other = nothing_yet();
    turns.run(start, std::move(plan), other);
    if (best.structure.size() == 0 || other.value < best.value) best = std::move(other);
  }
}

}  // namespace srgw::detail
