// SPDX-License-Identifier: MIT
// Connected components of a graph whose rows are distributed. A component is named after its first
// node, and whoever holds that node adds up what ranks have of it.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/message.hpp"
#include "base/union_find.hpp"
#include "communities/distributed_graph.hpp"
#include "communities/search/shared_sums.hpp"

namespace srgw::detail {

namespace {

constexpr NodeId unknown = std::numeric_limits<NodeId>::max();

class DistributedComponents {
 public:
  explicit DistributedComponents(const DistributedGraph& graph)
      : exchange_(graph.exchange),
        rows_(graph.size()),
        forest_(exchange_.places(graph.size())),
        first_(exchange_.places(graph.size()), unknown) {
    for_each_entry(graph.rows, [&](Index i, Index j, double) {
      forest_.join(static_cast<NodeId>(i), static_cast<NodeId>(j));
    });
    tree_size_.assign(first_.size(), 0);
    for (std::size_t place = 0; place < first_.size(); ++place) {
      const NodeId root = forest_.root(static_cast<NodeId>(place));
      first_[root] = std::min(first_[root], exchange_.node(static_cast<Index>(place)));
      ++tree_size_[root];
    }
    if (!exchange_.alone()) agree();
  }

  /// The first node of the component of a row.
  NodeId first_of(std::size_t row) { return first_[forest_.root(static_cast<NodeId>(row))]; }
  /// Whether a component has more than one node; trees of one place have all their edges here.
  bool is_connected(std::size_t row) {
    return tree_size_[forest_.root(static_cast<NodeId>(row))] > 1;
  }

 private:
  // Ranks tell each other the first nodes that they know of, until none knows better.
  void agree() {
    std::vector<NodeId> shown(first_.size(), unknown);
    std::vector<NodeId> changed;
    std::int64_t news = 1;
    while (news > 0) {
      changed.clear();
      for (std::size_t row = 0; row < rows_; ++row) {
        const NodeId first = first_of(row);
        if (shown[row] == first) continue;
        shown[row] = first;
        changed.push_back(static_cast<NodeId>(row));
      }
      exchange_.refresh(std::span(shown), changed);
      news = 0;
      for (std::size_t place = rows_; place < first_.size(); ++place) {
        NodeId& first = first_[forest_.root(static_cast<NodeId>(place))];
        if (shown[place] >= first) continue;
        first = shown[place];
        ++news;
      }
      news = exchange_.sum(news + ask_holders());
    }
  }

  // What is known as the first node may have learnt of an earlier one: long chains of parts are
  // halved by that. Returns how many trees learnt something.
  std::int64_t ask_holders() {
    std::vector<std::vector<NodeId>> asked(exchange_.ranks());
    for (std::size_t place = 0; place < first_.size(); ++place) {
      if (forest_.root(static_cast<NodeId>(place)) != place || tree_size_[place] < 2) continue;
      const std::size_t holder = exchange_.holder(first_[place]);
      if (holder != static_cast<std::size_t>(exchange_.rank())) {
        asked[holder].push_back(first_[place]);
      }
    }
    std::vector<Ranks::Bytes> parcels(asked.size());
    for (std::size_t r = 0; r < asked.size(); ++r) {
      std::ranges::sort(asked[r]);
      asked[r].erase(std::unique(asked[r].begin(), asked[r].end()), asked[r].end());
      put_all(parcels[r], std::span<const NodeId>(asked[r]));
    }
    const auto questions = exchange_.swap(parcels);
    for (std::size_t r = 0; r < questions.size(); ++r) {
      parcels[r].clear();
      for (const NodeId node : items_of<NodeId>(questions[r])) {
        put(parcels[r], first_of(node - static_cast<std::size_t>(exchange_.first_row())));
      }
    }
    const auto answers = exchange_.swap(parcels);
    std::int64_t news = 0;
    for (std::size_t place = 0; place < first_.size(); ++place) {
      if (forest_.root(static_cast<NodeId>(place)) != place || tree_size_[place] < 2) continue;
      const std::size_t holder = exchange_.holder(first_[place]);
      const auto found = std::ranges::lower_bound(asked[holder], first_[place]);
      if (found == asked[holder].end() || *found != first_[place]) continue;
      NodeId answer = unknown;
      std::memcpy(&answer,
                  answers[holder].data() +
                      static_cast<std::size_t>(found - asked[holder].begin()) * sizeof answer,
                  sizeof answer);
      if (answer >= first_[place]) continue;
      first_[place] = answer;
      ++news;
    }
    return news;
  }

