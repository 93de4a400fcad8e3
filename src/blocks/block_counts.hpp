// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "graph/csr_rows.hpp"
#include "srgw/graph.hpp"
#include "srgw/types.hpp"

namespace srgw::detail {

/// ln x! of whole numbers, from a table as far as that goes.
class LogFactorials {
 public:
  explicit LogFactorials(double largest);
  [[nodiscard]] double operator()(double x) const {
    const auto place = static_cast<std::size_t>(x);
    return place < table_.size() ? table_[place] : beyond(x);
  }

 private:
  static double beyond(double x);
  std::vector<double> table_;
};

/// A graph whose edges are counted: without self-loops, with rows in both directions.
struct CountedGraph {
  Csr rows;     ///< from node to node; of undirected graphs both directions
  Csr columns;  ///< of directed graphs, by target; else empty
  bool directed = false;
  double edges = 0;  ///< counts in all
  Vector out, in;    ///< degrees; `in` of directed graphs
  double terms = 0;  ///< sum of ln A_ij! over edges
  std::shared_ptr<const LogFactorials> factorials;

  [[nodiscard]] std::size_t nodes() const { return static_cast<std::size_t>(rows.rows()); }
};
/// Throws for weights that are no counts.
[[nodiscard]] CountedGraph count_edges(const Graph& graph);

/// Edge counts between blocks, and the description length of the graph by them: Peixoto,
/// "Nonparametric Bayesian inference of the microcanonical stochastic block model" (2017), with
/// uniform priors. Blocks are never empty.
class BlockCounts {
 public:
  BlockCounts(const CountedGraph& graph, const Assignment& labels, std::size_t count,
              bool degree_corrected);

  [[nodiscard]] std::size_t count() const { return sizes_.size(); }
  [[nodiscard]] bool may_leave(std::size_t r) const { return sizes_[r] > 1; }
  [[nodiscard]] double length() const;
  /// Edges from block r to block s; of undirected graphs, those inside once.
  [[nodiscard]] double edges(std::size_t r, std::size_t s) const {
    return counts_(static_cast<Index>(r), static_cast<Index>(s));
  }
  [[nodiscard]] const std::vector<double>& sizes() const { return sizes_; }

  /// Counts from a node to blocks, and of directed graphs from blocks to it.
  class Links {
   public:
    explicit Links(std::size_t count) : out_(count, 0), in_(count, 0), seen_(count, 0) {}
    void gather(const CountedGraph& graph, const Assignment& labels, std::size_t i);

   private:
    friend class BlockCounts;
    std::vector<double> out_, in_;
    std::vector<char> seen_;
    std::vector<NodeId> touched_;
    double degree_out_ = 0, degree_in_ = 0;
  };

  /// By how much the description gets longer if a node with these links goes from r to s.
  [[nodiscard]] double cost_of_move(std::size_t r, std::size_t s, const Links& links) const;
  void move(std::size_t r, std::size_t s, const Links& links);
  /// By how much it gets longer if s joins r, without the terms of the number of blocks alone.
  [[nodiscard]] double cost_of_merge(std::size_t r, std::size_t s) const;

 private:
  [[nodiscard]] double log_factorial_of(double x) const { return (*factorials_)(x); }
  /// Terms of the counts of a pair of different blocks, and of a block with itself.
  [[nodiscard]] double between(double e) const { return -log_factorial_of(e); }
  [[nodiscard]] double inside(double e) const;
  /// Terms of a block: n nodes that have `out` and `in` ends.
  [[nodiscard]] double block(double n, double out, double in) const;

  const CountedGraph& graph_;
  const LogFactorials* factorials_;
  bool directed_, degree_corrected_;
  Matrix counts_;
  std::vector<double> sizes_, out_, in_;
};

}  // namespace srgw::detail
