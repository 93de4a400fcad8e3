// SPDX-License-Identifier: MIT
//
// NumPy arrays as the library's views, and its values as NumPy arrays.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "srgw/graph.hpp"
#include "srgw/types.hpp"

namespace srgw::python {

namespace nb = nanobind;

template <class T>
using Array1 = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Array2 = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T>
using Output1 = nb::ndarray<nb::numpy, T, nb::ndim<1>>;
using Output2 = nb::ndarray<nb::numpy, double, nb::ndim<2>>;

inline VectorSpan view(const Array1<double>& array) {
  return {array.data(), static_cast<Index>(array.shape(0))};
}

inline MatrixSpan view(const Array2& array) {
  return {array.data(), static_cast<Index>(array.shape(0)), static_cast<Index>(array.shape(1))};
}

template <class T>
std::span<const T> span(const Array1<T>& array) {
  return {array.data(), array.shape(0)};
}

/// A value of the library, moved to where NumPy frees it.
template <class Value>
std::pair<Value*, nb::capsule> keep(Value value) {
  auto owned = std::make_unique<Value>(std::move(value));
  nb::capsule capsule(owned.get(), [](void* kept) noexcept { delete static_cast<Value*>(kept); });
  return {owned.release(), std::move(capsule)};
}

inline Output2 to_numpy(Matrix matrix) {
  const auto [kept, owner] = keep(std::move(matrix));
  return Output2(kept->data(),
                 {static_cast<std::size_t>(kept->rows()), static_cast<std::size_t>(kept->cols())},
                 owner);
}

inline Output1<double> to_numpy(Vector vector) {
  const auto [kept, owner] = keep(std::move(vector));
  return Output1<double>(kept->data(), {static_cast<std::size_t>(kept->size())}, owner);
}

template <class T>
Output1<T> to_numpy(std::vector<T> values) {
  const auto [kept, owner] = keep(std::move(values));
  return Output1<T>(kept->data(), {kept->size()}, owner);
}

/// For properties: a member as an array.
template <class Class, class Value>
auto array_of(Value Class::*member) {
  return [member](const Class& self) { return to_numpy(self.*member); };
}

/// A shared array looked at from Python: read-only, nothing is copied.
template <class T>
Output1<const T> to_numpy(const SharedArray<T>& array) {
  const auto [kept, owner] = keep(SharedArray<T>(array));
  return Output1<const T>(kept->data(), {kept->size()}, owner);
}

/// Rows as SciPy has them. Without data all entries are 1. They are copied: the caller may change
/// the arrays after they were checked.
template <class Offset>
Csr csr_from_arrays(const Array1<Offset>& indptr, const Array1<std::int32_t>& indices,
                    const std::optional<Array1<double>>& data) {
  const auto copy = []<class T>(T, const auto& array) {
    return std::vector<T>(array.data(), array.data() + array.shape(0));
  };
  return {.offsets = copy(std::make_unsigned_t<Offset>(), indptr),
          .columns = copy(NodeId(), indices),
          .values = data ? copy(double(), *data) : std::vector<double>{}};
}

}  // namespace srgw::python
