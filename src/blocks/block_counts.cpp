// SPDX-License-Identifier: MIT
#include "blocks/block_counts.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/message.hpp"
#include "communities/log_counts.hpp"
#include "graph/csr_build.hpp"

namespace srgw::detail {

LogFactorials::LogFactorials(double largest) {
  constexpr double most = 4e6;
  table_.resize(static_cast<std::size_t>(std::min(largest, most)) + 2);
  table_[0] = 0;
  for (std::size_t x = 1; x < table_.size(); ++x) {
    table_[x] = log_factorial(static_cast<double>(x));
  }
}

double LogFactorials::beyond(double x) { return log_factorial(x); }

CountedGraph count_edges(const Graph& graph) {
  constexpr double most = 1e15;  // sums stay whole numbers
  if (graph.nodes() < 2) {
    fail_argument("a block model of a graph with {} node, expected at least 2", graph.nodes());
  }
  CountedGraph counted;
  counted.directed = graph.directed();
  counted.rows =
      keep_entries(graph.adjacency(), [](Index i, Index j, double w) { return i != j && w != 0; });
  counted.out = Vector::Zero(graph.nodes());
  if (counted.directed) {
    counted.columns = transpose(counted.rows);
    counted.in = Vector::Zero(graph.nodes());
  }
  double sum = 0;
  for_each_entry(counted.rows, [&](Index i, Index j, double weight) {
    if (weight < 0 || weight != std::floor(weight) || weight > most) {
      fail_argument(
          "the edge {} {} has the weight {}, expected a whole number from 0 on: weights of block "
          "models are counts",
          i, j, weight);
    }
    sum += weight;
    counted.out[i] += weight;
    if (counted.directed) counted.in[j] += weight;
    if (counted.directed || i < j) counted.terms += log_factorial(weight);
  });
  if (sum > most) fail_argument("weights sum to {}, expected at most {}", sum, most);
  counted.edges = counted.directed ? sum : sum / 2;
  counted.factorials =
      std::make_shared<const LogFactorials>(2 * sum + static_cast<double>(graph.nodes()));
  return counted;
}

void BlockCounts::Links::gather(const CountedGraph& graph, const Assignment& labels,
                                std::size_t i) {
  for (const NodeId c : touched_) out_[c] = in_[c] = seen_[c] = 0;
  touched_.clear();
  const auto add = [&](const Csr& rows, std::vector<double>& sums) {
    with_rows(rows, [&](const auto& view) {
      const auto row = static_cast<Index>(i);
      for (std::size_t e = view.begin(row); e < view.end(row); ++e) {
        const NodeId c = labels[view.columns[e]];
        if (seen_[c] == 0) {
          seen_[c] = 1;
          touched_.push_back(c);
        }
        sums[c] += view.value(e);
      }
    });
  };
  add(graph.rows, out_);
  degree_out_ = graph.out[static_cast<Index>(i)];
  if (!graph.directed) return;
  add(graph.columns, in_);
  degree_in_ = graph.in[static_cast<Index>(i)];
}

BlockCounts::BlockCounts(const CountedGraph& graph, const Assignment& labels, std::size_t count,
                         bool degree_corrected)
    : graph_(graph),
      factorials_(graph.factorials.get()),
      directed_(graph.directed),
      degree_corrected_(degree_corrected),
      counts_(Matrix::Zero(static_cast<Index>(count), static_cast<Index>(count))),
      sizes_(count, 0),
      out_(count, 0),
      in_(count, 0) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    ++sizes_[labels[i]];
    out_[labels[i]] += graph.out[static_cast<Index>(i)];
    if (directed_) in_[labels[i]] += graph.in[static_cast<Index>(i)];
  }
  for_each_entry(graph.rows,
                 [&](Index i, Index j, double weight) { counts_(labels[i], labels[j]) += weight; });
  if (!directed_) counts_.diagonal() /= 2;
}

double BlockCounts::inside(double e) const {
  return directed_ ? -log_factorial_of(e) : -log_factorial_of(e) - e * std::numbers::ln2;
}

double BlockCounts::block(double n, double out, double in) const {
  double sum = -log_factorial_of(n);
  if (!degree_corrected_) return sum + (out + in) * std::log(std::max(n, 1.0));
  // Degrees of a block: ln C(n + e - 1, e) for each direction, and ln e! for the edges given them.
  const auto ends = [&](double e) { return log_factorial_of(n + e - 1) - log_factorial_of(n - 1); };
  if (n > 0) sum += ends(out) + (directed_ ? ends(in) : 0);
  return sum;
}

