// SPDX-License-Identifier: MIT
#include "srgw/structure.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/random.hpp"
#include "support/expect_error.hpp"
#include "support/random_problem.hpp"
#include "support/wide_offsets.hpp"

namespace srgw::test {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr Index size = 8;

/// A structure next to the dense matrix that it should be.
struct Twin {
  Structure structure;
  Matrix dense;
};

enum class Form { dense, csr, pattern, scaled_csr, left_only, right_only, diagonal, identity };
constexpr Form all_forms[] = {Form::dense,     Form::csr,        Form::pattern,  Form::scaled_csr,
                              Form::left_only, Form::right_only, Form::diagonal, Form::identity};

struct StructureCase {
  Form form;
  bool wide;
  bool symmetric;
};

Matrix random_sparse(bool symmetric, detail::Random& random) {
  Matrix matrix = random_matrix(size, size, random, 0.4);
  if (symmetric) matrix = (matrix + matrix.transpose().eval()) / 2;
  return matrix;
}

Twin make_twin(const StructureCase& chosen) {
  detail::Random random(11, static_cast<std::uint64_t>(chosen.form));
  const Matrix a = random_sparse(chosen.symmetric, random);
  const Vector left = random_matrix(size, 1, random);
  const Vector right = chosen.symmetric ? left : Vector(random_matrix(size, 1, random));
  const auto csr = [&](const Matrix& matrix) {
    return chosen.wide ? with_wide_offsets(to_csr(matrix)) : to_csr(matrix);
  };
  switch (chosen.form) {
    case Form::dense: return {Structure::dense(a), a};
    case Form::csr: return {Structure::csr(csr(a)), a};
    case Form::pattern: {
      const Matrix pattern = (a.array() != 0).cast<double>();
      return {Structure::csr(csr(pattern)), pattern};
    }
    case Form::scaled_csr:
      return {Structure::scaled_csr(csr(a), left, right, 0.7),
              0.7 * left.asDiagonal() * a * right.asDiagonal()};
    case Form::left_only:
      return {Structure::scaled_csr(csr(a), left, {}, 2), 2 * left.asDiagonal() * a};
    case Form::right_only:
      return {Structure::scaled_csr(csr(a), {}, right, 1), a * right.asDiagonal()};
    case Form::diagonal: return {Structure::diagonal(left), left.asDiagonal()};
    case Form::identity: break;
  }
  return {Structure::scaled_identity(size, 0.3), 0.3 * Matrix::Identity(size, size)};
}

class AnyStructure
    : public testing::TestWithParam<std::tuple<Form, bool /*wide*/, bool /*symmetric*/>> {
 protected:
  static Twin twin() {
    const auto [form, wide, symmetric] = GetParam();
    return make_twin({form, wide, symmetric});
  }
  const Twin twin_ = twin();
  const Structure& C_ = twin_.structure;
  const Matrix& dense_ = twin_.dense;
};

INSTANTIATE_TEST_SUITE_P(Storages, AnyStructure,
                         testing::Combine(testing::ValuesIn(all_forms), testing::Bool(),
                                          testing::Bool()));

TEST_P(AnyStructure, HoldsItsEntries) {
  EXPECT_EQ(C_.size(), size);
  EXPECT_TRUE(C_.dense().isApprox(dense_, 1e-15));
  for (Index i = 0; i < size; ++i) {
    for (Index j = 0; j < size; ++j) EXPECT_EQ(C_.at(i, j), C_.dense()(i, j));
  }
}

TEST_P(AnyStructure, KnowsItsLargestEntry) {
  EXPECT_EQ(C_.largest_entry(), C_.dense().cwiseAbs().maxCoeff());
}

TEST_P(AnyStructure, KnowsWhetherItIsSymmetric) {
  EXPECT_EQ(C_.symmetric(), dense_.isApprox(dense_.transpose(), 1e-12));
}

TEST_P(AnyStructure, MultipliesVectors) {
  const Vector x = Vector::LinSpaced(size, -1, 2);
  EXPECT_TRUE(C_.product(x).isApprox(dense_ * x, 1e-14));
  EXPECT_TRUE(C_.transposed_product(x).isApprox(dense_.transpose() * x, 1e-14));
}

TEST_P(AnyStructure, SquareFormSumsSquares) {
  const Vector h = Vector::LinSpaced(size, 0, 0.25);
  const double expected = h.dot(dense_.cwiseAbs2() * h);
  EXPECT_NEAR(C_.square_form(h), expected, 1e-14 * expected);
}

TEST_P(AnyStructure, TransposesItself) {
  const Structure transposed = C_.transposed();
  EXPECT_TRUE(transposed.dense().isApprox(dense_.transpose(), 1e-15));
  EXPECT_EQ(transposed.symmetric(), C_.symmetric());
  EXPECT_EQ(transposed.largest_entry(), C_.largest_entry());
}

TEST_P(AnyStructure, SymmetrizesItself) {
  const Structure mean = C_.symmetrized();
  EXPECT_TRUE(mean.dense().isApprox((dense_ + dense_.transpose()) / 2, 1e-15));
  EXPECT_TRUE(mean.symmetric());
}

class AnyProduct : public testing::TestWithParam<std::tuple<Form, bool /*wide*/, PlanStorage>> {};

INSTANTIATE_TEST_SUITE_P(Storages, AnyProduct,
                         testing::Combine(testing::ValuesIn(all_forms), testing::Bool(),
                                          testing::ValuesIn(all_plan_storages)));

TEST_P(AnyProduct, EqualsTheDenseOne) {
  const auto [form, wide, plan_storage] = GetParam();
  const auto [C, dense] = make_twin({form, wide, false});
  detail::Random random(5, 0);
  const Plan plan = random_plan(random_weights(size, true, random), 3, plan_storage, 5);
  const Matrix T = plan.dense();
  EXPECT_TRUE(C.product(plan).isApprox(dense * T, 1e-14));
  EXPECT_TRUE(C.transposed_product(plan).isApprox(dense.transpose() * T, 1e-14));
}

TEST(Structure, CountsWhatItStores) {
  EXPECT_EQ(Structure::dense(Matrix::Zero(3, 3)).entries(), 9);
  EXPECT_EQ(Structure::csr(to_csr(Matrix{{0, 1}, {0, 0}})).entries(), 1);
  EXPECT_EQ(Structure::diagonal(Vector::Zero(4)).entries(), 4);
  EXPECT_EQ(Structure::scaled_identity(5).entries(), 5);
}

TEST(Structure, OfScaledOnesKnowsItsLargestEntryAndWhereOneIsNotFinite) {
  const std::vector<Entry> places{{0, 1}, {0, 2}, {1, 0}, {2, 2}};
  const Csr ones = make_csr(4, places, Duplicates::refuse);
  const Vector left{{0.5, -3, 2, 100}}, right{{-7, 1, -4, 1000}};
  const Structure C = Structure::scaled_csr(ones, left, right, -0.1);
  EXPECT_EQ(C.largest_entry(), C.dense().cwiseAbs().maxCoeff());
  EXPECT_DOUBLE_EQ(C.largest_entry(), 2.1);
  const Vector huge{{1, 1, 1e200, 1}};
  expect_error([&] { return Structure::scaled_csr(ones, huge, huge, 1); },
               "entry (2, 2) of the structure is inf, expected a finite number");
}

TEST(Structure, BelievesWhatItIsToldAboutSymmetry) {
  const Matrix asymmetric{{0, 1}, {2, 0}};
  EXPECT_TRUE(Structure::dense(asymmetric, true).symmetric());
  EXPECT_TRUE(Structure::csr(to_csr(asymmetric), true).symmetric());
  EXPECT_FALSE(Structure::dense(Matrix::Zero(2, 2), false).symmetric());
}

TEST(Structure, IsSymmetricUpToRounding) {
  EXPECT_TRUE(Structure::dense(Matrix{{1, 0.1}, {0.1 + 1e-13, 0}}).symmetric());
  EXPECT_FALSE(Structure::dense(Matrix{{1, 0.1}, {0.1 + 1e-11, 0}}).symmetric());
}

TEST(Structure, ScalingMakesAnAsymmetricPatternOfValuesSymmetric) {
  const Structure C = Structure::scaled_csr(to_csr(Matrix{{0, 2}, {6, 0}}), Vector{{3, 1}}, {}, 1);
  EXPECT_TRUE(C.symmetric());
}

TEST(Structure, WhatIsNotStoredIsZeroHoweverItIsScaled) {
  const Vector left{{1, 1e200}};
  const Vector right{{1e200, 1}};
  const Structure C = Structure::scaled_csr(to_csr(Matrix{{0, 1}, {0, 0}}), left, right, 1);
  EXPECT_EQ(C.dense(), (Matrix{{0, 1}, {0, 0}}));
  EXPECT_FALSE(C.symmetric());
  EXPECT_EQ(C.symmetrized().dense(), (Matrix{{0, 0.5}, {0.5, 0}}));
}

TEST(Structure, OfEqualScalingsIsSymmetricToTheLastBit) {
  detail::Random random(2, 0);
  const Csr a = to_csr(random_sparse(true, random));
  const Vector scaling = random_matrix(size, 1, random);
  const Matrix C = Structure::scaled_csr(a, scaling, scaling, 0.1).dense();
  EXPECT_EQ(C, Matrix(C.transpose()));
}

class ExtremeScale : public testing::TestWithParam<double> {};

INSTANTIATE_TEST_SUITE_P(Scales, ExtremeScale, testing::Values(1e-310, 1e-150, 1e150));

TEST_P(ExtremeScale, GivesFiniteNumbers) {
  const Structure C = Structure::csr(to_csr(GetParam() * Matrix{{1, 0.5}, {-0.5, 0}}));
  const Vector h{{0.5, 0.5}};
  EXPECT_EQ(C.largest_entry(), GetParam());
  EXPECT_FALSE(C.symmetric());
  EXPECT_TRUE(C.product(h).allFinite());
  EXPECT_TRUE(std::isfinite(C.square_form(h)));
  EXPECT_TRUE(C.symmetrized().dense().allFinite());
}

TEST(StructureCheck, RefusesMatricesThatAreNotSquare) {
  expect_error([] { return Structure::dense(Matrix::Zero(2, 3)); },
               "the structure is 2 x 3, expected a square matrix");
}

TEST(StructureCheck, RefusesNoRows) {
  constexpr auto message = "0 rows, expected at least 1";
  expect_error([] { return Structure::dense(Matrix()); }, message);
  expect_error([] { return Structure::csr(Csr()); }, message);
  expect_error([] { return Structure::diagonal(Vector()); }, message);
  expect_error([] { return Structure::scaled_identity(0); }, message);
}

TEST(StructureCheck, RefusesEntriesThatAreNotFinite) {
  expect_error(
      [] {
        return Structure::dense(Matrix{{0, 1}, {not_a_number, 0}});
      },
      "entry (1, 0) of the structure is nan, expected a finite number");
  expect_error(
      [] {
        return Structure::diagonal(Vector{{0, -inf}});
      },
      "entry (1, 1) of the structure is -inf, expected a finite number");
  expect_error([] { return Structure::scaled_identity(2, not_a_number); },
               "scale is nan, expected a finite number");
  const Csr a = to_csr(Matrix{{0, 1e200}, {1, 0}});
  expect_error(
      [&] {
        return Structure::scaled_csr(a, Vector{{1e200, 1}}, {}, 1);
      },
      "entry (0, 1) of the structure is inf, expected a finite number");
}

TEST(StructureCheck, RefusesBadScalings) {
  const Csr a = to_csr(Matrix{{0, 1}, {1, 0}});
  expect_error([&] { return Structure::scaled_csr(a, Vector::Ones(3), {}, 1); },
               "left has 3 entries, expected 2 or none");
  expect_error(
      [&] {
        return Structure::scaled_csr(a, {}, Vector{{1, not_a_number}}, 1);
      },
      "right[1] is nan, expected a finite number");
  expect_error([&] { return Structure::scaled_csr(a, {}, {}, inf); },
               "factor is inf, expected a finite number");
}

TEST(StructureCheck, RefusesSquaresThatMayOverflow) {
  const Structure C = Structure::diagonal(Vector{{1, 1e151}});
  expect_error(
      [&] {
        return C.square_form(Vector{{0.5, 0.5}});
      },
      "the structure has an entry of size 1e+151, expected at most 1e+150: its square is "
      "used");
}

TEST(StructureCheck, RefusesOperandsOfAnotherSize) {
  const Structure C = Structure::scaled_identity(3);
  const NodeId labels[] = {0, 0};
  const Plan plan = Plan::from_labels(Vector{{0.5, 0.5}}, labels, 1);
  expect_error([&] { return C.product(Vector::Zero(2)); },
               "a vector of size 2, expected 3, the size of the structure");
  expect_error([&] { return C.transposed_product(plan); },
               "a plan of size 2, expected 3, the size of the structure");
  expect_error([&] { return C.square_form(Vector::Zero(4)); },
               "weights of size 4, expected 3, the size of the structure");
  expect_error([&] { return C.at(0, 3); },
               "entry (0, 3) asked of a structure of size 3, expected indices below it");
}

TEST(StructureCheck, RefusesSizesThatOverflow) {
  expect_error([] { return Structure::scaled_identity(Index{1} << 32); },
               "4294967296 rows, expected at most 4294967295", Error::Kind::resource);
  expect_error([] { return Structure::scaled_identity((Index{1} << 32) - 1).dense(); },
               "a dense array of 4294967295 x 4294967295 numbers, expected at most "
               "1152921504606846975 of them",
               Error::Kind::resource);
}

}  // namespace
}  // namespace srgw::test
