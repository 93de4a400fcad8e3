// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include "srgw/ranks.hpp"
#include "srgw/samples.hpp"

namespace srgw {

/// How much of graphs there is to explain: what their structures and their features cost, in the
/// mean, on the best atom of one node, before alpha weighs one against the other.
struct FusedTerms {
  double structure = 0;  ///< variance of the entries
  double features = 0;   ///< variance of all columns

  /// The weight of the structure with which both cost the same; 1/2 where one of them is 0.
  [[nodiscard]] double balanced_alpha() const;
};

/// Of graphs with so many feature columns; of all ranks, where they are given, whatever their
/// number.
[[nodiscard]] FusedTerms fused_terms(std::span<const Sample> samples, Index columns,
                                     Ranks* ranks = nullptr);

/// A sentence with a remedy when one term, weighed by alpha, costs more than 20 times the other, so
/// that the other hardly matters; else nothing. At alpha 0 and 1 that is what was asked for.
[[nodiscard]] std::string drowned_term(const FusedTerms& terms, double alpha);

}  // namespace srgw
