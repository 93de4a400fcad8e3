// SPDX-License-Identifier: MIT
#include "solve/problem_loss.hpp"

#include <cmath>

#include "structure/entries.hpp"

namespace srgw::detail {

namespace {

// Below the square root of the penalty: its slope at 0 is large, not infinite.
constexpr double penalty_guard = 1e-15;

double square(double a) { return a * a; }
double entropy(double a) { return a * std::log(a + kl_guard) - a; }

template <class F>
double form(const Structure& C, VectorView x, const F& f) {
  double sum = 0;
  for_each_entry(C, [&](Index i, Index j, double entry) { sum += x[i] * (f(entry) * x[j]); });
  return sum;
}

template <class F>
Vector form_gradient(const Structure& C, VectorView x, const F& f) {
  Vector result = Vector::Zero(x.size());
  for_each_entry(C, [&](Index i, Index j, double entry) {
    result[i] += f(entry) * x[j];
    result[j] += f(entry) * x[i];
  });
  return result;
}

}  // namespace

SquareForm source_constant(Loss loss, const Structure& C, VectorView h, int threads) {
  if (loss == Loss::square) return C.square_form_estimate(h, threads);
  return {.value = form(C, h, entropy)};
}

Vector source_constant_gradient(Loss loss, const Structure& C, VectorView h) {
  return loss == Loss::square ? form_gradient(C, h, square) : form_gradient(C, h, entropy);
}

double target_form(Loss loss, const Structure& Cbar, VectorView q) {
  return loss == Loss::square ? Cbar.square_form(q) : q.dot(Cbar.product(q));
}

Vector target_form_gradient(Loss loss, const Structure& Cbar, VectorView q) {
  if (loss == Loss::square) return form_gradient(Cbar, q, square);
  return Cbar.product(q) + Cbar.transposed_product(q);
}

Structure cross_target(Loss loss, const Structure& Cbar) {
  if (loss == Loss::square) return Cbar;
  return Structure::dense(0.5 * (Cbar.dense().array() + kl_guard).log().matrix(), Cbar.symmetric());
}

Vector penalty_gradient(double sparsity, VectorView q) {
  return 0.5 * sparsity * (q.array() + penalty_guard).rsqrt();
}

double penalty(double sparsity, VectorView q) {
  return sparsity == 0 ? 0.0 : sparsity * (q.array() + penalty_guard).sqrt().sum();
}

}  // namespace srgw::detail