  const Exchange& exchange_;
  std::size_t rows_;
  UnionFind forest_;               // over places: parts of components that are connected here
  std::vector<NodeId> first_;      // of each root: the first node of its component, as far as known
  std::vector<NodeId> tree_size_;  // of each root, in places
};

/// Part of a component, or all of it.
struct Volume {
  NodeId first = 0;
  std::int64_t volume = 0;
};
bool comes_before(const Volume& a, const Volume& b) {
  return a.volume != b.volume ? a.volume > b.volume : a.first < b.first;
}

/// Components whose first node is here.
std::vector<Volume> volumes_here(const DistributedGraph& graph, DistributedComponents& components,
                                 std::span<const double> degrees) {
  const Exchange& exchange = graph.exchange;
  const Quanta quanta(sum_over_rows(exchange, degrees.size(), 1,
                                    [&](std::size_t row) { return std::abs(degrees[row]); }));
  std::vector<Volume> own;
  for (std::size_t row = 0; row < degrees.size(); ++row) {
    if (components.is_connected(row)) {
      own.push_back({components.first_of(row), quanta.from(degrees[row])});
    }
  }
  const auto add_up = [](std::vector<Volume>& parts) {
    std::ranges::sort(parts, {}, &Volume::first);
    std::size_t last = 0;
    for (std::size_t k = 1; k < parts.size(); ++k) {
      if (parts[k].first == parts[last].first) {
        parts[last].volume += parts[k].volume;
      } else {
        parts[++last] = parts[k];
      }
    }
    if (!parts.empty()) parts.resize(last + 1);
  };
  add_up(own);
  if (exchange.alone()) return own;
  std::vector<Ranks::Bytes> parcels(exchange.ranks());
  for (const Volume& part : own) {
    put(parcels[exchange.holder(part.first)], part);
  }
  std::vector<Volume> held;
  for (const Ranks::Bytes& parcel : exchange.swap(parcels)) {
    const auto parts = items_of<Volume>(parcel);
    held.insert(held.end(), parts.begin(), parts.end());
  }
  add_up(held);
  return held;
}

}  // namespace

std::vector<bool> clustered_rows(const DistributedGraph& graph, std::span<const double> degrees,
                                 Index most) {
  DistributedComponents components(graph);
  std::vector<bool> kept(degrees.size());
  for (std::size_t row = 0; row < kept.size(); ++row) kept[row] = components.is_connected(row);
  std::int64_t count = 0;  // of components, by their first nodes
  for (std::size_t row = 0; row < kept.size(); ++row) {
    if (!kept[row]) continue;
    count += components.first_of(row) == graph.exchange.node(static_cast<Index>(row)) ? 1 : 0;
  }
  count = graph.exchange.sum(count);
  if (count == 0) {
    fail_argument("a graph whose only edges are self-loops, expected an edge between two nodes");
  }
  if (count <= most) return kept;
  std::vector<Volume> held = volumes_here(graph, components, degrees);
  std::ranges::sort(held, comes_before);
  if (std::ssize(held) > most) held.resize(most);
  auto all = items_of<Volume>(graph.exchange.join(std::as_bytes(std::span(held))));
  std::ranges::sort(all, comes_before);
  all.resize(most);
  std::ranges::sort(all, {}, &Volume::first);
  for (std::size_t row = 0; row < kept.size(); ++row) {
    if (!kept[row]) continue;
    const NodeId first = components.first_of(row);
    const auto found = std::ranges::lower_bound(all, first, {}, &Volume::first);
    kept[row] = found != all.end() && found->first == first;
  }
  return kept;
}

}  // namespace srgw::detail
