// SPDX-License-Identifier: MIT
#include "completion/forest.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "base/stop.hpp"

namespace srgw::detail {

namespace {

constexpr std::size_t most_bins = 64;
constexpr double bagged_share = 0.5;
constexpr std::size_t most_packed_leaves = 64;  // bits of a word

/// Columns as numbers of bins between quantiles.
class BinnedRows {
 public:
  explicit BinnedRows(const Matrix& rows) : count_(rows.rows()) {
    for (Index c = 0; c < rows.cols(); ++c) {
      throw_if_stopped();
      std::vector<double> values(rows.col(c).begin(), rows.col(c).end());
      std::ranges::sort(values);
      cuts_.push_back(cuts_of(values));
      auto& codes = codes_.emplace_back(count_);
      for (Index r = 0; r < count_; ++r) {
        const auto& cuts = cuts_.back();
        codes[r] = static_cast<std::uint8_t>(
            std::lower_bound(cuts.begin(), cuts.end(), rows(r, c)) - cuts.begin());
      }
    }
  }
  [[nodiscard]] Index columns() const { return std::ssize(cuts_); }
  [[nodiscard]] Index rows() const { return count_; }
  [[nodiscard]] const std::vector<std::uint8_t>& codes(Index column) const {
    return codes_[column];
  }
  /// Bin b holds values up to cut b.
  [[nodiscard]] const std::vector<double>& cuts(Index column) const { return cuts_[column]; }

 private:
  // Half way between neighbours in the sorted list, so that new values fall on either side.
  static std::vector<double> cuts_of(const std::vector<double>& sorted) {
    std::vector<double> cuts;
    const std::size_t count = sorted.size();
    for (std::size_t b = 1; b < most_bins && count > 1; ++b) {
      std::size_t at = b * count / most_bins;
      if (at == 0) continue;
      if (sorted[at - 1] == sorted[at]) {  // the end of the run of equal values
        at = static_cast<std::size_t>(std::upper_bound(sorted.begin(), sorted.end(), sorted[at]) -
                                      sorted.begin());
        if (at == count) continue;
      }
      const double cut = 0.5 * (sorted[at - 1] + sorted[at]);
      if (cuts.empty() || cut > cuts.back()) cuts.push_back(cut);
    }
    // Few values are all told apart, however rare.
    std::vector<double> distinct = sorted;
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    if (distinct.size() > most_bins) return cuts;
    cuts.clear();
    for (std::size_t v = 1; v < distinct.size(); ++v) {
      cuts.push_back(0.5 * (distinct[v - 1] + distinct[v]));
    }
    return cuts;
  }

  Index count_;
  std::vector<std::vector<double>> cuts_;
  std::vector<std::vector<std::uint8_t>> codes_;
};

struct Sums {
  double slope = 0, curvature = 0, weight = 0;
  void add(const Sums& other, double sign = 1) {
    slope += sign * other.slope;
    curvature += sign * other.curvature;
    weight += sign * other.weight;
  }
};

struct Split {
  double gain = 0;
  Index column = -1;
  std::size_t bin = 0;
};

using Histogram = std::vector<Sums>;  // columns x bins

struct Leaf {
  std::vector<std::uint32_t> rows;
  Histogram histogram;
  Sums total;
  Split split;
  std::int32_t node = 0;
};

/// Grows trees on slopes and curvatures of the loss.
class TreeGrower {
 public:
  TreeGrower(const BinnedRows& rows, const Boosting& options) : rows_(rows), options_(options) {}

