// SPDX-License-Identifier: MIT
#include "srgw/dictionary.hpp"

#include <gtest/gtest.h>

#include "support/expect_error.hpp"
#include "support/random_problem.hpp"

namespace srgw {
namespace {

using test::expect_error;

Matrix some_rows(Index rows, Index columns) {
  detail::Random random(3, 0);
  return test::random_matrix(rows, columns, random);
}

TEST(RowScale, BlocksGetTheSameVariance) {
  const std::vector<Index> blocks{4, 1, 6, 1};
  Matrix rows = some_rows(12, 12);
  rows.leftCols(4) *= 1000;
  const RowScale scale = row_scale(rows, blocks, RowScaling::blocks);
  const Matrix scaled = scale.apply(rows);
  EXPECT_LT(scaled.colwise().mean().cwiseAbs().maxCoeff(), 1e-13);
  Index first = 0;
  for (const Index width : blocks) {
    const Matrix part = scaled.middleCols(first, width);
    EXPECT_NEAR(part.rowwise().squaredNorm().mean(), 1, 1e-12) << "columns from " << first;
    first += width;
  }
  // Inside a block proportions stay, and new rows are treated alike.
  EXPECT_EQ(scale.factors.head(4), Vector::Constant(4, scale.factors[0]));
  EXPECT_EQ(scale.apply(rows.topRows(3)), scaled.topRows(3));
  const std::vector<Index> one{12};
  EXPECT_EQ(row_scale(rows, one, RowScaling::blocks).apply(rows), rows);
  EXPECT_EQ(row_scale(rows, blocks, RowScaling::none).apply(rows), rows);
}

TEST(RowScale, RanksAreSharesOfTheRowsBelow) {
  Matrix rows(4, 2);
  rows << 1, 5, 1e9, 5, 2, 5, -3, 7;
  const std::vector<Index> one{2}, two{1, 1};
  const RowScale ranks = row_scale(rows, one, RowScaling::quantiles);
  Matrix expected(4, 2);
  expected << 3. / 8, 3. / 8, 7. / 8, 3. / 8, 5. / 8, 3. / 8, 1. / 8, 7. / 8;
  EXPECT_EQ(ranks.apply(rows), expected);
  // A new row stands between those that the ranks are taken in.
  Matrix others(3, 2);
  others << -10, 8, 1.5, 6, 2, 5;
  Matrix between(3, 2);
  between << 0, 1, 2. / 4, 3. / 4, 5. / 8, 3. / 8;
  EXPECT_EQ(ranks.apply(others), between);
  const Matrix scaled = row_scale(rows, two, RowScaling::quantiles).apply(rows);
  EXPECT_NEAR(scaled.col(0).squaredNorm() / 4, 1, 1e-12);
  EXPECT_NEAR(scaled.col(1).squaredNorm() / 4, 1, 1e-12);
  EXPECT_LT(scaled.colwise().sum().cwiseAbs().maxCoeff(), 1e-12);
}

TEST(RowScale, WhatDoesNotVaryBecomesZero) {
  Matrix rows = Matrix::Constant(5, 3, 0.1);
  rows(2, 2) = 7;
  const std::vector<Index> blocks{2, 1};
  for (const RowScaling scaling : {RowScaling::blocks, RowScaling::quantiles}) {
    const Matrix scaled = row_scale(rows, blocks, scaling).apply(rows);
    EXPECT_EQ(scaled.leftCols(2), Matrix::Zero(5, 2));
    EXPECT_NEAR(scaled.col(2).squaredNorm() / 5, 1, 1e-12);
  }
}

TEST(RowScale, RefusesWhatDoesNotFit) {
  const Matrix rows = some_rows(5, 3);
  const std::vector<Index> blocks{2, 1}, others{2, 2};
  expect_error([&] { return row_scale(rows, others, RowScaling::blocks); },
               "blocks have 4 columns, expected those of the rows: 3");
  expect_error([&] { return row_scale(Matrix(0, 3), blocks, RowScaling::quantiles); },
               "no rows, expected some to scale by");
  for (const RowScaling scaling : {RowScaling::blocks, RowScaling::quantiles}) {
    const RowScale scale = row_scale(rows, blocks, scaling);
    expect_error([&] { return scale.apply(Matrix(2, 4)); }, "rows have 4 columns, expected 3");
  }
  for (const auto& row : names_of(RowScaling{})) {
    EXPECT_EQ(name(from_name<RowScaling>(row.name, "scale")), row.name);
  }
  expect_error([] { return from_name<RowScaling>("all", "scale"); },
               "scale 'all', expected one of: blocks, quantiles, none");
}

}  // namespace
}  // namespace srgw
