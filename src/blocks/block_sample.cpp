// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/message.hpp"
#include "base/random.hpp"
#include "base/sampling.hpp"
#include "base/stop.hpp"
#include "communities/search/weighted_graph.hpp"
#include "srgw/blocks.hpp"

namespace srgw {

namespace {

using namespace detail;

/// A Poisson number of a mean from 10 on by transformed rejection: Hörmann, "The transformed
/// rejection method for generating Poisson random variables" (1993), algorithm PTRS.
double draw_large_count(double mean, Random& random) {
  const double b = 0.931 + 2.53 * std::sqrt(mean), a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), accepted = 0.9277 - 3.6224 / (b - 2);
  for (;;) {
    const double u = random.uniform() - 0.5, v = random.uniform();
    const double near = 0.5 - std::abs(u);
    if (near <= 0) continue;
    const double k = std::floor((2 * a / near + b) * u + mean + 0.43);
    if (near >= 0.07 && v <= accepted) return k;
    if (k < 1 || (near < 0.013 && v > near)) continue;
    // The logarithm of the probability of k with Stirling's series, without large differences.
    const double d = (k - mean) / mean;
    const double log_probability = mean * (d - (1 + d) * std::log1p(d)) -
                                   0.5 * std::log(2 * std::numbers::pi * k) - 1 / (12 * k);
    if (std::log(v * inverse_alpha / (a / (near * near) + b)) <= log_probability) return k;
  }
}

/// A Poisson number: small ones as the number of exponential waiting times that fit.
double draw_count(double mean, Random& random) {
  constexpr double large = 500;  // exp(-500) is far from underflow
  if (mean > large) return draw_large_count(mean, random);
  double drawn = 0;
  const double limit = std::exp(-mean);
  for (double product = random.uniform(); product > limit; product *= random.uniform()) ++drawn;
  return drawn;
}

/// Draws places with probabilities in proportion to weights.
class PlaceDraw {
 public:
  explicit PlaceDraw(std::vector<double> weights) : weights_(std::move(weights)) {
    if (std::ranges::all_of(weights_, [](double w) { return !(w > 0); })) {
      std::ranges::fill(weights_, 1.0);
    }
    for (const double weight : weights_) {
      sums_.push_back((sums_.empty() ? 0 : sums_.back()) + weight);
    }
  }
  [[nodiscard]] double weight(std::size_t place) const { return weights_[place]; }
  [[nodiscard]] std::size_t operator()(Random& random) const {
    return find(0, sums_.size(), random.uniform() * sums_.back());
  }
  /// The sum of the weights of all others.
  [[nodiscard]] double rest(std::size_t place) const {
    return before(place) + (sums_.back() - sums_[place]);
  }
  [[nodiscard]] std::size_t other_than(std::size_t place, Random& random) const {
    const double at = random.uniform() * rest(place);
    if (at < before(place) || place + 1 == sums_.size()) return find(0, place, at);
    return find(place + 1, sums_.size(), sums_[place] + (at - before(place)));
  }

 private:
  [[nodiscard]] double before(std::size_t place) const { return place > 0 ? sums_[place - 1] : 0; }
  [[nodiscard]] std::size_t find(std::size_t begin, std::size_t end, double at) const {
    const auto first = sums_.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = sums_.begin() + static_cast<std::ptrdiff_t>(end);
    const auto found = std::upper_bound(first, last, at) - sums_.begin();
    return std::min<std::size_t>(static_cast<std::size_t>(found), end - 1);
  }

  std::vector<double> weights_, sums_;
};

/// Draws graphs whose edges are counted, or whose nodes have propensities.
class CountSampler {
 public:
  CountSampler(const BlockModel& model, const Members& members, std::vector<Entry>& edges)
      : model_(model), members_(members), edges_(edges) {
    check_size();
    const auto count = static_cast<std::size_t>(model.blocks());
    const auto draw_of = [&](std::size_t r, const Vector& propensities) {
      std::vector<double> weights;
      for (const NodeId i : members.of(r)) {
        weights.push_back(model.degree_corrected ? propensities[i] : 1);
      }
      return PlaceDraw(std::move(weights));
    };
    for (std::size_t r = 0; r < count; ++r) {
      sources_.push_back(draw_of(r, model.propensities));
      if (model.directed) targets_.push_back(draw_of(r, model.in_propensities));
    }
  }

  void draw(std::size_t r, std::size_t s, double mean, double pairs, Random& random) {
    // Where there are fewer pairs than edges, a count is drawn for each pair: both have the same
    // distribution.
    if (model_.counts && mean >= pairs) {
      draw_pairs(r, s, mean, random);
    } else {
      draw_edges(r, s, mean, random);
    }
  }