  /// Adds a tree to the forest that reads these columns only.
  void grow(const std::vector<std::uint32_t>& used, const std::vector<Sums>& terms,
            const std::vector<Index>& columns, Forest& forest) {
    columns_ = columns;
    first_node_ = static_cast<std::int32_t>(forest.column.size());
    bins_.clear();
    std::vector<Leaf> leaves(1);
    Leaf& root = leaves.front();
    root.rows = used;
    root.histogram = histogram_of(used, terms);
    for (const std::uint32_t r : used) root.total.add(terms[r]);
    root.node = new_node(forest);
    root.split = best_split(root);
    forest.roots.push_back(root.node);
    while (std::ssize(leaves) < options_.leaves) {
      const auto best = std::ranges::max_element(
          leaves, [](const Leaf& a, const Leaf& b) { return a.split.gain < b.split.gain; });
      if (best->split.column < 0) break;
      leaves.push_back(divide(*best, terms, forest));
    }
    for (const Leaf& leaf : leaves) {
      forest.value[leaf.node] =
          -options_.learning_rate * leaf.total.slope / (leaf.total.curvature + options_.damping);
    }
  }

  /// The value of the last tree for a row: as tree_value(), by bins, which are far less to read.
  [[nodiscard]] double value(const Forest& forest, Index row) const {
    std::int32_t at = first_node_;
    while (forest.column[at] >= 0) {
      const std::uint8_t code = rows_.codes(forest.column[at])[row];
      const bool right = code > bins_[at - first_node_];
      at = forest.next[at] + (right ? 1 : 0);
    }
    return forest.value[at];
  }

 private:
  std::int32_t new_node(Forest& forest) {
    bins_.push_back(0);
    forest.column.push_back(-1);
    forest.next.push_back(-1);
    forest.threshold.push_back(0);
    forest.value.push_back(0);
    return static_cast<std::int32_t>(forest.column.size()) - 1;
  }

  [[nodiscard]] Histogram histogram_of(const std::vector<std::uint32_t>& used,
                                       const std::vector<Sums>& terms) const {
    Histogram histogram(columns_.size() * most_bins);
    constexpr std::size_t worth_threads = 200000;
    const bool few = used.size() * columns_.size() < worth_threads;
    const Index threads = few ? 1 : options_.threads, count = std::ssize(columns_);
    // Some columns each; the terms of a few thousand rows stay near while these are gone through.
    parallel_for(threads, static_cast<int>(threads), [&](Index part, int) {
      constexpr std::size_t near = 2048;
      for (std::size_t first = 0; first < used.size(); first += near) {
        throw_if_stopped();
        const std::size_t end = std::min(used.size(), first + near);
        for (Index c = part * count / threads; c < (part + 1) * count / threads; ++c) {
          const auto& codes = rows_.codes(columns_[c]);
          Sums* bins = histogram.data() + c * most_bins;
          for (std::size_t e = first; e < end; ++e) bins[codes[used[e]]].add(terms[used[e]]);
        }
      }
    });
    return histogram;
  }

  [[nodiscard]] double score(const Sums& sums) const {
    return sums.slope * sums.slope / (sums.curvature + options_.damping);
  }

  [[nodiscard]] Split best_split(const Leaf& leaf) const {
    Split best;
    const double whole = score(leaf.total);
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const Sums* bins = leaf.histogram.data() + c * most_bins;
      Sums left;
      for (std::size_t b = 0; b < rows_.cuts(columns_[c]).size(); ++b) {
        left.add(bins[b]);
        Sums right = leaf.total;
        right.add(left, -1);
        if (left.weight < options_.least_weight || right.weight < options_.least_weight) continue;
        const double gain = score(left) + score(right) - whole;
        if (gain > best.gain + 1e-9) best = {gain, columns_[c], b};
      }
    }
    return best;
  }

