// SPDX-License-Identifier: MIT
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

// Vectors go from the caller to the library and back, so both must free what the other has
// allocated: with malloc and free, whatever instructions or sanitizers each is compiled for.
static_assert(EIGEN_MAX_ALIGN_BYTES == 16 && EIGEN_MALLOC_ALREADY_ALIGNED,
              "srgw needs EIGEN_MAX_ALIGN_BYTES=16 and EIGEN_MALLOC_ALREADY_ALIGNED=1 in all files "
              "of a program; srgw::srgw of CMake and srgw of pkg-config define them");

namespace srgw {

/// The one exception of the library. The message says where, what was found and what was expected.
/// Not converging is no error: it is a Status.
class Error : public std::runtime_error {
 public:
  enum class Kind {
    argument,  ///< the caller gave a value that makes no sense
    format,    ///< the content of a file is malformed
    io,        ///< a file cannot be read or written
    resource,  ///< memory or another limit does not suffice
    stopped,   ///< a time limit or a cancellation came before there was a result
  };

  Error(Kind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}

  [[nodiscard]] Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

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

/// An array as a field of a struct. It looks at the variable it is made from, which must outlive
/// it; temporaries, expressions and other layouts go into memory of its own, which copies share.
template <class Plain, class Base>
class Span : public Base {
  static constexpr bool is_vector = Plain::IsVectorAtCompileTime;

 public:
  Span(const double* data, Index size) requires(is_vector) : Base(data, size) {}
  Span(const double* data, Index rows, Index columns) requires(!is_vector)
      : Base(data, rows, columns, Eigen::OuterStride<>(columns)) {}
  // NOLINTBEGIN(google-explicit-constructor): all that holds such numbers is welcome
  Span(const Plain& vector) requires(is_vector) : Base(vector.data(), vector.size()) {}
  Span(const Plain& matrix) requires(!is_vector)
      : Span(matrix.data(), matrix.rows(), matrix.cols()) {}
  Span(Plain&& values) : Span(std::make_shared<const Plain>(std::move(values))) {}
  Span(const VectorView& view) requires(is_vector) : Base(view.data(), view.size()) {}
  Span(VectorView&& view) requires(is_vector) : Span(Plain(view)) {}
  Span(const std::vector<double>& values) requires(is_vector)
      : Base(values.data(), std::ssize(values)) {}
  Span(std::vector<double>&& values) requires(is_vector)
      : Span(std::make_shared<const std::vector<double>>(std::move(values))) {}
  template <class Expression>
  Span(const Eigen::DenseBase<Expression>& values)
      : Span(std::make_shared<const Plain>(values.derived())) {}
  // NOLINTEND(google-explicit-constructor)
  Span(const Span&) = default;
  Span& operator=(const Span& other) {  // looks at what the other looks at; Eigen's copies numbers
    if (this == &other) return *this;
    new (static_cast<Base*>(this)) Base(other);
    owner_ = other.owner_;
    return *this;
  }

 private:
  template <class Owner>
  explicit Span(std::shared_ptr<const Owner> owner) : Span(*owner) {
    owner_ = std::move(owner);
  }
  std::shared_ptr<const void> owner_;
};
using VectorSpan = Span<Vector, Eigen::Map<const Vector>>;
using MatrixSpan = Span<Matrix, Eigen::Map<const Matrix, 0, Eigen::OuterStride<>>>;

/// One target node for each source node: the labels of a partition.
using Assignment = std::vector<NodeId>;

/// A row and a column of a plan: a source node and a target node.
struct NodePair {
  Index row = 0, column = 0;
};

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
