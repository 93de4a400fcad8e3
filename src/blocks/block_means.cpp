// SPDX-License-Identifier: MIT
#include "blocks/block_means.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>
#include <span>
#include <tuple>
#include <utility>

#include "base/row_blocks.hpp"
#include "base/stop.hpp"
#include "blocks/order_labels.hpp"
#include "communities/search/local_moves.hpp"

namespace srgw::detail {

namespace {

/// Gains below this share of F are rounding.
constexpr double least_share = 1e-12;

double self_weight(const WeightedGraph& pairs, std::size_t i) {
  return pairs.inside.empty() ? 0 : pairs.inside[i];
}

/// Weights from a node to blocks.
class BlockLinks {
 public:
  explicit BlockLinks(std::size_t count) : sums_(count, 0), seen_(count, 0) {}

  void gather(const WeightedGraph& pairs, const Assignment& labels, std::size_t i) {
    for (const NodeId c : touched_) {
      sums_[c] = 0;
      seen_[c] = 0;
    }
    touched_.clear();
    for (std::uint64_t e = pairs.begin(i); e < pairs.end(i); ++e) {
      const NodeId c = labels[pairs.columns[e]];
      if (seen_[c] == 0) {
        seen_[c] = 1;
        touched_.push_back(c);
      }
      sums_[c] += pairs.weight(e);
    }
  }
  [[nodiscard]] double operator[](std::size_t c) const { return sums_[c]; }
  [[nodiscard]] const std::vector<NodeId>& touched() const { return touched_; }

 private:
  std::vector<double> sums_;
  std::vector<std::uint8_t> seen_;
  std::vector<NodeId> touched_;
};

/// Block sums as a dense matrix, with R_k = sum_l s_kl^2 / M_l.
class DenseSums {
 public:
  DenseSums(const WeightedGraph& pairs, const Assignment& labels, std::size_t count)
      : sums_(Matrix::Zero(static_cast<Index>(count), static_cast<Index>(count))),
        mass_(Vector::Zero(static_cast<Index>(count))),
        sizes_(count, 0) {
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      mass_[labels[i]] += pairs.mass[i];
      ++sizes_[labels[i]];
      sums_(labels[i], labels[i]) += self_weight(pairs, i);
      for (std::uint64_t e = pairs.begin(i); e < pairs.end(i); ++e) {
        sums_(labels[i], labels[pairs.columns[e]]) += pairs.weight(e);
      }
    }
    renew();
  }

  [[nodiscard]] std::size_t count() const { return sizes_.size(); }
  [[nodiscard]] bool may_leave(std::size_t block) const { return sizes_[block] > 1; }
  [[nodiscard]] double explained() const { return (rows_.array() / mass_.array()).sum(); }

  /// How much F rises if a node of mass m, self-weight s and links d goes from a to b.
  [[nodiscard]] double gain(std::size_t a, std::size_t b, double m, double s,
                            const BlockLinks& d) const {
    const double sab = sums_(a, b), saa = sums_(a, a), sbb = sums_(b, b);
    const double ma = mass_[a], mb = mass_[b];
    const double rest_a = rows_[a] - saa * saa / ma - sab * sab / mb;
    const double rest_b = rows_[b] - sbb * sbb / mb - sab * sab / ma;
    double new_a = rest_a, new_b = rest_b;
    for (const NodeId l : d.touched()) {
      if (l == a || l == b) continue;
      const double share = d[l] / mass_[l];
      new_a += share * (d[l] - 2 * sums_(a, l));
      new_b += share * (d[l] + 2 * sums_(b, l));
    }
    const double taa = saa - 2 * d[a] - s, tbb = sbb + 2 * d[b] + s, tab = sab + d[a] - d[b];
    const double na = ma - m, nb = mb + m;
    const double before = 2 * (rest_a / ma + rest_b / mb) + saa * saa / (ma * ma) +
                          sbb * sbb / (mb * mb) + 2 * sab * sab / (ma * mb);
    const double after = 2 * (new_a / na + new_b / nb) + taa * taa / (na * na) +
                         tbb * tbb / (nb * nb) + 2 * tab * tab / (na * nb);
    return after - before;
  }

