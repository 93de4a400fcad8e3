// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "communities/communities.hpp"
#include "communities/constraints.hpp"

namespace srgw::detail {

/// The label of nodes that are in no cluster.
inline constexpr NodeId left_out = std::numeric_limits<NodeId>::max();

/// Labels that a search with constraints found, and how they change until all constraints hold.
/// Refers to its arguments.
class Fitting {
 public:
  Fitting(const Constraints& given, const PartitionOptions& options, const CommunitySearch& search,
          double resolution)
      : given_(given), options_(options), search_(search), resolution_(resolution) {}

  /// Takes the labels that a search of the pulled graph found.
  void take(const Communities& found);

  /// What the pull of the previous labels costs, and the fixed labels: the modularity that V-cycles
  /// gain without them.
  void release(std::vector<PartitionCost>& costs);

  /// Brings clusters to the allowed sizes; without searches where the run was stopped.
  void fit_sizes(bool stopped, std::vector<PartitionCost>& costs);

  /// Labels of all nodes, large clusters first; and the id of the fixed nodes of each cluster.
  struct Named {
    Assignment labels;
    std::vector<std::int64_t> given;
  };
  [[nodiscard]] Named named() const;

 private:
  /// Components that are smaller than a cluster may be are in no cluster.
  void leave_out_small_components();
  void choose_kept();
  [[nodiscard]] Assignment kept_labels() const;

  const Constraints& given_;
  const PartitionOptions& options_;
  const CommunitySearch& search_;
  double resolution_;
  Assignment labels_;         // of the hard graph
  std::vector<NodeId> kept_;  // its nodes that are in clusters
  WeightedGraph part_;        // between them
  std::vector<double> nodes_;
};

}  // namespace srgw::detail
