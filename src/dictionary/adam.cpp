// SPDX-License-Identifier: MIT
#include "dictionary/adam.hpp"

#include <cmath>

namespace srgw::detail {

namespace {

Atom zero_atom(Index size, Index columns) {
  return {Matrix::Zero(size, size), Matrix::Zero(size, columns)};
}

struct Rate {
  const AdamSteps& steps;
  double step;                           // length
  double first_missing, second_missing;  // 1 - decay^steps: what the means lack
};

void move(const Rate& rate, const Matrix& gradient, Matrix& first, Matrix& second, Matrix& point) {
  const auto& [b1, b2, guard] =
      std::tuple{rate.steps.first_decay, rate.steps.second_decay, rate.steps.guard};
  for (Index e = 0; e < point.size(); ++e) {
    const double g = gradient.data()[e];
    double& mean = first.data()[e];
    double& square = second.data()[e];
    mean = b1 * mean + (1 - b1) * g;
    square = b2 * square + (1 - b2) * g * g;
    if (square == 0) continue;
    point.data()[e] -=
        rate.step * (mean / rate.first_missing) / (std::sqrt(square / rate.second_missing) + guard);
  }
}

}  // namespace

AdamMoments::AdamMoments(Index size, Index columns)
    : first(zero_atom(size, columns)), second(zero_atom(size, columns)) {}

void adam_step(const AdamSteps& steps, const Atom& gradient, bool clamp, AdamMoments& moments,
               Atom& atom) {
  const auto t = static_cast<double>(++moments.steps);
  Rate rate{steps, steps.learning_rate, 1 - std::pow(steps.first_decay, t),
            1 - std::pow(steps.second_decay, t)};
  move(rate, gradient.structure, moments.first.structure, moments.second.structure, atom.structure);
  if (clamp) atom.structure = atom.structure.cwiseMax(0.0);
  if (atom.features.cols() == 0) return;
  if (steps.feature_learning_rate > 0) rate.step = steps.feature_learning_rate;
  move(rate, gradient.features, moments.first.features, moments.second.features, atom.features);
}

}  // namespace srgw::detail
