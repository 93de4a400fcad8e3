// SPDX-License-Identifier: MIT
#include "dictionary/templates_problems.hpp"

#include "base/parallel.hpp"
#include "solve/closed_form.hpp"

namespace srgw::detail {

std::vector<Index> node_offsets(std::span<const Sample> graphs) {
  std::vector<Index> offsets{0};
  for (const Sample& graph : graphs) {
    offsets.push_back(offsets.back() + graph.source.structure.size());
  }
  return offsets;
}

TemplateProblems::TemplateProblems(std::span<const Sample> graphs, const Template& target,
                                   const std::vector<Index>& offsets,
                                   const TemplateOptions& options)
    : graphs_(graphs),
      target_(&target),
      offsets_(&offsets),
      options_(&options),
      structure_(Structure::dense(target.structure)),
      costs_(graphs.size()) {}

void TemplateProblems::prepare(const std::vector<Index>& which, int threads) {
  if (!has_cost()) return;
  parallel_for(std::ssize(which), threads, [&](Index p, int) {
    const Index g = which[p];
    costs_[g] = cost(g);
  });
}

Matrix TemplateProblems::cost(Index graph) const {
  const Index first = (*offsets_)[graph], rows = (*offsets_)[graph + 1] - first;
  if (target_->cost) return target_->cost->middleRows(first, rows);
  return squared_distances(graphs_[graph].features, target_->features);
}

Problem TemplateProblems::problem(Index graph) const {
  const Sample& sample = graphs_[graph];
  Problem problem{.source = sample.source.structure,
                  .weights = sample.source.weights,
                  .target = structure_,
                  .loss = options_->loss,
                  .entropy = options_->entropy};
  if (target_->weights) problem.target_weights.emplace(*target_->weights);
  if (!has_cost()) return problem;
  if (costs_[graph].size() > 0) {
    problem.features.emplace(FusedTerm{.cost = costs_[graph], .alpha = target_->alpha});
  } else {
    problem.features.emplace(FusedTerm{.cost = cost(graph), .alpha = target_->alpha});
  }
  return problem;
}

}  // namespace srgw::detail
