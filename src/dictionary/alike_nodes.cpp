// SPDX-License-Identifier: MIT
#include "dictionary/alike_nodes.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "csr_rows.hpp"
#include "hashing.hpp"
#include "structure/entries.hpp"

namespace srgw::detail {

namespace {

// The smaller graph is an array, and less than a quarter of the nodes would not pay for it.
constexpr Index most_parts = 64;
constexpr NodeId nobody = std::numeric_limits<NodeId>::max();

std::uint64_t hash_of(double number) { return std::bit_cast<std::uint64_t>(number + 0.0); }

double scale_at(const Vector& scaling, Index i) { return scaling.size() == 0 ? 1.0 : scaling[i]; }

const CsrStorage* unweighted_rows(const Structure& structure) {
  const auto* form = std::get_if<CsrStorage>(&structure.storage().form);
  return form != nullptr && structure.symmetric() && !form->csr.has_values() ? form : nullptr;
}

}  // namespace

const Sample* AlikeNodes::reduce(const Sample& sample) {
  const Index n = sample.source.structure.size();
  if (n < 4 || unweighted_rows(sample.source.structure) == nullptr) return nullptr;
  sign(sample);
  const Index parts = number_parts();
  if (parts > most_parts || 4 * parts > 3 * n) return nullptr;
  build(sample, parts);
  return &reduced_;
}

// Sets of neighbours are sums of hashes of their members; what else tells nodes apart is mixed in.
void AlikeNodes::sign(const Sample& sample) {
  const auto& [structure, h] = sample.source;
  const CsrStorage& form = *unweighted_rows(structure);
  const auto n = static_cast<std::size_t>(h.size());
  own_.resize(n);
  neighbours_.resize(n);
  with_rows(form.csr, [&](const auto& rows) {
    for (std::size_t i = 0; i < n; ++i) {
      const auto row = static_cast<Index>(i);
      std::uint64_t sum = 0;
      for (std::size_t e = rows.begin(row); e < rows.end(row); ++e) {
        sum += mixed(std::uint64_t{rows.columns[e]} + 1);
      }
      std::uint64_t own = joined(hash_of(h[row]), hash_of(scale_at(form.left, row)));
      own = joined(own, hash_of(scale_at(form.right, row)));
      for (Index c = 0; c < sample.features.cols(); ++c) {
        own = joined(own, hash_of(sample.features(row, c)));
      }
      own_[i] = own;
      neighbours_[i] = sum;
    }
  });
}

// Nodes that are neighbours of each other are alike when the sets with themselves are, others when
// the sets without are. No node has partners of both kinds.
Index AlikeNodes::number_parts() {
  const std::size_t n = own_.size();
  part_.assign(n, nobody);
  NodeId parts = 0;
  for (const bool with_itself : {true, false}) {
    order_.clear();
    for (std::size_t i = 0; i < n; ++i) {
      if (part_[i] != nobody) continue;
      const std::uint64_t set = neighbours_[i] + (with_itself ? mixed(i + 1) : 0);
      order_.emplace_back(joined(own_[i], set), static_cast<NodeId>(i));
    }
    std::ranges::sort(order_);
    for (std::size_t first = 0; first < order_.size();) {
      std::size_t last = first + 1;
      while (last < order_.size() && order_[last].first == order_[first].first) ++last;
      if (last - first > 1 || !with_itself) {
        for (std::size_t o = first; o < last; ++o) part_[order_[o].second] = parts;
        ++parts;
      }
      first = last;
    }
  }
  return static_cast<Index>(parts);
}

// C_ab = sum_ij h_i h_j C_ij / (h_a h_b) over nodes i, j of the parts a, b.
void AlikeNodes::build(const Sample& sample, Index parts) {
  const auto& [structure, h] = sample.source;
  Matrix sums = Matrix::Zero(parts, parts);
  Vector& masses = reduced_.source.weights;
  masses.setZero(parts);
  reduced_.features.resize(parts, sample.features.cols());
  for (Index i = 0; i < h.size(); ++i) {
    const Index a = part_[static_cast<std::size_t>(i)];
    masses[a] += h[i];
    if (sample.features.cols() > 0) reduced_.features.row(a) = sample.features.row(i);
  }
  double squares = 0;
  for_each_entry(structure.storage(), [&](Index i, Index j, double c) {
    const double mass = h[i] * h[j];
    sums(part_[static_cast<std::size_t>(i)], part_[static_cast<std::size_t>(j)]) += mass * c;
    squares += mass * c * c;
  });
  double kept = 0;
  for (Index a = 0; a < parts; ++a) {
    for (Index b = 0; b <= a; ++b) {
      const double mass = masses[a] * masses[b];
      const double c = mass > 0 ? sums(a, b) / mass : 0.0;
      kept += (a == b ? 1 : 2) * mass * c * c;
      sums(a, b) = sums(b, a) = c;
    }
  }
  constant_ = squares - kept;
  reduced_.source.structure = Structure::dense(std::move(sums), true);
}

}  // namespace srgw::detail
