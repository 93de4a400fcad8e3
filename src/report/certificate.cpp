// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "srgw/report.hpp"

namespace srgw {

namespace {

std::string about_status(const Solution& solution) {
  const double relative = solution.gap / std::max(std::abs(solution.value), 1e-300);
  switch (solution.status) {
    case Status::converged:
      return fmt::format(
          "Converged after {} iterations: the gap is {:.2g} ({:.2g} of the value), so no move of "
          "single nodes promises to lower the value by more than that.",
          solution.iterations, solution.gap, relative);
    case Status::iteration_limit:
      return fmt::format(
          "Not converged: the limit of iterations was reached after {}, with a gap of {:.2g} "
          "({:.2g} of the value). Allow more iterations, or take another start.",
          solution.iterations, solution.gap, relative);
    case Status::time_limit:
      return fmt::format(
          "Not converged: the time was up after {} iterations, and this is the best until then "
          "(gap "
          "{:.2g}). Allow more time.",
          solution.iterations, solution.gap);
    case Status::interrupted:
      return fmt::format(
          "Not converged: the run was interrupted after {} iterations, and this is the best until "
          "then (gap {:.2g}). Run it again to the end.",
          solution.iterations, solution.gap);
  }
  return {};
}

std::string about_starts(const std::vector<double>& values) {
  const auto [low, high] = std::ranges::minmax_element(values);
  const double spread = (*high - *low) / std::max(std::abs(*low), 1e-300);
  const std::string ends =
      fmt::format("{} starts ended between {:.6g} and {:.6g}", values.size(), *low, *high);
  if (spread <= 1e-6)
    return ends + ": all agree, which makes it likely that nothing lower is near.";
  if (spread <= 0.01) return ends + ": they agree to one per cent; the lowest is shown.";
  return ends + ": they disagree. The lowest is shown; more starts may find a lower one.";
}

}  // namespace

std::vector<std::string> certificate(const Solution& solution) {
  std::vector<std::string> sentences{about_status(solution)};
  if (solution.start_values.size() > 1) sentences.push_back(about_starts(solution.start_values));
  if (solution.value_error > 0) {
    sentences.push_back(fmt::format(
        "A constant of the value is an estimate: the value may be off by {:.1e}, the plan is not "
        "touched by that.",
        solution.value_error));
  }
  if (solution.left_symmetric_start) {
    sentences.emplace_back("The first start was stationary only by symmetry and was left.");
  }
  if (solution.softened_start) {
    sentences.emplace_back("The start was hard and was softened, which mirror descent needs.");
  }
  sentences.emplace_back(
      "The problem is not convex: the gap speaks of what is near the plan, not of all plans.");
  return sentences;
}

}  // namespace srgw
