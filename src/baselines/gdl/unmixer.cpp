// SPDX-License-Identifier: MIT
#include "baselines/gdl/unmixer.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "baselines/simplex_quadratic.hpp"
#include "solve/closed_form.hpp"

namespace srgw::detail {

namespace {

ConditionalGradient plan_method(const Unmixing& unmixing) {
  return {.max_iterations = unmixing.max_steps,
          .tolerance = unmixing.step_tolerance,
          .stopping = Stopping::change,
          .polish_sweeps = 0};
}

bool is_symmetric(const Matrix& B) { return B == B.transpose(); }

}  // namespace

Unmixing times_power_of_two(const Unmixing& unmixing, int exponent) {
  Unmixing scaled = unmixing;
  scaled.regularisation = std::ldexp(unmixing.regularisation, 2 * exponent);
  return scaled;
}

void Unmixer::set_dictionary(const LinearDictionary& dictionary) {
  dictionary_ = &dictionary;
  alpha_ = dictionary.columns() > 0 ? dictionary.unmixing.alpha : 1.0;
  form_ = gram(dictionary);
  form_.diagonal().array() -= dictionary.unmixing.regularisation;
  symmetric_ = true;
  for (const Atom& atom : dictionary.atoms) symmetric_ = symmetric_ && is_symmetric(atom.structure);
  for (Worker& worker : workers_) {
    if (!worker.solver) worker.solver.emplace(plan_method(dictionary.unmixing), Run{.threads = 1});
  }
}

// c_s = alpha <B_s, T'C T> + (1 - alpha) <X_s, T'F>
Vector Unmixer::linear_part(const AtomSums& sums) const {
  Vector c(std::ssize(dictionary_->atoms));
  for (Index s = 0; s < c.size(); ++s) {
    const Atom& atom = dictionary_->atoms[s];
    c[s] = alpha_ * atom.structure.cwiseProduct(sums.cross).sum();
    if (alpha_ < 1 && atom.features.cols() > 0) {
      c[s] += (1 - alpha_) * atom.features.cwiseProduct(sums.features).sum();
    }
  }
  return c;
}

Mixture Unmixer::unmix(int worker, const Sample& sample) {
  return unmix(worker, sample,
               {uniform_weights(std::ssize(dictionary_->atoms)),
                Plan::from_product(sample.source.weights, dictionary_->weights)});
}

Mixture Unmixer::unmix(int worker, const Sample& sample, Start start) {
  const LinearDictionary& dictionary = *dictionary_;
  const Unmixing& options = dictionary.unmixing;
  Worker& own = workers_[worker];
  Mixture mixture;
  auto& [shares, plan, value, turns, status] = mixture.unmixed;
  shares = std::move(start.shares);
  plan = std::move(start.plan);
  for (turns = 1; turns <= options.max_turns; ++turns) {
    // T <- plan of C onto sum_s w_s B_s, from the last T
    Atom model = srgw::mixture(dictionary, shares);
    const Structure target = Structure::dense(std::move(model.structure), symmetric_);
    Problem problem{.source = sample.source.structure,
                    .weights = sample.source.weights,
                    .target = target,
                    .target_weights = dictionary.weights};
    if (dictionary.columns() > 0) {
      own.cost = squared_distances(sample.features, model.features);
      problem.features.emplace(FusedTerm{own.cost, alpha_});
    }
    const Solution& solution = own.solver->solve(problem, plan);
    plan = solution.plan;

    // w <- argmin of the quadratic that T leaves
    mixture.sums = AtomSums(dictionary.size(), dictionary.columns());
    mixture.sums.add_plan(sample, plan);
    const Vector c = linear_part(mixture.sums);
    const double former = value;
    const double after_plan = solution.value - options.regularisation * shares.squaredNorm();
    value = minimise({form_, c}, {options.max_steps, options.step_tolerance}, after_plan, shares);
    if (turns > 1 && std::abs(former - value) <= options.turn_tolerance * std::abs(former)) {
      status = Status::converged;
      break;
    }
  }
  turns = std::min(turns, options.max_turns);
  return mixture;
}

}  // namespace srgw::detail
