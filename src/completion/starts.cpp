// SPDX-License-Identifier: MIT
#include "completion/starts.hpp"

#include <algorithm>
#include <array>

#include "base/message.hpp"
#include "base/random.hpp"
#include "base/stop.hpp"

namespace srgw {

namespace {

constexpr double noise_deviation = 0.01;
constexpr std::array<CompletionStartName, 4> known_starts{
    {{CompletionStart::noise, "noise", "1/2 with normal noise"},
     {CompletionStart::degrees, "degrees", "degrees of seen nodes over the largest"},
     {CompletionStart::noisy_degrees, "noisy-degrees", "the same with normal noise"},
     {CompletionStart::shaken_degrees, "shaken-degrees", "the same with uniform noise"}}};

/// Over the largest; 1/2 for hidden nodes. Of the known entries, whatever their direction.
Vector scaled_degrees(const PartialGraph& graph, const std::vector<Index>& seen) {
  Vector degrees = Vector::Constant(graph.size(), -1);
  for (const Index i : seen) {
    degrees[i] = 0;
    for (Index j = 0; j < graph.size(); ++j) {
      if (i != j && graph.free(i, j) == 0) degrees[i] += graph.structure(i, j);
    }
  }
  const double largest = std::max(degrees.maxCoeff(), 1e-300);
  for (double& degree : degrees) degree = degree < 0 ? -1 : degree / largest;
  return degrees;
}

double mean_of_entry(const Vector& degrees, Index i, Index j) {
  if (degrees[i] >= 0 && degrees[j] >= 0) return degrees[i] * degrees[j];
  if (degrees[i] < 0 && degrees[j] < 0) return 0.5;
  return std::max(degrees[i], degrees[j]);
}

Matrix filled_structure(const PartialGraph& graph, CompletionStart start, detail::Random random) {
  const Index n = graph.size();
  const std::vector<Index> seen = graph.seen();
  const Vector degrees = scaled_degrees(graph, seen);
  double least = 1;
  for (const Index i : seen) least = std::min(least, degrees[i]);
  const bool symmetric = detail::is_symmetric(graph);
  Matrix C = graph.structure;
  for (Index i = 0; i < n; ++i) {
    detail::throw_if_stopped();
    for (Index j = 0; j < n; ++j) {
      if (graph.free(i, j) == 0) continue;
      if (symmetric && j < i) {
        C(i, j) = C(j, i);
        continue;
      }
      double entry = start == CompletionStart::noise ? 0.5 : mean_of_entry(degrees, i, j);
      if (i == j) entry = start == CompletionStart::noise ? 0.0 : 0.5;
      if (start == CompletionStart::degrees) {
        C(i, j) = std::max(0.0, entry);
        continue;
      }
      // The mean of two draws, as the reference symmetrises its noise.
      const double normal = noise_deviation * (random.normal() + random.normal()) / 2;
      const double uniform = 0.1 * least * (random.uniform() + random.uniform() - 1);
      if (start == CompletionStart::noise && i != j) entry += normal;
      if (start == CompletionStart::noisy_degrees && i != j) entry += normal;
      if (start == CompletionStart::shaken_degrees && i != j) entry += uniform;
      C(i, j) = std::max(0.0, entry);
    }
  }
  return C;
}

Matrix filled_features(const PartialGraph& graph, detail::Random random) {
  Matrix F = graph.features;
  if (graph.free_features.size() == 0) return F;
  for (Index c = 0; c < F.cols(); ++c) {
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (Index i = 0; i < F.rows(); ++i) {
      if (graph.free_features(i, c) != 0) continue;
      least = std::min(least, F(i, c));
      most = std::max(most, F(i, c));
    }
    if (least > most) least = most = 0;
    for (Index i = 0; i < F.rows(); ++i) {
      if (graph.free_features(i, c) != 0) F(i, c) = least + random.uniform() * (most - least);
    }
  }
  return F;
}

}  // namespace

std::span<const CompletionStartName> completion_start_names() { return known_starts; }

CompletionStart completion_start_from_name(std::string_view name) {
  std::string known;
  for (const auto& row : known_starts) {
    if (row.name == name) return row.start;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", row.name);
  }
  detail::fail_argument("start of completion '{}', expected one of {}", name, known);
}

namespace detail {

bool is_symmetric(const PartialGraph& graph) {
  if (graph.free != graph.free.transpose()) return false;
  for (Index i = 0; i < graph.size(); ++i) {
    for (Index j = 0; j < i; ++j) {
      if (graph.free(i, j) == 0 && graph.structure(i, j) != graph.structure(j, i)) return false;
    }
  }
  return true;
}

FilledGraph filled_start(const PartialGraph& graph, CompletionStart start, std::uint64_t seed) {
  return {filled_structure(graph, start, Random(seed, 0)), filled_features(graph, Random(seed, 1))};
}

}  // namespace detail

}  // namespace srgw
