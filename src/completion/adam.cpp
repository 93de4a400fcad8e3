// SPDX-License-Identifier: MIT
#include <cmath>

#include "completion/free_entries.hpp"
#include "completion/loops.hpp"
#include "dictionary/adam.hpp"
#include "dictionary/projector.hpp"
#include "solvers/watch.hpp"

namespace srgw::detail {

Completion completed(const Atom& atom, const Projection& projection, const PartialGraph& graph,
                     const ProjectedAdam& scheme, const Run& run) {
  const FreeEntries entries(graph, atom);
  Projector projector(projection, 1);
  projector.set_atom(atom);
  Watch watch(run);
  std::vector<Progress> trace;
  AdamMoments moments(graph.size(), graph.features.cols());

  FilledGraph point = filled_start(graph, scheme.start, run.seed);
  Completion best{.structure = point.structure, .features = point.features};
  best.value = std::numeric_limits<double>::infinity();
  Plan plan;
  double last = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < scheme.max_iterations; ++iteration) {
    const Sample sample{{Structure::dense(point.structure, entries.symmetric()), entries.weights()},
                        point.features};
    const bool warm = scheme.warm_plans && iteration > 0;
    const Solution& solution = projector.solve(0, sample, warm ? &plan : nullptr);
    plan = solution.plan;
    best.values.push_back(solution.value);
    best.iterations = iteration + 1;
    if (solution.value < best.value) {
      best.value = solution.value;
      best.structure = point.structure;
      best.features = point.features;
    }
    if (iteration > 0 && std::abs(last - solution.value) <= scheme.tolerance * std::abs(last)) {
      best.status = Status::converged;
      break;
    }
    last = solution.value;
    if (const auto stop = watch.report({.iteration = iteration, .value = solution.value}, trace)) {
      best.status = *stop;
      break;
    }
    FilledGraph gradient = entries.gradient(point, plan);
    Atom moved{std::move(point.structure), std::move(point.features)};
    adam_step(scheme.steps, {std::move(gradient.structure), std::move(gradient.features)},
              entries.non_negative(), moments, moved);
    point = {std::move(moved.structure), std::move(moved.features)};
  }
  return best;
}

}  // namespace srgw::detail
