// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <vector>

#include "completion/half_seen.hpp"
#include "srgw/completion.hpp"

namespace srgw::bench {

/// Simple baselines: probabilities of edges by rules that are fitted on training graphs, which are
/// hidden in the same way.
class Baselines {
 public:
  Baselines(std::span<const Sample> training, double rate, std::uint64_t seed);

  /// By name; `structure` is the same as `probabilities`, features of hidden nodes are the mean of
  /// the seen ones.
  [[nodiscard]] std::map<std::string, Completion> complete(const PartialGraph& graph,
                                                           std::uint64_t seed) const;

 private:
  /// A row of a half-seen graph that a probability is made from.
  [[nodiscard]] static std::vector<Vector> simple_features(const detail::SeenGraph& graph);
  [[nodiscard]] std::vector<int> frequency_class(const detail::SeenGraph& graph) const;
  [[nodiscard]] Vector nearest_rows(const detail::SeenGraph& graph) const;

  bool has_labels_ = false;
  double hidden_pairs_ = 0.5;                             // share of edges among hidden nodes
  std::map<int, std::pair<double, double>> frequencies_;  // edges and pairs of a class
  Vector mean_, scale_, weights_;  // of the regression; the last weight is the constant
  struct Whole {
    Vector sorted_degrees;  // falling
    double density = 0;
  };
  std::vector<Whole> training_;
};

}  // namespace srgw::bench
