// SPDX-License-Identifier: MIT
#include "srgw/dictionary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/exact_sum.hpp"
#include "base/message.hpp"
#include "base/stop.hpp"
#include "dictionary/sample_scale.hpp"

namespace srgw {

namespace {

constexpr double drowned = 20;  // times as much

/// With two digits of what it differs from 0 or 1 by.
std::string alpha_text(double alpha) {
  const double rest = std::min(alpha, 1 - alpha);
  const int digits = rest > 0 ? 1 - static_cast<int>(std::floor(std::log10(rest))) : 1;
  return fmt::format("{:.{}f}", alpha, std::clamp(digits, 1, 15));
}

/// Means over the graphs of all ranks.
class Means {
 public:
  explicit Means(std::size_t count) : sums_(count) {}
  void add(std::size_t at, double number) { sums_[at].add(number); }
  [[nodiscard]] double mean(std::size_t at, double count, Ranks* ranks) {
    if (ranks != nullptr) ranks->sum(sums_[at].numbers());
    return sums_[at].value() / count;
  }

 private:
  std::vector<ExactSum> sums_;
};

}  // namespace

double FusedTerms::balanced_alpha() const {
  return structure > 0 && features > 0 ? features / (structure + features) : 0.5;
}

FusedTerms fused_terms(std::span<const Sample> samples, Index columns, Ranks* ranks) {
  std::int64_t count = std::ssize(samples);
  if (ranks != nullptr) ranks->sum(std::span(&count, 1));
  if (count == 0) return {};
  detail::Shard shard(samples.size(), ranks);
  (void)detail::scale_exponent(samples, 0.5, shard);  // refuses what has no squares
  const auto graphs = static_cast<double>(count);
  // h'(C o C)h and h'C h of each graph; then h'|x|^2 and h'x.
  const std::size_t d = columns;
  Means means(3 + d);
  for (const Sample& sample : samples) {
    detail::throw_if_stopped();
    const Vector& h = sample.source.weights;
    means.add(0, sample.source.structure.square_form(h));
    means.add(1, h.dot(sample.source.structure.product(h)));
    if (d == 0) continue;
    means.add(2, h.dot(sample.features.rowwise().squaredNorm()));
    const Vector mean = sample.features.transpose() * h;
    for (std::size_t c = 0; c < d; ++c) means.add(3 + c, mean[static_cast<Index>(c)]);
  }
  const double entry = means.mean(1, graphs, ranks);
  FusedTerms terms{.structure = means.mean(0, graphs, ranks) - entry * entry,
                   .features = means.mean(2, graphs, ranks)};
  for (std::size_t c = 0; c < d; ++c) {
    const double mean = means.mean(3 + c, graphs, ranks);
    terms.features -= mean * mean;
  }
  if (!std::isfinite(terms.features)) {
    detail::fail_argument("squares of the features overflow, expected smaller numbers");
  }
  return {std::max(terms.structure, 0.0), std::max(terms.features, 0.0)};
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
