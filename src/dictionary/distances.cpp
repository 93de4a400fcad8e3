// SPDX-License-Identifier: MIT
#include <algorithm>

#include "solve/closed_form.hpp"
#include "srgw/dictionary.hpp"
#include "srgw/solve.hpp"

namespace srgw {

namespace {

/// Lowers the values of graphs that have as many nodes as the atom.
void try_equal_sizes(const Atom& atom, const Projection& projection,
                     std::span<const Sample> samples, const Run& run,
                     Eigen::Ref<Vector, 0, Eigen::InnerStride<>> values) {
  const Structure target = Structure::dense(atom.structure);
  std::vector<Problem> problems;
  std::vector<Index> rows;
  std::vector<Matrix> costs;
  costs.reserve(samples.size());
  for (Index i = 0; i < values.size(); ++i) {
    const Sample& sample = samples[i];
    if (sample.source.structure.size() != target.size()) continue;
    Problem problem{.source = sample.source.structure,
                    .weights = sample.source.weights,
                    .target = target,
                    .sparsity = projection.sparsity,
                    .entropy = projection.entropy};
    if (atom.features.size() > 0) {
      costs.push_back(detail::squared_distances(sample.features, atom.features));
      problem.features.emplace(FusedTerm{.cost = costs.back(), .alpha = projection.alpha});
    }
    problems.push_back(std::move(problem));
    rows.push_back(i);
  }
  const auto solutions = solve_all(problems, projection.method, Start::automatic, 1, run);
  for (std::size_t p = 0; p < rows.size(); ++p) {
    values[rows[p]] = std::min(values[rows[p]], solutions[p].value);
  }
}

}  // namespace

Matrix distances(const Dictionary& targets, std::span<const Sample> samples,
                 const EmbedOptions& options, const Run& run) {
  EmbedOptions only_values = options;
  only_values.coordinates.clear();
  Matrix values = embed(targets, samples, only_values, run).values;
  for (Index k = 0; k < values.cols(); ++k) {
    try_equal_sizes(targets.atoms[k], targets.projection, samples, run, values.col(k));
  }
  return values;
}

}  // namespace srgw
