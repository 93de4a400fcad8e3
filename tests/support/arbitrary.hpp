// SPDX-License-Identifier: MIT
#pragma once

#include <rapidcheck.h>

#include "support/random_problem.hpp"

/// RapidCheck draws recipes of small problems and shrinks them when a claim fails.
namespace rc {

template <>
struct Arbitrary<srgw::test::PlanStorage> {
  static Gen<srgw::test::PlanStorage> arbitrary() {
    return gen::elementOf(std::vector(std::begin(srgw::test::all_plan_storages),
                                      std::end(srgw::test::all_plan_storages)));
  }
};

template <>
struct Arbitrary<srgw::test::Recipe> {
  static Gen<srgw::test::Recipe> arbitrary() {
    using srgw::test::Recipe;
    const auto storage = gen::elementOf(
        std::vector(std::begin(srgw::test::all_storages), std::end(srgw::test::all_storages)));
    const auto alpha = gen::element<std::optional<double>>(std::nullopt, 0.0, 0.3, 0.5, 1.0);
    return gen::build<Recipe>(
        gen::set(&Recipe::rows, gen::inRange<srgw::Index>(1, 9)),
        gen::set(&Recipe::columns, gen::inRange<srgw::Index>(1, 6)),
        gen::set(&Recipe::source, storage), gen::set(&Recipe::target, storage),
        gen::set(&Recipe::symmetric_source), gen::set(&Recipe::symmetric_target),
        gen::set(&Recipe::alpha, alpha), gen::set(&Recipe::zero_weights), gen::set(&Recipe::seed));
  }
};

}  // namespace rc
