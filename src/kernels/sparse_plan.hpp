// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "base/parallel.hpp"
#include "srgw/types.hpp"

namespace srgw::detail {

/// A plan in which most rows have one column. All steps of conditional gradient share one length,
/// so a plan is a sum of a few assignments ("layers") with global weights; rows that need more have
/// a list of their own. At a million nodes a layer is a megabyte or two and stays in the cache,
/// where an n x m array would not.
template <class Label>
class SparsePlan {
 public:
  static constexpr std::size_t most_layers = 8;

  struct Share {
    NodeId column = 0;
    double fraction = 0;  ///< of the row's weight
  };

  /// Makes a plan of one layer and no lists; labels are left as they are.
  void resize(Index rows, Index columns) {
    listed_ = static_cast<Label>(columns);
    layers_[0].resize(rows);
    lists_.resize(block_count(rows));
    reset();
  }
  void reset() {
    for (List& list : lists_) {
      list.ranges.clear();
      list.shares.clear();
    }
    layer_weights_.assign(1, 1.0);
    has_lists_ = false;
  }

  [[nodiscard]] Index rows() const { return static_cast<Index>(layers_[0].size()); }
  [[nodiscard]] std::size_t layers() const { return layer_weights_.size(); }
  [[nodiscard]] const Label* layer(std::size_t l) const { return layers_[l].data(); }
  [[nodiscard]] double layer_weight(std::size_t l) const { return layer_weights_[l]; }
  [[nodiscard]] Label label(Index row) const { return layers_[0][row]; }
  [[nodiscard]] bool has_lists() const { return has_lists_; }
  [[nodiscard]] bool is_listed(Index row) const { return label(row) == listed_; }
  /// The label, in all layers, of rows that have a list: one past the last column, so that a loop
  /// over labels may count it like any other.
  [[nodiscard]] Label listed() const { return listed_; }

  /// The labels of the first layer, to be written where there is no other.
  [[nodiscard]] std::span<Label> labels() { return layers_[0]; }

  /// Whether the row is on one column, label(row).
  [[nodiscard]] bool is_single(Index row) const {
    const std::size_t i = row;
    const Label first = layers_[0][i];
    for (std::size_t l = 1; l < layers(); ++l) {
      if (layers_[l][i] != first) return false;
    }
    return first != listed_;
  }
  /// Whether both plans have the row on the same single column.
  [[nodiscard]] bool same_single(const SparsePlan& other, Index row) const {
    return label(row) == other.label(row) && is_single(row) && other.is_single(row);
  }

  [[nodiscard]] std::span<const Share> list(Index row) const {
    const List& list = lists_[row / block_rows];
    const Range range = list.ranges[slots_[row]];
    return {list.shares.data() + range.begin, range.count};
  }

  /// Calls `visit(column, fraction)` for what a row has; a column may come twice.
  template <class Visit>
  void for_each_share(Index row, const Visit& visit) const {
    if (is_listed(row)) {
      for (const Share& share : list(row)) visit(share.column, share.fraction);
      return;
    }
    for (std::size_t l = 0; l < layers(); ++l) {
      visit(static_cast<NodeId>(layers_[l][row]), layer_weights_[l]);
    }
  }

  /// The shares of a row, each column once, ascending.
  void collect(Index row, std::vector<Share>& shares) const {
    shares.clear();
    for_each_share(row, [&](NodeId k, double fraction) { add_share(shares, k, fraction); });
  }
  static void add_share(std::vector<Share>& shares, NodeId column, double fraction) {
    const auto place = std::ranges::lower_bound(shares, column, {}, &Share::column);
    if (place != shares.end() && place->column == column) {
      place->fraction += fraction;
    } else {
      shares.insert(place, {column, fraction});
    }
  }

  /// Puts a row on one column; not for a plan of several layers.
  void set_label(Index row, Label label) { layers_[0][row] = label; }

  /// Gives a row a list, columns ascending and each once. Rows of different blocks may be set at
  /// once by different threads, between prepare_lists() and settle_lists().
  void set_list(Index row, std::span<const Share> shares) {
    List& list = lists_[row / block_rows];
    slots_[row] = static_cast<std::uint32_t>(list.ranges.size());
    list.ranges.push_back({static_cast<std::uint32_t>(list.shares.size()),
                           static_cast<std::uint32_t>(shares.size())});
    list.shares.insert(list.shares.end(), shares.begin(), shares.end());
    set_label(row, listed_);
  }
  /// set_list() for a row that may have a list: one of equal length is written over it.
  void replace_list(Index row, std::span<const Share> shares) {
    if (is_listed(row)) {
      List& list = lists_[row / block_rows];
      const Range range = list.ranges[slots_[row]];
      if (range.count == shares.size()) {
        std::ranges::copy(shares, list.shares.begin() + range.begin);
        return;
      }
    }
    set_list(row, shares);
  }
  /// The one or the other.
  void set_row(Index row, std::span<const Share> shares) {
    if (shares.size() == 1) {
      set_label(row, static_cast<Label>(shares[0].column));
    } else {
      set_list(row, shares);
    }
  }
  void prepare_lists() { slots_.resize(layers_[0].size()); }
  void settle_lists() {
    has_lists_ = std::ranges::any_of(lists_, [](const List& list) { return !list.ranges.empty(); });
  }

  /// T <- (1 - gamma) T + gamma X by one more layer; rows with a list in T or X get a new one.
  void add_layer(double gamma, const SparsePlan& x) {
    std::vector<Share> shares;
    if (has_lists_ || x.has_lists_) prepare_lists();
    layers_[layers()] = x.layers_[0];
    if (has_lists_ || x.has_lists_) {
      for (Index i = 0; i < rows(); ++i) {
        if (!is_listed(i) && !x.is_listed(i)) continue;
        blend_row(i, gamma, x, shares);
        replace_list(i, shares);
        for (std::size_t l = 1; l <= layers(); ++l) layers_[l][i] = listed_;
      }
      has_lists_ = true;
    }
    for (double& weight : layer_weights_) weight *= 1 - gamma;
    layer_weights_.push_back(gamma);
  }
  /// The shares of row i of (1 - gamma) T + gamma X.
  void blend_row(Index row, double gamma, const SparsePlan& x, std::vector<Share>& shares) const {
    constexpr double negligible = 1e-15;
    collect(row, shares);
    for (Share& share : shares) share.fraction *= 1 - gamma;
    x.for_each_share(row, [&](NodeId k, double f) { add_share(shares, k, gamma * f); });
    std::erase_if(shares, [](const Share& share) { return share.fraction < negligible; });
  }

 private:
  struct Range {
    std::uint32_t begin = 0, count = 0;
  };
  struct List {  // of one block of rows
    std::vector<Range> ranges;
    std::vector<Share> shares;
  };

  std::array<std::vector<Label>, most_layers> layers_;
  std::vector<double> layer_weights_{1.0};
  Label listed_ = 0;
  std::vector<std::uint32_t> slots_;  // where a listed row's range is in its block
  std::vector<List> lists_;
  bool has_lists_ = false;
};

}  // namespace srgw::detail
