// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "srgw/samples.hpp"

namespace srgw::detail {

/// Makes one node of those with the same neighbours (apart from each other), weight and features:
/// from a product start they keep equal rows in every step, so plans, column sums and values are
/// those of the graph (spec 2.4, 14). One look at the entries finds them, which is cheap enough for
/// a single solve; Twins finds more, for graphs that are solved often.
class AlikeNodes {
 public:
  /// The smaller graph, valid until the next call; null where it would not pay.
  const Sample* reduce(const Sample& sample);
  /// What h'(C o C)h of the last graph is above that of the smaller one.
  [[nodiscard]] double constant() const { return constant_; }

 private:
  void sign(const Sample& sample);
  [[nodiscard]] Index number_parts();
  void build(const Sample& sample, Index parts);

  std::vector<std::uint64_t> own_, neighbours_;  // hashes: of a node, of the set around it
  std::vector<std::pair<std::uint64_t, NodeId>> order_;
  std::vector<NodeId> part_;
  Sample reduced_{{Structure::scaled_identity(1), Vector::Ones(1)}};
  double constant_ = 0;
};

}  // namespace srgw::detail
