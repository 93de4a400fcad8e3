// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/id_set.hpp"
#include "ranks/parcel.hpp"
#include "srgw/graph.hpp"
#include "srgw/types.hpp"

namespace srgw::detail {

/// Which ids occur on any rank, and the place of each among them.
///
/// Ids that are dense cost each rank a bit for each. Others are cut into ranges, each kept by one
/// rank, which tells the others the places of the ids that they have: no rank has them all.
class SharedIds {
 public:
  /// Dense: ids up to `largest`, of which this rank has those that `occurring` knows.
  static SharedIds dense(Ranks& ranks, IdSet occurring, NodeId largest);
  /// Any ids; `own` are those of this rank, ascending, each once.
  static SharedIds sparse(Ranks& ranks, std::vector<std::int64_t> own);

  [[nodiscard]] Index total() const { return total_; }
  /// The place of an id of this rank; sparse: of the i-th of `own`.
  [[nodiscard]] NodeId place(NodeId id) const { return bits_ ? bits_->place(id) : places_[id]; }
  /// The names of the nodes [starts[r], starts[r + 1]) of this rank r.
  [[nodiscard]] NodeNames names(Ranks& ranks, std::span<const Index> starts) const;

 private:
  Index total_ = 0;
  // Dense.
  std::optional<IdSet> bits_;
  NodeId largest_ = 0;
  // Sparse.
  std::vector<NodeId> places_;
  std::vector<std::int64_t> kept_;  // the ids of this rank's range, at the places from first_ on
  Index first_ = 0;
};

}  // namespace srgw::detail
