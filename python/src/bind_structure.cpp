// SPDX-License-Identifier: MIT
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <cmath>

#include "arrays.hpp"
#include "bindings.hpp"
#include "srgw/structure.hpp"
#include "watch.hpp"

namespace srgw::python {

namespace {

using namespace nb::literals;

// As numpy.allclose(C, C.T, atol=1e-10), the test of POT.
bool nearly_symmetric(const MatrixSpan& matrix) {
  for (Index i = 0; i < matrix.rows(); ++i) {
    for (Index j = 0; j < i; ++j) {
      const double a = matrix(i, j);
      const double b = matrix(j, i);
      if (a == b) continue;
      if (!(std::abs(a - b) <= 1e-10 + 1e-5 * std::min(std::abs(a), std::abs(b)))) return false;
    }
  }
  return true;
}

Structure dense(const Array2& array, std::optional<bool> symmetric) {
  const MatrixSpan matrix = view(array);
  if (!symmetric && matrix.rows() == matrix.cols()) symmetric = nearly_symmetric(matrix);
  return Structure::dense(matrix, symmetric);
}

template <class Offset>
Structure csr(const Array1<Offset>& indptr, const Array1<std::int32_t>& indices,
              const std::optional<Array1<double>>& data, std::optional<bool> symmetric) {
  Csr rows = csr_from_arrays(indptr, indices, data);
  return watched([&] { return Structure::csr(std::move(rows), symmetric); });
}

}  // namespace

void bind_structure(nb::module_& module) {
  nb::class_<Structure>(module, "Structure", "A square matrix: dense, sparse or diagonal.")
      .def_static("dense", &dense, "matrix"_a, "symmetric"_a = nb::none(),
                  "From an (n, n) array; without `symmetric` the entries are compared.")
      .def_static("csr", &csr<std::int32_t>, "indptr"_a, "indices"_a, "data"_a.none(),
                  "symmetric"_a = nb::none(),
                  "From sorted rows without duplicates; data None stands for ones.")
      .def_static("csr", &csr<std::int64_t>, "indptr"_a, "indices"_a, "data"_a.none(),
                  "symmetric"_a = nb::none())
      .def_static(
          "diagonal",
          [](const Array1<double>& entries) { return Structure::diagonal(view(entries)); },
          "entries"_a, "From the (n,) diagonal.")
      .def_prop_ro("size", &Structure::size)
      .def_prop_ro("symmetric", &Structure::symmetric)
      .def_prop_ro("entries", &Structure::entries)
      .def(
          "dense_array",
          [](const Structure& self) { return to_numpy(watched([&] { return self.dense(); })); },
          "The (n, n) array.")
      .def(
          "product",
          [](const Structure& self, const Array1<double>& x) {
            return to_numpy(self.product(view(x)));
          },
          "x"_a, "C x.");
}

}  // namespace srgw::python
