// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "completion/surroundings.hpp"

namespace srgw::detail {

/// The settled ties of one hidden node with those of a graph. All counts are kept as
/// ties are settled, each in the time of its node's degree; a row is read off in constant time.
class SettledTies {
 public:
  explicit SettledTies(const SeenGraph& graph);

  /// Numbers of write(), and of a row about a node as seen from the anchor with them behind it.
  [[nodiscard]] static Index columns();
  [[nodiscard]] static Index anchored_columns(Index features);

  [[nodiscard]] bool known(Index node) const { return node_[at(node)].state != State::open; }
  [[nodiscard]] bool tied(Index node) const { return node_[at(node)].state == State::tied; }
  /// A node that is open.
  void settle(Index node, bool tied);
  /// How a node stands to those that the hidden one is tied to, or not.
  void write(Index node, double* row) const;

 private:
  enum class State : std::uint8_t { open, tied, untied };
  struct Node {
    State state = State::open;
    double near_tied = 0, near_untied = 0;  // neighbours that are settled
  };

  static std::size_t at(Index node) { return node; }

  const SeenGraph& graph_;
  std::vector<Node> node_;
  double tied_ = 0, untied_ = 0;
  double edges_ = 0;  // among the tied
};

}  // namespace srgw::detail
