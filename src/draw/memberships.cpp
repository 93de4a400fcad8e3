// SPDX-License-Identifier: MIT
#include "draw/memberships.hpp"

#include <algorithm>

namespace srgw::detail {

std::vector<Colour> node_colours(const Assignment& labels, const Plan* plan,
                                 const std::vector<Colour>& colours) {
  std::vector<Colour> result;
  result.reserve(labels.size());
  const auto columns = static_cast<Index>(colours.size());
  const bool soft = plan != nullptr && !plan->is_assignment() && plan->columns() <= columns;
  const ShortRows rows = soft ? plan->short_rows() : ShortRows{};
  std::vector<Colour> mixed;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const std::size_t begin = soft ? rows.offsets[i] : 0, end = soft ? rows.offsets[i + 1] : 0;
    if (end - begin < 2) {
      result.push_back(colours[labels[i]]);
      continue;
    }
    mixed.clear();
    for (std::size_t e = begin; e < end; ++e) mixed.push_back(colours[rows.columns[e]]);
    result.push_back(mix(mixed, std::span(rows.masses).subspan(begin, end - begin)));
  }
  return result;
}

std::vector<Colour> received_colours(const Plan& plan, const std::vector<Colour>& source) {
  const ShortRows rows = plan.short_rows();
  const std::size_t m = plan.columns();
  std::vector<std::vector<Colour>> colours(m);
  std::vector<std::vector<double>> shares(m);
  for (std::size_t i = 0; i < source.size(); ++i) {
    for (std::size_t e = rows.offsets[i]; e < rows.offsets[i + 1]; ++e) {
      colours[rows.columns[e]].push_back(source[i]);
      shares[rows.columns[e]].push_back(rows.masses[e]);
    }
  }
  std::vector<Colour> result;
  for (std::size_t k = 0; k < m; ++k) result.push_back(mix(colours[k], shares[k]));
  return result;
}

}  // namespace srgw::detail
