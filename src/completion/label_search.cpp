// SPDX-License-Identifier: MIT
#include "completion/label_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/stop.hpp"

namespace srgw::detail {

LabelSearch::LabelSearch(const Matrix& structure, const Matrix& features, const Atom& atom,
                         double alpha)
    : atom_(atom),
      n_(structure.rows()),
      m_(atom.size()),
      symmetric_(atom.structure == atom.structure.transpose()),
      ties_(n_),
      squares_(structure.squaredNorm()),
      transposed_(atom.structure.transpose()),
      square_sums_(atom.structure.cwiseAbs2() + atom.structure.transpose().cwiseAbs2()),
      own_costs_(n_, m_),
      column_costs_(m_),
      change_(m_),
      change_back_(m_),
      costs_(m_) {
  for (Index i = 0; i < n_; ++i) {
    throw_if_stopped();
    for (Index j = 0; j < n_; ++j) {
      const double out = 2 * structure(i, j), in = 2 * structure(j, i);
      if (i == j || (out == 0 && in == 0)) continue;
      ties_[i].push_back(
          {static_cast<NodeId>(j), symmetric_ ? out + in : out, symmetric_ ? 0 : in});
    }
  }
  // All is divided by alpha/n^2, which may be 0: then features alone count.
  const auto n = static_cast<double>(n_);
  const bool fused = features.cols() > 0;
  scale_ = (fused ? std::max(alpha, 1e-12) : 1.0) / (n * n);
  const Vector diagonal = atom.structure.diagonal();
  for (Index i = 0; i < n_; ++i) {
    own_costs_.row(i) = diagonal.array() * (diagonal.array() - 2 * structure(i, i));
    if (!fused) continue;
    own_costs_.row(i) += (atom.features.rowwise() - features.row(i)).rowwise().squaredNorm() *
                         ((1 - alpha) / n / scale_);
  }
}

void LabelSearch::set_labels(const Assignment& labels) {
  labels_ = labels;
  row_costs_ = own_costs_;
  column_costs_.setZero();
  for (Index i = 0; i < n_; ++i) {
    const std::size_t row = i;
    column_costs_ += square_sums_.row(labels_[row]).transpose();
    for (const auto& [j, out, in] : ties_[row]) {
      row_costs_.row(i) -= out * transposed_.row(labels_[j]);
      if (!symmetric_) row_costs_.row(i) -= in * atom_.structure.row(labels_[j]);
    }
  }
}

// An edge that leaves node i enters its neighbour, so `out` and `in` change places.
void LabelSearch::set_label(Index i, NodeId label) {
  NodeId& former = labels_[i];
  column_costs_ += (square_sums_.row(label) - square_sums_.row(former)).transpose();
  change_ = (transposed_.row(label) - transposed_.row(former)).transpose();
  if (!symmetric_) {
    change_back_ = (atom_.structure.row(label) - atom_.structure.row(former)).transpose();
  }
  for (const auto& [j, out, in] : ties_[i]) {
    row_costs_.row(j) -= (symmetric_ ? out : in) * change_.transpose();
    if (!symmetric_) row_costs_.row(j) -= out * change_back_.transpose();
  }
  former = label;
}

// costs_k = sum_{j != i} (B_{k s_j}^2 + B_{s_j k}^2 - 2 C_ij B_{k s_j} - 2 C_ji B_{s_j k})
//           + B_kk^2 - 2 C_ii B_kk + the linear part.
bool LabelSearch::move_row(Index i) {
  const NodeId label = labels_[i];
  costs_ = column_costs_ + (row_costs_.row(i) - square_sums_.row(label)).transpose();
  // Rounding must not send rows to and fro.
  const double own = costs_[label], least = costs_.minCoeff();
  if (!(least < own - 1e-12 * (1 + std::abs(own)))) return false;
  const auto best = std::find(costs_.data(), costs_.data() + m_, least) - costs_.data();
  set_label(i, static_cast<NodeId>(best));
  return true;
}

// Terms of one node count once, those of pairs twice.
double LabelSearch::value() const {
  double twice = 2 * squares_;
  for (Index i = 0; i < n_; ++i) {
    const NodeId k = labels_[i];
    twice += column_costs_[k] - square_sums_(k, k) + own_costs_(i, k) + row_costs_(i, k);
  }
  return scale_ * twice / 2;
}

double LabelSearch::descend(Assignment& labels) {
  set_labels(labels);
  Index still = 0;  // rows in turn that stay
  StopCounter stop(64);
  for (Index i = 0; still < n_; i = i + 1 == n_ ? 0 : i + 1) {
    stop.throw_if_stopped();
    still = move_row(i) ? 1 : still + 1;
  }
  labels = labels_;
  return value();
}

Assignment LabelSearch::best(std::span<const NodeId> first, int patience, Random& random) {
  constexpr int often = 8;
  Assignment best(first.begin(), first.end()), labels(n_);
  double least = std::numeric_limits<double>::infinity();
  if (!best.empty()) least = descend(best);
  int met = 1, vain = 0;  // how often the least value was, and descents that did not lower it
  while (best.empty() || (met < often && vain < patience)) {
    for (NodeId& label : labels) {
      label = static_cast<NodeId>(random.below(static_cast<std::uint64_t>(m_)));
    }
    const double value = descend(labels);
    const double rounding = 1e-10 * std::abs(least);
    if (best.empty() || value < least - rounding) {
      least = value;
      best = labels;
      met = 1;
      vain = 0;
    } else {
      ++vain;
      met += static_cast<int>(value <= least + rounding);
    }
  }
  return best;
}

}  // namespace srgw::detail
