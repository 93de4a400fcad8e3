// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "srgw/types.hpp"

namespace srgw {

/// What the nodes of a graph are called, in node order. Names that are whole numbers are stored as
/// numbers, and consecutive ones not at all, so that a million of them cost nothing.
class NodeNames {
 public:
  NodeNames() = default;
  /// first, first + 1, ...
  static NodeNames numbered(Index count, std::int64_t first = 0);
  explicit NodeNames(std::vector<std::int64_t> ids);
  explicit NodeNames(std::vector<std::string> texts);

  [[nodiscard]] Index size() const { return count_; }
  /// Whether node i is called i.
  [[nodiscard]] bool are_indices() const { return consecutive() && first_ == 0; }
  [[nodiscard]] bool are_numbers() const { return texts_.empty(); }
  /// The name of a node as a number; expects are_numbers().
  [[nodiscard]] std::int64_t number(Index node) const;
  [[nodiscard]] std::string operator[](Index node) const;

  friend bool operator==(const NodeNames&, const NodeNames&) = default;

 private:
  friend class NameIndex;

  [[nodiscard]] bool consecutive() const { return ids_.empty() && texts_.empty(); }
  void take(std::vector<std::int64_t> ids);

  // Nodes are called texts_[i], or else ids_[i], or else first_ + i.
  Index count_ = 0;
  std::int64_t first_ = 0;
  std::vector<std::int64_t> ids_;
  std::vector<std::string> texts_;
};

/// Finds nodes by name. Looks at the names, which must outlive it.
class NameIndex {
 public:
  /// Throws when two nodes have one name.
  explicit NameIndex(const NodeNames& names);
  NameIndex(NodeNames&&) = delete;

  [[nodiscard]] std::optional<NodeId> find(std::string_view name) const;

 private:
  const NodeNames& names_;
  std::unordered_map<std::int64_t, NodeId> by_id_;
  std::unordered_map<std::string_view, NodeId> by_text_;
};

}  // namespace srgw
