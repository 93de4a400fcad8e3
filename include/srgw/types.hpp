// SPDX-License-Identifier: MIT
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace srgw {

/// Sizes and positions. Signed, as Eigen has it.
using Index = Eigen::Index;

/// A node of a graph, or a column of a target, where many are stored.
using NodeId = std::uint32_t;

/// Row-major everywhere: the linear step is a minimum over a row, and NumPy arrays map without a
/// copy.
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;

/// Arguments: anything that is or can be made such an array, looked at for the length of a call.
using MatrixView = Eigen::Ref<const Matrix, 0, Eigen::OuterStride<>>;
using VectorView = Eigen::Ref<const Vector>;

/// A field that looks at a vector somebody else keeps; copies look at the same memory. Temporaries
/// and expressions do not convert: they would be gone before the field is read.
class VectorSpan : public Eigen::Map<const Vector> {
  using Base = Eigen::Map<const Vector>;

 public:
  VectorSpan(const double* data, Index size) : Base(data, size) {}
  VectorSpan(const Vector& vector) : Base(vector.data(), vector.size()) {}  // NOLINT
  VectorSpan(const VectorView& view) : Base(view.data(), view.size()) {}    // NOLINT
  VectorSpan(Vector&&) = delete;
};

/// The same for a row-major matrix.
class MatrixSpan : public Eigen::Map<const Matrix, 0, Eigen::OuterStride<>> {
  using Base = Eigen::Map<const Matrix, 0, Eigen::OuterStride<>>;

 public:
  MatrixSpan(const double* data, Index rows, Index columns)
      : Base(data, rows, columns, Eigen::OuterStride<>(columns)) {}
  MatrixSpan(const Matrix& matrix)  // NOLINT
      : MatrixSpan(matrix.data(), matrix.rows(), matrix.cols()) {}
  MatrixSpan(Matrix&&) = delete;
};

/// One target node for each source node: the labels of a partition.
using Assignment = std::vector<NodeId>;

/// An immutable array that is shared, not copied: it may own a vector or look into memory that
/// somebody else keeps alive (a mapped file, a NumPy array).
template <class T>
class SharedArray {
 public:
  SharedArray() = default;
  SharedArray(
      std::vector<T> values)  // NOLINT(google-explicit-constructor): a vector is one already
      : SharedArray(std::make_shared<const std::vector<T>>(std::move(values))) {}
  SharedArray(std::span<const T> view, std::shared_ptr<const void> owner)
      : view_(view), owner_(std::move(owner)) {}

  [[nodiscard]] std::span<const T> view() const { return view_; }
  [[nodiscard]] const T* data() const { return view_.data(); }
  [[nodiscard]] std::size_t size() const { return view_.size(); }
  [[nodiscard]] bool empty() const { return view_.empty(); }
  const T& operator[](std::size_t i) const { return view_[i]; }
  [[nodiscard]] auto begin() const { return view_.begin(); }
  [[nodiscard]] auto end() const { return view_.end(); }

 private:
  explicit SharedArray(std::shared_ptr<const std::vector<T>> owner)
      : view_(*owner), owner_(std::move(owner)) {}

  std::span<const T> view_;
  std::shared_ptr<const void> owner_;
};

}  // namespace srgw
