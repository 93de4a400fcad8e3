// SPDX-License-Identifier: MIT
#include "graph/generate/stubs.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/sampling.hpp"
#include "base/stop.hpp"

namespace srgw::detail {

namespace {

constexpr std::uint64_t vacant = ~std::uint64_t{0};

constexpr int exchange_tries = 200;

bool same_pair(NodeId a, NodeId b, NodeId c, NodeId d) {
  return std::min(a, b) == std::min(c, d) && std::max(a, b) == std::max(c, d);
}

}  // namespace

EdgeSet::EdgeSet(std::size_t edges, bool directed)
    : slots_(std::bit_ceil(std::max<std::size_t>(16, 2 * edges)), vacant),
      mask_(slots_.size() - 1),
      directed_(directed) {}

std::uint64_t EdgeSet::key_of(NodeId a, NodeId b) const {
  if (!directed_ && a > b) std::swap(a, b);
  return (std::uint64_t{a} << 32) | b;
}

std::size_t EdgeSet::first_place(std::uint64_t key) const {
  std::uint64_t hash = key * 0x9e3779b97f4a7c15ULL;
  hash ^= hash >> 29;
  return hash & mask_;
}

std::size_t EdgeSet::place(std::uint64_t key) const {
  std::size_t slot = first_place(key);
  while (slots_[slot] != key && slots_[slot] != vacant) slot = (slot + 1) & mask_;
  return slot;
}

bool EdgeSet::insert(NodeId a, NodeId b) {
  const std::uint64_t key = key_of(a, b);
  std::uint64_t& slot = slots_[place(key)];
  if (slot == key) return false;
  slot = key;
  return true;
}

// Keys behind the hole move into it where that is still at or after their first place.
void EdgeSet::erase(NodeId a, NodeId b) {
  std::size_t hole = place(key_of(a, b));
  if (slots_[hole] == vacant) return;
  for (std::size_t slot = (hole + 1) & mask_; slots_[slot] != vacant; slot = (slot + 1) & mask_) {
    if (((slot - first_place(slots_[slot])) & mask_) < ((slot - hole) & mask_)) continue;
    slots_[hole] = slots_[slot];
    hole = slot;
  }
  slots_[hole] = vacant;
}

bool EdgeSet::contains(NodeId a, NodeId b) const {
  const std::uint64_t key = key_of(a, b);
  return slots_[place(key)] == key;
}

std::vector<Entry> match_stubs(std::vector<NodeId> stubs, const Assignment* groups, Random& random,
                               std::span<const Entry> present) {
  shuffle(stubs, random);
  const auto allowed = [&](NodeId a, NodeId b) {
    return a != b && (groups == nullptr || (*groups)[a] != (*groups)[b]);
  };
  std::vector<Entry> edges;
  edges.reserve(stubs.size() / 2);
  EdgeSet taken(stubs.size() / 2 + present.size());
  for (const Entry& edge : present) taken.insert(edge.row, edge.column);
  std::vector<Entry> bad;
  StopCounter stop;
  for (std::size_t i = 0; i + 1 < stubs.size(); i += 2) {
    stop.throw_if_stopped();
    const Entry pair{stubs[i], stubs[i + 1]};
    const bool good = allowed(pair.row, pair.column) && taken.insert(pair.row, pair.column);
    (good ? edges : bad).push_back(pair);
  }
  // {a, b} is bad and {c, d} random: {a, c} and {b, d} take their places when both are new.
  for (auto [a, b, value] : bad) {
    stop.throw_if_stopped();
    for (int t = 0; t < exchange_tries && !edges.empty(); ++t) {
      Entry& other = edges[random.below(edges.size())];
      NodeId c = other.row, d = other.column;
      if (random.below(2) == 1) std::swap(c, d);
      if (!allowed(a, c) || !allowed(b, d) || same_pair(a, c, b, d)) continue;
      if (taken.contains(a, c) || taken.contains(b, d)) continue;
      taken.erase(c, d);
      taken.insert(a, c);
      taken.insert(b, d);
      other = {a, c};
      edges.push_back({b, d});
      break;
    }
  }
  return edges;
}

namespace {

/// a -> b is left and c -> d random: a -> d and c -> b take their places when both are new.
void exchange_heads(MatchedArcs& matched, EdgeSet& taken, Random& random) {
  StopCounter stop;
  std::vector<Entry> left;
  for (const Entry& pair : matched.left) {
    stop.throw_if_stopped();
    const auto [a, b, value] = pair;
    bool found = false;
    for (int t = 0; t < exchange_tries && !found && !matched.arcs.empty(); ++t) {
      Entry& other = matched.arcs[random.below(matched.arcs.size())];
      const auto [c, d, x] = other;
      if (a == d || c == b || a == c || b == d) continue;
      if (taken.contains(a, d) || taken.contains(c, b)) continue;
      taken.erase(c, d);
      taken.insert(a, d);
      taken.insert(c, b);
      other = {a, d};
      matched.arcs.push_back({c, b});
      found = true;
    }
    if (!found) left.push_back(pair);
  }
  matched.left = std::move(left);
}

}  // namespace

MatchedArcs match_arcs(const std::vector<NodeId>& tails, std::vector<NodeId> heads,
                       Random& random) {
  shuffle(heads, random);
  MatchedArcs matched;
  matched.arcs.reserve(tails.size());
  EdgeSet taken(tails.size(), true);
  StopCounter stop;
  for (std::size_t i = 0; i < tails.size(); ++i) {
    stop.throw_if_stopped();
    const bool good = tails[i] != heads[i] && taken.insert(tails[i], heads[i]);
    (good ? matched.arcs : matched.left).push_back({tails[i], heads[i]});
  }
  exchange_heads(matched, taken, random);
  return matched;
}

MatchedArcs exchange_heads(MatchedArcs matched, Random& random) {
  if (matched.left.empty()) return matched;
  EdgeSet taken(matched.arcs.size() + matched.left.size(), true);
  for (const Entry& arc : matched.arcs) taken.insert(arc.row, arc.column);
  exchange_heads(matched, taken, random);
  return matched;
}

void swap_edges(std::vector<Entry>& edges, std::size_t attempts, Random& random) {
  if (edges.size() < 2) return;
  EdgeSet taken(edges.size());
  for (const Entry& edge : edges) taken.insert(edge.row, edge.column);
  StopCounter stop;
  for (std::size_t t = 0; t < attempts; ++t) {
    stop.throw_if_stopped();
    Entry& first = edges[random.below(edges.size())];
    Entry& second = edges[random.below(edges.size())];
    if (random.below(2) == 1) std::swap(second.row, second.column);
    const auto [a, b, x] = first;
    const auto [c, d, y] = second;
    if (a == d || b == c || same_pair(a, d, b, c)) continue;
    if (taken.contains(a, d) || taken.contains(c, b)) continue;
    taken.erase(a, b);
    taken.erase(c, d);
    taken.insert(a, d);
    taken.insert(c, b);
    first.column = d;
    second.column = b;
  }
}

}  // namespace srgw::detail