double BlockCounts::length() const {
  const auto B = static_cast<double>(count());
  const auto n = static_cast<double>(graph_.nodes());
  double sum = graph_.terms;
  for (std::size_t r = 0; r < count(); ++r) {
    sum += block(sizes_[r], out_[r], in_[r]) + inside(edges(r, r));
    for (std::size_t s = directed_ ? 0 : r + 1; s < count(); ++s) {
      if (s != r) sum += between(edges(r, s));
    }
  }
  if (degree_corrected_) {
    for (const double k : graph_.out) sum -= log_factorial_of(k);
    for (const double k : graph_.in) sum -= log_factorial_of(k);
  }
  const double places = directed_ ? B * B : B * (B + 1) / 2;
  sum += log_distributions(places, graph_.edges);
  return sum + std::log(n) + log_distributions(B, n - B) + log_factorial_of(n);
}

double BlockCounts::cost_of_move(std::size_t r, std::size_t s, const Links& links) const {
  double cost = 0;
  const double orr = links.out_[r], os = links.out_[s];
  for (const NodeId t : links.touched_) {
    if (t == r || t == s) continue;
    if (const double d = links.out_[t]; d != 0) {
      cost += between(edges(r, t) - d) - between(edges(r, t)) + between(edges(s, t) + d) -
              between(edges(s, t));
    }
    if (const double d = links.in_[t]; directed_ && d != 0) {
      cost += between(edges(t, r) - d) - between(edges(t, r)) + between(edges(t, s) + d) -
              between(edges(t, s));
    }
  }
  const double ir = links.in_[r], is = links.in_[s];
  if (directed_) {
    cost += inside(edges(r, r) - orr - ir) - inside(edges(r, r)) + inside(edges(s, s) + os + is) -
            inside(edges(s, s));
    cost += between(edges(r, s) - os + ir) - between(edges(r, s)) +
            between(edges(s, r) + orr - is) - between(edges(s, r));
  } else {
    cost += inside(edges(r, r) - orr) - inside(edges(r, r)) + inside(edges(s, s) + os) -
            inside(edges(s, s));
    cost += between(edges(r, s) + orr - os) - between(edges(r, s));
  }
  const double o = links.degree_out_, i = links.degree_in_;
  return cost + block(sizes_[r] - 1, out_[r] - o, in_[r] - i) - block(sizes_[r], out_[r], in_[r]) +
         block(sizes_[s] + 1, out_[s] + o, in_[s] + i) - block(sizes_[s], out_[s], in_[s]);
}

void BlockCounts::move(std::size_t r, std::size_t s, const Links& links) {
  for (const NodeId t : links.touched_) {
    const double d = links.out_[t];
    if (directed_) {
      counts_(r, t) -= d;
      counts_(s, t) += d;
      counts_(t, r) -= links.in_[t];
      counts_(t, s) += links.in_[t];
      continue;
    }
    // Edges inside are in one place, others in two.
    counts_(r, t) -= d;
    if (t != r) counts_(t, r) -= d;
    counts_(s, t) += d;
    if (t != s) counts_(t, s) += d;
  }
  --sizes_[r];
  ++sizes_[s];
  out_[r] -= links.degree_out_;
  out_[s] += links.degree_out_;
  in_[r] -= links.degree_in_;
  in_[s] += links.degree_in_;
}

double BlockCounts::cost_of_merge(std::size_t r, std::size_t s) const {
  double cost = 0;
  const auto join = [&](double a, double b) {
    if (a > 0 && b > 0) cost += between(a + b) - between(a) - between(b);
  };
  for (std::size_t t = 0; t < count(); ++t) {
    if (t == r || t == s) continue;
    join(edges(r, t), edges(s, t));
    if (directed_) join(edges(t, r), edges(t, s));
  }
  const double across = edges(r, s) + (directed_ ? edges(s, r) : 0);
  cost += inside(edges(r, r) + edges(s, s) + across) - inside(edges(r, r)) - inside(edges(s, s)) -
          between(edges(r, s)) - (directed_ ? between(edges(s, r)) : 0);
  return cost + block(sizes_[r] + sizes_[s], out_[r] + out_[s], in_[r] + in_[s]) -
         block(sizes_[r], out_[r], in_[r]) - block(sizes_[s], out_[s], in_[s]);
}

}  // namespace srgw::detail
