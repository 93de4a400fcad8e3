// SPDX-License-Identifier: MIT
#include "completion/settled_ties.hpp"

namespace srgw::detail {

namespace {

constexpr Index plain = 11;

double share(double part, double whole, double otherwise) {
  return whole > 0 ? part / whole : otherwise;
}

}  // namespace

SettledTies::SettledTies(const SeenGraph& graph) : graph_(graph), node_(at(graph.size())) {}

Index SettledTies::columns() { return plain; }
Index SettledTies::anchored_columns(Index features) {
  return Surroundings::pair_columns(features) + plain;
}

void SettledTies::settle(Index node, bool tied) {
  Node& its = node_[at(node)];
  its.state = tied ? State::tied : State::untied;
  ++(tied ? tied_ : untied_);
  if (tied) edges_ += its.near_tied;
  for (const NodeId j : graph_.neighbours[at(node)]) {
    ++(tied ? node_[j].near_tied : node_[j].near_untied);
  }
}

void SettledTies::write(Index node, double* row) const {
  const double near_tied = node_[at(node)].near_tied, near_untied = node_[at(node)].near_untied;
  for (const double number :
       {tied_, untied_, share(tied_, tied_ + untied_, 0), near_tied, near_untied,
        share(near_tied, tied_, 0), share(near_untied, untied_, -1),
        share(near_tied, near_tied + near_untied, -1), untied_ - near_untied, tied_ - near_tied,
        share(2 * edges_, tied_ * (tied_ - 1), 1)}) {
    *row++ = number;
  }
}

}  // namespace srgw::detail
