// SPDX-License-Identifier: MIT
#include <cmath>

#include "base/message.hpp"
#include "graph/csr_build.hpp"
#include "graph/csr_rows.hpp"
#include "srgw/transform.hpp"
#include "structure/transforms/degrees.hpp"
#include "structure/transforms/walk.hpp"

namespace srgw {

namespace {

using namespace detail;

/// diag(x) - diag(scale) A diag(scale); an empty scale stands for ones.
Csr diagonal_less(const Vector& x, const Csr& A, const Vector& scale) {
  CsrBuilder diagonal(x.size(), x.size());
  for (Index i = 0; i < x.size(); ++i) diagonal.add(i, i, x[i]);
  return unite(std::move(diagonal).finish(x.size()), A, [&](const EntryPair& pair) {
    const double a = pair.second.value_or(0);
    // In this order of the factors the result is symmetric to the last bit.
    const double scaled = scale.size() == 0 ? a : a * (scale[pair.row] * scale[pair.column]);
    return pair.first.value_or(0) - scaled;
  });
}

}  // namespace

Source laplacian(const Graph& graph) {
  check_undirected(graph, "laplacian");
  const Csr& A = graph.adjacency();
  return {Structure::csr(diagonal_less(row_sums(A), A, {}), true), uniform_weights(graph.nodes())};
}

Source normalized_laplacian(const Graph& graph) {
  const Walk walk = undirected_walk(graph, "normalized laplacian");
  const Vector ones = Vector::Ones(graph.nodes());
  return {Structure::csr(diagonal_less(ones, walk.entries, walk.scale), true),
          uniform_weights(graph.nodes())};
}

Source directed_laplacian(const Graph& graph, int threads) {
  check_dense_size(graph.nodes(), "directed laplacian",
                   "its heat kernel has an implicit form, implicit_heat_kernel");
  Matrix L = -dense_walk(directed_walk(graph, "directed laplacian", threads).walk);
  L.diagonal().array() += 1;
  return {Structure::dense(std::move(L), true), uniform_weights(graph.nodes())};
}

}  // namespace srgw
