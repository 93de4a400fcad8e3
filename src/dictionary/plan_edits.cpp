// SPDX-License-Identifier: MIT
#include "dictionary/plan_edits.hpp"

#include <map>

#include "structure/plan_rows.hpp"

namespace srgw::detail {

namespace {

/// `place(row, column)` says where the mass of an entry goes.
template <class Place>
Plan rewritten(const Plan& plan, const Place& place) {
  if (plan.is_assignment()) {
    Assignment labels = plan.labels();
    for (std::size_t i = 0; i < labels.size(); ++i) {
      labels[i] = static_cast<NodeId>(place(static_cast<Index>(i), Index{labels[i]}));
    }
    return Plan::from_labels(plan.weights(), labels, plan.columns());
  }
  ShortRows rows;
  rows.offsets.push_back(0);
  std::map<Index, double> row;
  with_masses(plan, [&](const auto& masses) {
    for (Index i = 0; i < plan.rows(); ++i) {
      row.clear();
      masses(i, [&](Index k, double mass) {
        if (mass > 0) row[place(i, k)] += mass;
      });
      for (const auto& [k, mass] : row) {
        rows.columns.push_back(static_cast<NodeId>(k));
        rows.masses.push_back(mass);
      }
      rows.offsets.push_back(rows.columns.size());
    }
  });
  return Plan::from_rows(plan.weights(), std::move(rows), plan.columns());
}

}  // namespace

Plan with_row_on(const Plan& plan, Index row, Index column) {
  return rewritten(plan, [&](Index i, Index k) { return i == row ? column : k; });
}

Plan with_merged(const Plan& plan, Index from, Index to) {
  return rewritten(plan, [&](Index, Index k) { return k == from ? to : k; });
}

bool are_same(const Plan& a, const Plan& b) {
  if (const auto* x = std::get_if<Labels>(&a.storage()), *y = std::get_if<Labels>(&b.storage());
      x != nullptr && y != nullptr) {
    return *x == *y;
  }
  const auto *x = std::get_if<ShortRows>(&a.storage()), *y = std::get_if<ShortRows>(&b.storage());
  return x != nullptr && y != nullptr && x->offsets == y->offsets && x->columns == y->columns &&
         x->masses == y->masses;
}

}  // namespace srgw::detail