  void move(std::size_t a, std::size_t b, double m, double s, const BlockLinks& d) {
    const auto column_terms = [&](double sign) {
      rows_.array() += sign * (sums_.row(a).transpose().array().square() / mass_[a] +
                               sums_.row(b).transpose().array().square() / mass_[b]);
    };
    column_terms(-1);
    for (const NodeId l : d.touched()) {
      sums_(a, l) -= d[l];
      sums_(b, l) += d[l];
      sums_(l, a) -= d[l];
      sums_(l, b) += d[l];
    }
    sums_(a, a) -= s;
    sums_(b, b) += s;
    mass_[a] -= m;
    mass_[b] += m;
    --sizes_[a];
    ++sizes_[b];
    column_terms(1);
    for (const std::size_t k : {a, b}) rows_[k] = row_sum(k);
  }

  /// Without the rounding of moves.
  void renew() {
    rows_.resize(mass_.size());
    for (Index k = 0; k < rows_.size(); ++k) rows_[k] = row_sum(k);
  }

 private:
  [[nodiscard]] double row_sum(Index k) const {
    return (sums_.row(k).transpose().array().square() / mass_.array()).sum();
  }

  Matrix sums_;
  Vector mass_, rows_;
  std::vector<std::size_t> sizes_;
};

/// One sweep of exact moves. Returns whether a node moved.
bool sweep_dense(const WeightedGraph& pairs, Assignment& labels, DenseSums& blocks,
                 const std::vector<NodeId>& order, std::size_t most_seconds, StopCounter& stop) {
  // All blocks are tried where there are few; else those of neighbours, and of their neighbours.
  constexpr std::size_t few = 64;
  const std::size_t count = blocks.count();
  const double least = least_share * std::abs(blocks.explained());
  BlockLinks links(count);
  std::vector<NodeId> candidates;
  std::vector<std::size_t> seen(count, pairs.size());
  bool moved = false;
  for (const NodeId i : order) {
    stop.throw_if_stopped();
    const NodeId own = labels[i];
    if (!blocks.may_leave(own)) continue;
    links.gather(pairs, labels, i);
    candidates.clear();
    seen[own] = i;
    const auto add = [&](NodeId c) {
      if (std::exchange(seen[c], i) != i) candidates.push_back(c);
    };
    if (count <= few) {
      for (std::size_t c = 0; c < count; ++c) add(static_cast<NodeId>(c));
    } else {
      for (const NodeId c : links.touched()) add(c);
      std::size_t seconds = 0;
      for (std::uint64_t e = pairs.begin(i); e < pairs.end(i) && seconds < most_seconds; ++e) {
        const NodeId j = pairs.columns[e];
        for (std::uint64_t f = pairs.begin(j); f < pairs.end(j) && seconds < most_seconds; ++f) {
          add(labels[pairs.columns[f]]);
          ++seconds;
        }
      }
    }
    NodeId best = own;
    double most = least;
    for (const NodeId c : candidates) {
      const double gain = blocks.gain(own, c, pairs.mass[i], self_weight(pairs, i), links);
      if (gain <= most) continue;
      best = c;
      most = gain;
    }
    if (best == own) continue;
    // The self-link of a node in its own block is none: links hold other nodes only.
    blocks.move(own, best, pairs.mass[i], self_weight(pairs, i), links);
    labels[i] = best;
    moved = true;
  }
  return moved;
}

constexpr std::size_t small_graph = 2000;
/// Larger graphs stop at a sweep that raises F by less than this share.
constexpr double worthwhile_sweep = 1e-3;

void reassign_exactly(const WeightedGraph& pairs, Assignment& labels, std::size_t count,
                      const ReassignRules& rules) {
  DenseSums blocks(pairs, labels, count);
  StopCounter stop(64);
  const std::vector<NodeId> order = random_order(pairs.size(), rules.seed, 1);
  const bool small = pairs.size() <= small_graph;
  for (int sweep = 0; sweep < rules.sweeps; ++sweep) {
    const double before = blocks.explained();
    if (!sweep_dense(pairs, labels, blocks, order, small ? 256 : 64, stop)) break;
    blocks.renew();
    if (!small && blocks.explained() - before < worthwhile_sweep * before) break;
  }
}

/// Whether exact sweeps are affordable: a move changes rows of the sums, and each candidate costs
/// a look at all links.
bool is_exact(const WeightedGraph& pairs, std::size_t count, const ReassignRules& rules) {
  constexpr double most_work = 1e8;
  if (count > rules.largest_dense) return false;
  const auto n = static_cast<double>(pairs.size());
  const double links = static_cast<double>(pairs.columns.size()) / n;
  const double candidates = std::min(static_cast<double>(count), 64 + links);
  return n * (candidates * links + static_cast<double>(count)) <= most_work;
}

/// Rows of a quotient with sorted columns.
void sort_rows(std::span<const std::uint64_t> offsets, std::vector<NodeId>& columns,
               std::vector<double>& values, int threads) {
  for_each_row(std::ssize(offsets) - 1, threads, [&](Index k) {
    std::vector<std::pair<NodeId, double>> row;
    row.reserve(offsets[k + 1] - offsets[k]);
    for (std::uint64_t e = offsets[k]; e < offsets[k + 1]; ++e) {
      row.emplace_back(columns[e], values[e]);
    }
    std::ranges::sort(row);
    for (std::size_t r = 0; r < row.size(); ++r) {
      std::tie(columns[offsets[k] + r], values[offsets[k] + r]) = row[r];
    }
  });
}

/// Block means with sorted rows, to look entries up.
class SparseMeans {
 public:
  SparseMeans(const WeightedGraph& quotient, int threads)
      : offsets_(quotient.offsets),
        columns_(quotient.columns.begin(), quotient.columns.end()),
        values_(quotient.columns.size()),
        diagonal_(quotient.size()),
        squares_(quotient.size()) {
    for_each_row(static_cast<Index>(quotient.size()), threads, [&](Index k) {
      diagonal_[k] = quotient.inside[k] / (quotient.mass[k] * quotient.mass[k]);
      squares_[k] = quotient.mass[k] * diagonal_[k] * diagonal_[k];
      for (std::uint64_t e = quotient.begin(k); e < quotient.end(k); ++e) {
        const double mass = quotient.mass[quotient.columns[e]];
        values_[e] = quotient.weight(e) / (quotient.mass[k] * mass);
        squares_[k] += mass * values_[e] * values_[e];
      }
    });
    sort_rows(offsets_.view(), columns_, values_, threads);
  }