 private:
  void check_size() const {
    constexpr double most = 0x1p28;  // 4 GiB
    if (!model_.counts) return;
    double sum = 0;
    for (Index r = 0; r < model_.blocks(); ++r) {
      for (Index s = model_.directed ? 0 : r; s < model_.blocks(); ++s) {
        sum += std::min(model_.pairs(r, s), model_.probabilities(r, s) * model_.pairs(r, s));
      }
    }
    if (sum > most) {
      fail_argument(
          "a sample of this block model has about {:.3g} edges, expected at most {:.3g}: weights "
          "are counts of edges; divide them by a whole number",
          sum, most);
    }
  }
  [[nodiscard]] const PlaceDraw& targets(std::size_t s) const {
    return model_.directed ? targets_[s] : sources_[s];
  }
  void add(NodeId i, NodeId j, double weight) {
    if (!model_.directed && i > j) std::swap(i, j);
    edges_.push_back({i, j, weight});
  }

  void draw_edges(std::size_t r, std::size_t s, double mean, Random& random) {
    const auto rows = members_.of(r), columns = members_.of(s);
    const PlaceDraw &from = sources_[r], &to = targets(s);
    std::vector<double> first;
    if (r == s) {
      for (std::size_t a = 0; a < rows.size(); ++a) first.push_back(from.weight(a) * to.rest(a));
    }
    const PlaceDraw inside(std::move(first));  // the first of two different nodes
    const double many = draw_count(mean, random);
    for (double drawn = 0; drawn < many; ++drawn) {
      stop_.throw_if_stopped();
      const std::size_t a = r == s ? inside(random) : from(random);
      const std::size_t b = r == s ? to.other_than(a, random) : to(random);
      add(rows[a], columns[b], 1);
    }
  }

  void draw_pairs(std::size_t r, std::size_t s, double mean, Random& random) {
    const auto rows = members_.of(r), columns = members_.of(s);
    const PlaceDraw &from = sources_[r], &to = targets(s);
    const bool half = r == s && !model_.directed;
    const auto for_each_pair = [&](const auto& visit) {
      for (std::size_t a = 0; a < rows.size(); ++a) {
        for (std::size_t b = half ? a + 1 : 0; b < columns.size(); ++b) {
          stop_.throw_if_stopped();
          if (r != s || a != b) visit(a, b, from.weight(a) * to.weight(b));
        }
      }
    };
    double sum = 0;
    for_each_pair([&](std::size_t, std::size_t, double weight) { sum += weight; });
    for_each_pair([&](std::size_t a, std::size_t b, double weight) {
      const double drawn = sum > 0 ? draw_count(mean * (weight / sum), random) : 0;
      if (drawn > 0) add(rows[a], columns[b], drawn);
    });
  }

  const BlockModel& model_;
  const Members& members_;
  std::vector<Entry>& edges_;
  std::vector<PlaceDraw> sources_, targets_;
  StopCounter stop_;
};

}  // namespace

Graph sample(const BlockModel& model, std::uint64_t seed) {
  const auto n = static_cast<Index>(model.labels.size());
  const auto count = static_cast<std::size_t>(model.blocks());
  const Members members(model.labels, count);
  std::vector<Entry> edges;
  std::optional<CountSampler> counts;
  if (model.counts || model.degree_corrected) counts.emplace(model, members, edges);
  StopCounter stop;
  for (std::size_t r = 0; r < count; ++r) {
    const auto rows = members.of(r);
    for (std::size_t s = model.directed ? 0 : r; s < count; ++s) {
      throw_if_stopped();
      const auto columns = members.of(s);
      const double p = model.probabilities(static_cast<Index>(r), static_cast<Index>(s));
      const double pairs = model.pairs(static_cast<Index>(r), static_cast<Index>(s));
      if (p == 0 || pairs == 0) continue;
      Random random(seed, r * count + s);
      if (counts) {
        counts->draw(r, s, p * pairs, pairs, random);
        continue;
      }
      const bool half = r == s && !model.directed;
      const auto places = std::ssize(rows) * std::ssize(columns);
      const auto visit = [&](Index place) {
        stop.throw_if_stopped();
        NodeId i = rows[place / std::ssize(columns)], j = columns[place % std::ssize(columns)];
        if (i == j || (half && i > j)) return;
        if (!model.directed && i > j) std::swap(i, j);
        edges.push_back({i, j, 1});
      };
      if (p < 1) {
        visit_places(places, p, random, visit);
      } else {
        for (Index place = 0; place < places; ++place) visit(place);
      }
    }
  }
  return Graph::from_edges(n, edges, model.directed,
                           model.counts ? Duplicates::sum : Duplicates::first);
}

}  // namespace srgw
