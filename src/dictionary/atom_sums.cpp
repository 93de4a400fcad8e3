// SPDX-License-Identifier: MIT
#include "dictionary/atom_sums.hpp"

#include <algorithm>
#include <limits>

#include "structure/entries.hpp"
#include "structure/plan_rows.hpp"

namespace srgw::detail {

namespace {

bool is_short(const Plan& plan) {
  return std::holds_alternative<Labels>(plan.storage()) ||
         std::holds_alternative<ShortRows>(plan.storage());
}

// cross += sign T'C T
void add_cross(const Structure& structure, const Plan& plan, double sign, Matrix& cross) {
  if (!structure.has_rows() || !is_short(plan)) {
    cross.noalias() += sign * plan.dense().transpose() * structure.product(plan);
    return;
  }
  with_masses(plan, [&](const auto& masses) {
    for_each_entry(structure, [&](Index i, Index j, double c) {
      masses(i, [&](Index k, double t) {
        const double part = sign * t * c;
        masses(j, [&](Index l, double u) { cross(k, l) += part * u; });
      });
    });
  });
}

}  // namespace

AtomSums::AtomSums(Index size, Index columns)
    : cross(Matrix::Zero(size, size)),
      uses(Matrix::Zero(size, size)),
      features(Matrix::Zero(size, columns)),
      masses(Vector::Zero(size)) {}

void AtomSums::add_plan(const Sample& sample, const Plan& plan, double sign) {
  const Vector q = plan.target_weights();
  for (Index k = 0; k < q.size(); ++k) {
    if (q[k] != 0) uses.row(k) += sign * q[k] * q.transpose();
  }
  masses += sign * q;
  add_cross(sample.source.structure, plan, sign, cross);
  symmetric = symmetric && sample.source.structure.symmetric();
  if (features.cols() == 0) return;
  with_masses(plan, [&](const auto& rows) {
    for (Index i = 0; i < plan.rows(); ++i) {
      rows(i, [&](Index k, double t) { features.row(k) += sign * t * sample.features.row(i); });
    }
  });
}

void AtomSums::add(const AtomSums& other) {
  cross += other.cross;
  uses += other.uses;
  features += other.features;
  masses += other.masses;
  kappa += other.kappa;
  squares += other.squares;
  extra += other.extra;
  value += other.value;
  count += other.count;
  symmetric = symmetric && other.symmetric;
}

void AtomSums::multiply(double factor) {
  cross *= factor;
  uses *= factor;
  features *= factor;
  masses *= factor;
  kappa *= factor;
  squares *= factor;
  extra *= factor;
  value *= factor;
  count *= factor;
}

void AtomSums::symmetrize() {
  if (symmetric) cross = (0.5 * (cross + cross.transpose())).eval();
}

void set_best_atom(const AtomSums& sums, Atom& atom) {
  // Sums that plans were taken from again leave rounding where nothing is.
  const double least = 1e-13 * std::max(sums.count, std::numeric_limits<double>::min());
  for (Index k = 0; k < atom.size(); ++k) {
    if (!(sums.masses[k] > least)) continue;
    for (Index l = 0; l < atom.size(); ++l) {
      if (sums.uses(k, l) > least) atom.structure(k, l) = sums.cross(k, l) / sums.uses(k, l);
    }
    if (atom.features.cols() > 0) atom.features.row(k) = sums.features.row(k) / sums.masses[k];
  }
}

double mean_loss(const AtomSums& sums, const Atom& atom, double alpha) {
  const Matrix& B = atom.structure;
  const double structure =
      sums.kappa + B.cwiseProduct(B.cwiseProduct(sums.uses) - 2 * sums.cross).sum();
  double linear = 0;
  if (atom.features.cols() > 0) {
    const Matrix& X = atom.features;
    linear = sums.squares + X.rowwise().squaredNorm().dot(sums.masses) -
             2 * X.cwiseProduct(sums.features).sum();
  } else {
    alpha = 1;
  }
  return (alpha * structure + (1 - alpha) * linear + sums.extra) / sums.count;
}

Atom atom_gradient(const AtomSums& sums, const Atom& atom) {
  const double factor = 2 / sums.count;
  Atom gradient{factor * (atom.structure.cwiseProduct(sums.uses) - sums.cross)};
  if (atom.features.cols() > 0) {
    gradient.features = factor * (sums.masses.asDiagonal() * atom.features - sums.features);
  }
  return gradient;
}

}  // namespace srgw::detail