  [[nodiscard]] double at(std::size_t k, NodeId l) const {
    if (k == l) return diagonal_[k];
    const auto begin = columns_.begin() + static_cast<std::ptrdiff_t>(offsets_[k]);
    const auto end = columns_.begin() + static_cast<std::ptrdiff_t>(offsets_[k + 1]);
    const auto found = std::lower_bound(begin, end, l);
    return found == end || *found != l ? 0 : values_[found - columns_.begin()];
  }
  /// sum_l M_l B_kl^2
  [[nodiscard]] double square(std::size_t k) const { return squares_[k]; }

 private:
  SharedArray<std::uint64_t> offsets_;
  std::vector<NodeId> columns_;
  std::vector<double> values_, diagonal_, squares_;
};

/// Where a node would go by the linearised objective m_i sum_l M_l B_kl^2 - 2 sum_l d_l B_kl, among
/// its own block and the few that it has the most weight to.
NodeId best_block(const SparseMeans& means, const BlockLinks& links, double mass, NodeId own) {
  constexpr std::size_t few = 4;
  std::array<NodeId, few> candidates{};
  std::size_t many = 0;
  for (const NodeId c : links.touched()) {
    if (c == own) continue;
    std::size_t place = std::min(many, few - 1);
    if (many == few && links[candidates[place]] >= links[c]) continue;
    while (place > 0 && links[candidates[place - 1]] < links[c]) {
      candidates[place] = candidates[place - 1];
      --place;
    }
    candidates[place] = c;
    many = std::min(many + 1, few);
  }
  const auto cost = [&](NodeId k) {
    double product = 0;
    for (const NodeId l : links.touched()) product += links[l] * means.at(k, l);
    return mass * means.square(k) - 2 * product;
  };
  NodeId best = own;
  double least = cost(own);
  for (std::size_t c = 0; c < many; ++c) {
    const double found = cost(candidates[c]);
    if (found >= least) continue;
    best = candidates[c];
    least = found;
  }
  return best;
}

void reassign_in_batches(const WeightedGraph& pairs, Assignment& labels, std::size_t count,
                         const ReassignRules& rules) {
  constexpr int most_rounds = 3;
  constexpr double worthwhile = 1e-3;
  WeightedGraph quotient = contract(pairs, labels, count, rules.threads);
  double best = explained(quotient);
  for (int round = 0; round < std::min(rules.sweeps, most_rounds); ++round) {
    Assignment trial = labels;
    {
      const SparseMeans means(quotient, rules.threads);
      quotient = {};
      std::vector<BlockLinks> links(std::max(rules.threads, 1), BlockLinks(count));
      for_each_block(static_cast<Index>(pairs.size()), rules.threads,
                     [&](Index, Index begin, Index end, int worker) {
                       for (Index i = begin; i < end; ++i) {
                         links[worker].gather(pairs, labels, i);
                         trial[i] = best_block(means, links[worker], pairs.mass[i], labels[i]);
                       }
                     });
    }
    std::vector<Index> sizes = sizes_of(trial, count);
    for (std::size_t i = 0; i < trial.size(); ++i) {  // no block becomes empty
      if (sizes[labels[i]] > 0) continue;
      --sizes[trial[i]];
      trial[i] = labels[i];
      ++sizes[trial[i]];
    }
    quotient = contract(pairs, trial, count, rules.threads);
    const double found = explained(quotient);
    if (!(found > best)) return;
    const double risen = found - best;
    best = found;
    labels = std::move(trial);
    if (risen < worthwhile * found) return;
  }
}

/// Pairs of nodes that may be merged, by what that costs.
class LossMerger {
 public:
  explicit LossMerger(const WeightedGraph& pairs)
      : sums_(Matrix::Zero(static_cast<Index>(pairs.size()), static_cast<Index>(pairs.size()))),
        mass_(Vector::Map(pairs.mass.data(), static_cast<Index>(pairs.size()))),
        into_(pairs.size()),
        version_(pairs.size(), 0),
        left_(pairs.size()) {
    std::iota(into_.begin(), into_.end(), NodeId{0});
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      sums_(i, i) = self_weight(pairs, i);
      for (std::uint64_t e = pairs.begin(i); e < pairs.end(i); ++e) {
        sums_(i, pairs.columns[e]) += pairs.weight(e);
      }
    }
    rows_.resize(sums_.rows());
    for (Index k = 0; k < rows_.size(); ++k) rows_[k] = row_sum(k);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      throw_if_stopped();
      offer_near(static_cast<NodeId>(i), true);
    }
  }

  [[nodiscard]] Assignment merge(std::size_t count) {
    while (left_ > count) {
      throw_if_stopped();
      if (waiting_.empty()) offer_far();
      const Offer offer = waiting_.top();
      waiting_.pop();
      if (into_[offer.a] != offer.a || into_[offer.b] != offer.b) continue;
      if (offer.version != version_[offer.a] + version_[offer.b]) continue;
      // Others have merged meanwhile, which may have made this pair worse.
      const double now = loss(offer.a, offer.b);
      if (now > offer.loss + least_share * std::abs(offer.loss) && !waiting_.empty() &&
          now > waiting_.top().loss) {
        waiting_.push({now, offer.a, offer.b, offer.version});
        continue;
      }
      join(offer.a, offer.b);
    }
    Assignment labels(into_.size());
    for (std::size_t i = 0; i < labels.size(); ++i) {
      NodeId root = static_cast<NodeId>(i);
      while (into_[root] != root) root = into_[root];
      labels[i] = root;
    }
    compact(labels);
    return labels;
  }

 private:
  struct Offer {
    double loss = 0;
    NodeId a = 0, b = 0;
    std::size_t version = 0;
    bool operator>(const Offer& other) const {
      return std::tie(loss, a, b) > std::tie(other.loss, other.a, other.b);
    }
  };

  [[nodiscard]] double row_sum(Index k) const {
    return (sums_.row(k).transpose().array().square() / mass_.array()).sum();
  }
  [[nodiscard]] double loss(NodeId a, NodeId b) const {
    const double sab = sums_(a, b), saa = sums_(a, a), sbb = sums_(b, b);
    const double ma = mass_[a], mb = mass_[b], m = ma + mb;
    const double rest_a = rows_[a] - saa * saa / ma - sab * sab / mb;
    const double rest_b = rows_[b] - sbb * sbb / mb - sab * sab / ma;
    const double common =
        (sums_.row(a).array() * sums_.row(b).array() / mass_.transpose().array()).sum() -
        saa * sab / ma - sab * sbb / mb;
    const double inside = saa + sbb + 2 * sab;
    const double before = 2 * (rest_a / ma + rest_b / mb) + saa * saa / (ma * ma) +
                          sbb * sbb / (mb * mb) + 2 * sab * sab / (ma * mb);
    return before - 2 * (rest_a + rest_b + 2 * common) / m - inside * inside / (m * m);
  }
  void offer(NodeId a, NodeId b) {
    if (a > b) std::swap(a, b);
    waiting_.push({loss(a, b), a, b, version_[a] + version_[b]});
  }
  /// Offers the pairs of a block with those that it is linked to, or shares a link with.
  void offer_near(NodeId a, bool later_only) {
    std::vector<std::uint8_t> near(into_.size(), 0);
    for (Index l = 0; l < sums_.cols(); ++l) {
      if (sums_(a, l) == 0 || into_[l] != l) continue;
      near[l] = 1;
      for (Index k = 0; k < sums_.cols(); ++k) {
        if (sums_(l, k) != 0) near[k] = 1;
      }
    }
    for (std::size_t k = 0; k < near.size(); ++k) {
      if (near[k] == 0 || k == a || into_[k] != k || (later_only && k < a)) continue;
      offer(a, static_cast<NodeId>(k));
    }
  }
  /// No two blocks are near each other: offers those that follow each other by density inside.
  void offer_far() {
    std::vector<NodeId> blocks;
    for (std::size_t k = 0; k < into_.size(); ++k) {
      if (into_[k] == k) blocks.push_back(static_cast<NodeId>(k));
    }
    std::ranges::stable_sort(blocks, {},
                             [&](NodeId k) { return sums_(k, k) / (mass_[k] * mass_[k]); });
    for (std::size_t r = 1; r < blocks.size(); ++r) offer(blocks[r - 1], blocks[r]);
  }
  void join(NodeId a, NodeId b) {
    const auto column_terms = [&](NodeId k, double sign) {
      rows_.array() += sign * sums_.row(k).transpose().array().square() / mass_[k];
    };
    column_terms(a, -1);
    column_terms(b, -1);
    sums_.row(a) += sums_.row(b);
    sums_.col(a) += sums_.col(b);
    sums_.row(b).setZero();
    sums_.col(b).setZero();
    mass_[a] += mass_[b];
    column_terms(a, 1);
    rows_[a] = row_sum(a);
    rows_[b] = 0;
    into_[b] = a;
    ++version_[a];
    --left_;
    offer_near(a, false);
  }

  Matrix sums_;
  Vector mass_, rows_;
  std::vector<NodeId> into_;
  std::vector<std::size_t> version_;
  std::size_t left_;
  std::priority_queue<Offer, std::vector<Offer>, std::greater<>> waiting_;
};

}  // namespace

double explained(const WeightedGraph& quotient) {
  double sum = 0;
  for (std::size_t k = 0; k < quotient.size(); ++k) {
    const double own = self_weight(quotient, k) / quotient.mass[k];
    double row = own * own;
    for (std::uint64_t e = quotient.begin(k); e < quotient.end(k); ++e) {
      const double weight = quotient.weight(e);
      row += weight * weight / (quotient.mass[k] * quotient.mass[quotient.columns[e]]);
    }
    sum += row;
  }
  return sum;
}

double explained(const WeightedGraph& pairs, const Assignment& labels, std::size_t count,
                 int threads) {
  return explained(contract(pairs, labels, count, threads));
}

void reassign(const WeightedGraph& pairs, Assignment& labels, std::size_t count,
              const ReassignRules& rules) {
  if (count >= pairs.size() || count <= 1) return;
  if (is_exact(pairs, count, rules)) {
    reassign_exactly(pairs, labels, count, rules);
  } else {
    reassign_in_batches(pairs, labels, count, rules);
  }
}

Assignment merge_by_loss(const WeightedGraph& pairs, std::size_t count) {
  return LossMerger(pairs).merge(count);
}

}  // namespace srgw::detail
