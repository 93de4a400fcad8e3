// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kernels/source_rows.hpp"
#include "solve/objective.hpp"
#include "solve/vertex.hpp"
#include "transport/basis.hpp"

namespace srgw::detail {

/// The products Y = (C T R' + C'T R)/2 of an objective, as n rows of `stride` doubles. The left
/// scaling of C is kept apart (row_scale), the right one is folded into the masses. Nothing is
/// multiplied as a whole: a row T_j is turned into z = T_j R, which is added to the rows of j's
/// neighbours; or, for vertices, C X is kept (an addition for each edge of a changed row) and
/// multiplied by the few rows of R in use.
class CrossProducts {
 public:
  /// The objective must outlive the products.
  void prepare(const Objective& objective, Index stride, int threads);

  /// s_i, with which row i of Y is to be multiplied; null: ones.
  [[nodiscard]] const double* row_scale() const {
    return row_scale_.empty() ? nullptr : row_scale_.data();
  }
  [[nodiscard]] double row_scale(Index i) const { return row_scale_.empty() ? 1.0 : row_scale_[i]; }

  /// Where a direction's Y_ik is `mass` R_kk times a number of neighbours: the rows to count in.
  struct Counting {
    SourceRows source;
    double mass = 0;
  };
  [[nodiscard]] std::optional<Counting> counting() const;

  /// No |s_i Y_ik| of any plan is larger.
  [[nodiscard]] double largest_product();

  /// Y of the plan h r', which takes one product of C with a vector; returns <h r', Y>.
  double of_product(std::span<const double> shares, std::vector<double>& y);
  /// Y += what row j contributes when T_j grows by `row` (m entries).
  void add(Index j, std::span<const double> row, std::vector<double>& y);
  /// Y of any plan, given as rows of m masses that begin every `row_stride` numbers. Afterwards
  /// update() needs a new of_vertex().
  void of_rows(std::span<const double> rows, Index row_stride, std::vector<double>& y);
  /// Y of a plan with few entries, given as a list of them. The same holds for update().
  void of_flows(std::span<const TransportBasis::Flow> flows, std::vector<double>& y);
  /// Y of a vertex, from scratch; what update() starts from.
  void of_vertex(const Vertex& vertex, std::vector<double>& y);
  /// Y of the vertex `to` from that of `from`, which differ in the rows `changed`.
  void update(const Vertex& from, const Vertex& to, std::span<const NodeId> changed,
              std::vector<double>& y);
  /// <X, Y> of a vertex, from the entries of C alone.
  [[nodiscard]] double vertex_form(const Vertex& vertex) const;

 private:
  // Y is a sum of one term (symmetric) or two: z = factor T_j target goes to the rows in source row
  // j.
  struct Term {
    SourceRows source;
    const Matrix* target = nullptr;  // null: the diagonal R
    double factor = 1;
    std::vector<double> padded_target;  // its rows, `stride` long
    std::vector<double> columns;        // (C X)', one contiguous row for each column of X
  };

  // How Y of a vertex is made: chosen once, for the source and the target.
  enum class Strategy : std::uint8_t {
    whole,    // the source has no rows: one product with X R'
    entries,  // sparse source, diagonal target: entries of C go to Y directly
    rows,     // few neighbours: rows of R are added to the rows of neighbours
    columns,  // C X is kept and multiplied by R, or rows are pushed where few changed
  };

  void sum_flow_columns(Term& term, std::span<const TransportBasis::Flow> flows) const;
  void multiply_flows(const Term& term, std::span<const TransportBasis::Flow> flows);
  void multiply_sources(std::size_t t, std::vector<double>& y);
  void prepare_scaling(const StructureStorage& source);
  void pad_target(Term& term) const;
  [[nodiscard]] bool few_neighbours(const SourceRows& source) const;
  // z += amount * row k of the term's target
  void add_target_row(const Term& term, Index k, double amount, double* z) const;
  void push(const Term& term, Index j, std::vector<double>& y) const;
  template <class Visit>
  void for_each_share(const Vertex* remove, const Vertex* add, Index j, const Visit& visit) const;
  void change_columns(const Vertex* from, const Vertex& to, std::span<const NodeId> changed);
  void change_dense_columns(Term& term, const Vertex* from, const Vertex& to,
                            std::span<const NodeId> changed);
  void change(const Vertex* from, const Vertex& to, std::span<const NodeId> changed,
              std::vector<double>& y);
  void find_used_columns(const Vertex& vertex);
  [[nodiscard]] bool pushing_is_cheaper(std::span<const NodeId> changed) const;
  void push_rows(const Vertex* from, const Vertex& to, std::span<const NodeId> changed,
                 std::vector<double>& y);
  void multiply_columns(std::vector<double>& y);
  [[nodiscard]] std::span<const NodeId> all_rows();

  const Objective* objective_ = nullptr;
  Strategy strategy_ = Strategy::columns;
  Index rows_ = 0, columns_ = 0, stride_ = 0;
  int threads_ = 1;
  std::vector<Term> terms_;
  std::vector<double> row_scale_;
  std::vector<double> mass_;        // right_j h_j
  std::vector<double> mass_share_;  // right_j; empty: ones
  std::vector<double> z_, sum_;     // scratch: a row of `stride`, a number for each row
  std::vector<double> z_rows_;      // scratch: T R', n x stride
  std::vector<NodeId> all_rows_, used_;
  std::vector<char> is_used_;
};

}  // namespace srgw::detail