  /// Makes the leaf its left child and returns the right one.
  Leaf divide(Leaf& leaf, const std::vector<Sums>& terms, Forest& forest) {
    const auto& [gain, column, bin] = leaf.split;
    const std::size_t parent = leaf.node;
    const std::int32_t left = new_node(forest), right = new_node(forest);
    forest.column[parent] = static_cast<std::int32_t>(column);
    forest.threshold[parent] = rows_.cuts(column)[bin];
    bins_[parent - first_node_] = static_cast<std::uint8_t>(bin);
    forest.next[parent] = left;
    const auto& codes = rows_.codes(column);
    std::vector<std::uint32_t> below, above;
    for (const std::uint32_t r : leaf.rows) (codes[r] <= bin ? below : above).push_back(r);

    // The smaller half is summed, the larger one is what is left.
    const bool below_is_less = below.size() <= above.size();
    Leaf other;
    other.histogram = histogram_of(below_is_less ? below : above, terms);
    for (std::size_t e = 0; e < leaf.histogram.size(); ++e) {
      leaf.histogram[e].add(other.histogram[e], -1);
    }
    for (const std::uint32_t r : above) other.total.add(terms[r]);
    leaf.total.add(other.total, -1);
    if (below_is_less) std::swap(leaf.histogram, other.histogram);
    leaf.rows = std::move(below);
    other.rows = std::move(above);
    leaf.node = left;
    other.node = right;
    leaf.split = best_split(leaf);
    other.split = best_split(other);
    return other;
  }

  const BinnedRows& rows_;
  const Boosting& options_;
  // The last tree: columns that it may read, its first node, and the bins at its nodes.
  std::vector<Index> columns_;
  std::int32_t first_node_ = 0;
  std::vector<std::uint8_t> bins_;
};

/// Each with that probability, one at least.
std::vector<Index> some_columns(Index count, double share, Random& random) {
  std::vector<Index> columns;
  for (Index c = 0; c < count; ++c) {
    if (random.uniform() < share) columns.push_back(c);
  }
  if (columns.empty() && count > 0) {
    columns.push_back(static_cast<Index>(random.below(static_cast<std::uint64_t>(count))));
  }
  return columns;
}

double tree_value(const Forest& forest, std::int32_t node, const double* row) {
  std::int32_t at = node;
  while (forest.column[at] >= 0) {
    const bool right = !(row[forest.column[at]] <= forest.threshold[at]);
    at = forest.next[at] + (right ? 1 : 0);
  }
  return forest.value[at];
}

double loss(double logit, double share) {  // -y log p - (1 - y) log(1 - p)
  return std::log1p(std::exp(-std::abs(logit))) + std::max(logit, 0.0) - share * logit;
}

struct Fit {
  Forest forest;
  Vector logits;  // of all rows
  int rounds = 0;
};

/// Boosts on the rows that are used; stops some rounds after the loss of the others was least.
Fit boost(const LabelledRows& data, const BinnedRows& binned, const Vector& weights,
          const Boosting& options, bool use_all) {
  constexpr int patience = 40;
  const Index count = data.rows.rows();
  std::vector<std::uint32_t> used, aside, bag;
  for (Index r = 0; r < count; ++r) {
    const bool kept = !use_all && data.aside[r];
    (kept ? aside : used).push_back(static_cast<std::uint32_t>(r));
  }
  double edges = 1, pairs = 2;  // one of two, so that no logit is infinite
  for (const std::uint32_t r : used) {
    edges += weights[r] * data.shares[r];
    pairs += weights[r];
  }
  Fit fit{.forest = {.columns = data.rows.cols(), .offset = std::log(edges / (pairs - edges))},
          .logits = Vector::Constant(count, std::log(edges / (pairs - edges)))};
  TreeGrower grower(binned, options);
  std::vector<Sums> terms(count);
  double least = std::numeric_limits<double>::infinity();
  Vector best_logits = fit.logits;
  for (int round = 1; round <= options.rounds; ++round) {
    // Some of the rows and columns, others each time: quicker, and trees agree less on chance.
    Random random(0xf07e57, static_cast<std::uint64_t>(round));
    const auto columns = some_columns(binned.columns(), options.columns, random);
    bag.clear();
    for (const std::uint32_t r : used) {
      if (random.uniform() >= bagged_share) continue;
      const double p = probability(fit.logits[r]);
      terms[r] = {weights[r] * (p - data.shares[r]), weights[r] * p * (1 - p), weights[r]};
      bag.push_back(r);
    }
    grower.grow(bag, terms, columns, fit.forest);
    if (options.on_tree) options.on_tree();
    parallel_for(block_count(count), options.threads, [&](Index block, int) {
      const Index end = std::min(count, (block + 1) * block_rows);
      for (Index r = block * block_rows; r < end; ++r) {
        const double moved = fit.logits[r] + grower.value(fit.forest, r);
        fit.logits[r] = std::clamp(moved, -largest_logit, largest_logit);
      }
    });
    if (aside.empty()) {
      fit.rounds = round;
      continue;
    }
    double now = 0;
    for (const std::uint32_t r : aside) now += weights[r] * loss(fit.logits[r], data.shares[r]);
    if (now < least) {
      least = now;
      fit.rounds = round;
      best_logits = fit.logits;
    }
    if (round - fit.rounds >= patience) break;
  }
  if (!aside.empty()) fit.logits = best_logits;
  return fit;
}

}  // namespace

