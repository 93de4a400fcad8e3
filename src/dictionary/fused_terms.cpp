// SPDX-License-Identifier: MIT
#include "srgw/dictionary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/message.hpp"
#include "base/stop.hpp"
#include "dictionary/sample_scale.hpp"
#include "ranks/column_sums.hpp"

namespace srgw {

namespace {

constexpr double drowned = 20;  // times as much

/// With two digits of what it differs from 0 or 1 by.
std::string alpha_text(double alpha) {
  const double rest = std::min(alpha, 1 - alpha);
  const int digits = rest > 0 ? 1 - static_cast<int>(std::floor(std::log10(rest))) : 1;
  return fmt::format("{:.{}f}", alpha, std::clamp(digits, 1, 15));
}

}  // namespace

FusedTerms fused_terms(std::span<const Sample> samples, Index columns, Ranks* ranks) {
  std::int64_t count = std::ssize(samples);
  if (ranks != nullptr) ranks->sum(std::span(&count, 1));
  if (count == 0) return {};
  detail::Shard shard(samples.size(), ranks);
  (void)detail::scale_exponent(samples, 0.5, shard);  // refuses entries whose squares overflow
  // h'(C o C)h and h'C h of each graph; then h'|x|^2 and h'x.
  detail::ColumnSums sums(3 + columns);
  Vector row = Vector::Zero(3 + columns);
  for (const Sample& sample : samples) {
    detail::throw_if_stopped();
    const Vector& h = sample.source.weights;
    row[0] = sample.source.structure.square_form(h);
    row[1] = h.dot(sample.source.structure.product(h));
    if (columns > 0) {
      row[2] = h.dot(sample.features.rowwise().squaredNorm());
      row.tail(columns) = sample.features.transpose() * h;
    }
    sums.add(row);
  }
  const Vector means = sums.values(ranks) / static_cast<double>(count);
  double features = means[2];
  for (const double mean : means.tail(columns)) features -= mean * mean;
  if (!std::isfinite(features)) {
    detail::fail_argument("squares of the features overflow, expected smaller numbers");
  }
  return {std::max(means[0] - means[1] * means[1], 0.0), std::max(features, 0.0)};
}

std::string drowned_term(const FusedTerms& terms, double alpha) {
  const double structure = alpha * terms.structure, features = (1 - alpha) * terms.features;
  if (structure == 0 || features == 0) return {};
  if (std::max(structure, features) <= drowned * std::min(structure, features)) return {};
  const bool by_features = features > structure;
  const char *loud = by_features ? "features" : "structures",
             *lost = by_features ? "structure" : "features";
  return fmt::format(
      "with alpha {} the {} of the graphs weigh {:.0f} times as much as the {}, which hardly "
      "matters "
      "then; alpha {} would balance them",
      alpha, loud, by_features ? features / structure : structure / features, lost,
      alpha_text(terms.balanced_alpha()));
}

}  // namespace srgw
