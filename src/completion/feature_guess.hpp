// SPDX-License-Identifier: MIT
#pragma once

#include "completion/surroundings.hpp"

namespace srgw::detail {

/// Evidence for the features of a node: its degree, and mean features of its neighbours and of
/// the graph. `neighbours` may be of a node that is not in the graph.
[[nodiscard]] Vector feature_evidence(const SeenGraph& graph,
                                      const std::vector<NodeId>& neighbours);
[[nodiscard]] Index feature_evidence_columns(Index features);

/// Linear least squares with a little damping, so that nothing is ever singular.
class FeatureRegression {
 public:
  explicit FeatureRegression(Index features);
  void add(const Vector& evidence, const Vector& features);
  void add(const FeatureRegression& other);
  /// features = weights' evidence
  [[nodiscard]] Matrix weights() const;

 private:
  Matrix squares_, products_;
};

}  // namespace srgw::detail
