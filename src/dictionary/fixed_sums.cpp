// SPDX-License-Identifier: MIT
#include "dictionary/fixed_sums.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/parallel.hpp"
#include "base/stop.hpp"

namespace srgw::detail {

void SumBounds::include(double kappa, double squares) {
  cross = std::max(cross, std::sqrt(std::max(0.0, kappa)));
  features = std::max(features, std::sqrt(std::max(0.0, squares)));
}

FixedSums::FixedSums(Index size, Index columns, const SumBounds& bounds)
    : places_{static_cast<std::size_t>(size), static_cast<std::size_t>(columns)},
      cross_(bounds.cross * static_cast<double>(bounds.graphs)),
      weights_(static_cast<double>(bounds.graphs)),
      features_(bounds.features * static_cast<double>(bounds.graphs)),
      numbers_(places_.end(), 0),
      one_(size, columns),
      is_used_(places_.size, 0) {}

void FixedSums::add_plan(const Sample& sample, const Plan& plan, std::int64_t times) {
  look_at(sample, plan, 1);
  move_all(times);
}

void FixedSums::replace_plan(const Sample& sample, const Plan& before, const Plan& after) {
  look_at(sample, before, -1);
  look_at(sample, after, 1);
  move_all(1);
}

void FixedSums::look_at(const Sample& sample, const Plan& plan, double sign) {
  one_.add_plan(sample, plan, sign);
  for (std::size_t k = 0; k < places_.size; ++k) {
    if (one_.masses[static_cast<Index>(k)] == 0 || is_used_[k] != 0) continue;
    is_used_[k] = 1;
    support_.push_back(k);
  }
}

void FixedSums::move_all(std::int64_t times) {
  const auto move = [&](double& x, const FixedPoint& scale, std::size_t place) {
    if (x == 0) return;
    const Fixed fixed = scale.from(x);
    numbers_[place] += times == 1 ? fixed : times * fixed;
    x = 0;
  };
  for (const std::size_t k : support_) {
    const auto row = static_cast<Index>(k);
    for (const std::size_t l : support_) {
      const auto column = static_cast<Index>(l);
      move(one_.cross(row, column), cross_, places_.cross(k) + l);
      if (l <= k) {  // q q' is symmetric
        move(one_.uses(row, column), weights_, places_.uses(k) + l);
      } else {
        one_.uses(row, column) = 0;
      }
    }
    for (std::size_t c = 0; c < places_.columns; ++c) {
      move(one_.features(row, static_cast<Index>(c)), features_, places_.features(k) + c);
    }
    move(one_.masses[row], weights_, places_.masses() + k);
    is_used_[k] = 0;
  }
  support_.clear();
  if (!one_.symmetric) ++asymmetric_;
  one_.symmetric = true;
}

void FixedSums::add_terms(const Terms& terms, std::int64_t graphs) {
  const auto times = static_cast<double>(graphs);
  kappa_.add(times * terms.kappa);
  squares_.add(times * terms.squares);
  extra_.add(times * terms.extra);
  value_.add(times * terms.value);
  graphs_ += graphs;
}

void FixedSums::add(const FixedSums& other) {
  for (std::size_t i = 0; i < numbers_.size(); ++i) numbers_[i] += other.numbers_[i];
  kappa_.add(other.kappa_);
  squares_.add(other.squares_);
  extra_.add(other.extra_);
  value_.add(other.value_);
  graphs_ += other.graphs_;
  asymmetric_ += other.asymmetric_;
}

void FixedSums::sum_over(Shard& shard) {
  if (shard.ranks() == nullptr) return;
  shard.sum(std::span(numbers_));
  std::vector<std::int64_t> integers{graphs_, asymmetric_};
  const std::array<ExactSum*, 4> sums{&kappa_, &squares_, &extra_, &value_};
  for (ExactSum* sum : sums) {
    integers.insert(integers.end(), sum->numbers().begin(), sum->numbers().end());
  }
  shard.sum(std::span(integers));
  graphs_ = integers[0];
  asymmetric_ = integers[1];
  std::span<const std::int64_t> rest = std::span(integers).subspan(2);
  for (ExactSum* sum : sums) {
    std::ranges::copy(rest.first(sum->numbers().size()), sum->numbers().begin());
    rest = rest.subspan(sum->numbers().size());
  }
}

AtomSums FixedSums::total() const {
  const auto size = static_cast<Index>(places_.size), columns = static_cast<Index>(places_.columns);
  AtomSums sums(size, columns);
  const auto fill = [&](double* to, std::size_t count, const FixedPoint& scale, std::size_t place) {
    for (std::size_t i = 0; i < count; ++i) to[i] = scale.to(numbers_[place + i]);
  };
  const std::size_t entries = places_.size * places_.size;
  fill(sums.cross.data(), entries, cross_, places_.cross(0));
  fill(sums.uses.data(), entries, weights_, places_.uses(0));
  sums.uses.triangularView<Eigen::StrictlyUpper>() = sums.uses.transpose();
  fill(sums.masses.data(), places_.size, weights_, places_.masses());
  fill(sums.features.data(), places_.size * places_.columns, features_, places_.features(0));
  sums.kappa = kappa_.value();
  sums.squares = squares_.value();
  sums.extra = extra_.value();
  sums.value = value_.value();
  sums.count = static_cast<double>(graphs_);
  sums.symmetric = asymmetric_ == 0;
  sums.symmetrize();
  return sums;
}

AtomSums sum_over(Index items, int threads, const FixedSums& zero, Shard& shard,
                  const std::function<void(Index item, int worker, FixedSums& sums)>& add) {
  const std::size_t workers = std::clamp<Index>(items, 1, static_cast<Index>(std::max(1, threads)));
  std::vector<FixedSums> parts(workers, zero);
  parallel_for(items, static_cast<int>(workers),
               [&](Index item, int worker) { add(item, worker, parts[worker]); });
  throw_if_stopped();  // a solve that was cut short would leave a trace
  for (std::size_t w = 1; w < workers; ++w) parts.front().add(parts[w]);
  parts.front().sum_over(shard);
  return parts.front().total();
}

}  // namespace srgw::detail