Grown grow_forest(const LabelledRows& data, const Boosting& options) {
  const double mean = data.weights.mean();
  const Vector weights = data.weights / (mean > 0 ? mean : 1.0);
  const BinnedRows binned(data.rows);
  const bool has_aside = std::ranges::find(data.aside, true) != data.aside.end();
  if (!has_aside) return {boost(data, binned, weights, options, true).forest, {}};
  const Fit trial = boost(data, binned, weights, options, false);
  Boosting all = options;
  all.rounds = std::max(1, trial.rounds);
  Grown grown{boost(data, binned, weights, all, true).forest, {}};
  std::vector<double> kept;
  for (std::size_t r = 0; r < data.aside.size(); ++r) {
    if (data.aside[r]) kept.push_back(trial.logits[static_cast<Index>(r)]);
  }
  grown.predictions = Eigen::Map<const Vector>(kept.data(), std::ssize(kept));
  return grown;
}

double logit(const Forest& forest, const double* row) {
  double sum = forest.offset;
  for (const std::int32_t root : forest.roots) sum += tree_value(forest, root, row);
  return std::clamp(sum, -largest_logit, largest_logit);
}

PackedForest::PackedForest(const Forest& forest) : forest_(forest) {
  for (const std::int32_t root : forest.roots) {
    const std::size_t first_leaf = leaves_.size();
    packed_ = packed_ && add_node(root, first_leaf);
    trees_.push_back({tests_.size(), first_leaf});
  }
}

bool PackedForest::add_node(std::size_t node, std::size_t first_leaf) {
  if (forest_.column[node] < 0) {
    leaves_.push_back(forest_.value[node]);
    return leaves_.size() - first_leaf <= most_packed_leaves;
  }
  const std::size_t next = forest_.next[node];
  const std::size_t from = leaves_.size() - first_leaf;
  if (!add_node(next, first_leaf)) return false;
  const std::size_t to = leaves_.size() - first_leaf;
  if (to == most_packed_leaves) return false;  // there are some on the right, too
  const std::uint64_t on_left = ((std::uint64_t{1} << (to - from)) - 1) << from;
  tests_.push_back({forest_.threshold[node], forest_.column[node], ~on_left});
  return add_node(next + 1, first_leaf);
}

Vector PackedForest::logits(const Matrix& rows) const {
  const Index count = rows.rows();
  Vector sums;
  if (packed_) {
    const Index stride = (count + forest_lanes - 1) / forest_lanes * forest_lanes;
    Matrix columns = Matrix::Zero(forest_.columns, stride);
    columns.leftCols(count) = rows.transpose();
    sums = Vector::Constant(stride, forest_.offset);
    add_trees({tests_, trees_, leaves_.data(), columns.data(), stride, sums.data()});
    sums.conservativeResize(count);
  } else {
    sums.resize(count);
    for (Index r = 0; r < count; ++r) sums[r] = logit(forest_, rows.row(r).data());
  }
  return sums.cwiseMax(-largest_logit).cwiseMin(largest_logit);
}

}  // namespace srgw::detail
