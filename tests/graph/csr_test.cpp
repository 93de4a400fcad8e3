// SPDX-License-Identifier: MIT
#include "srgw/graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "base/random.hpp"
#include "graph/csr_rows.hpp"
#include "support/expect_error.hpp"
#include "support/random_problem.hpp"
#include "support/wide_offsets.hpp"

namespace srgw::test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Matrix to_dense(const Csr& csr) {
  Matrix dense = Matrix::Zero(csr.rows(), csr.rows());
  detail::for_each_entry(csr, [&](Index i, Index j, double value) { dense(i, j) = value; });
  return dense;
}

/// A matrix from its arrays, malformed if they are.
Csr from_arrays(std::vector<std::uint32_t> offsets, std::vector<NodeId> columns,
                std::vector<double> values = {}) {
  return {.offsets = SharedArray(std::move(offsets)),
          .columns = std::move(columns),
          .values = std::move(values)};
}

void expect_malformed(const Csr& csr, const std::string& message) {
  const auto call = [&] {
    check(csr);
    return true;
  };
  expect_error(call, message);
}

TEST(Csr, SortsEntriesIntoRows) {
  const Entry entries[] = {{2, 1, 5}, {0, 2, 3}, {2, 0, 4}, {0, 0, 2}};
  const Csr csr = make_csr(3, entries, Duplicates::refuse);
  Matrix expected{{2, 0, 3}, {0, 0, 0}, {4, 5, 0}};
  EXPECT_EQ(to_dense(csr), expected);
  EXPECT_EQ(csr.rows(), 3);
  EXPECT_EQ(csr.entries(), 4);
  EXPECT_TRUE(csr.has_values());
  EXPECT_NO_THROW(check(csr));
}

TEST(Csr, WithoutEntriesIsZero) {
  const Csr csr = make_csr(2, {}, Duplicates::refuse);
  EXPECT_EQ(to_dense(csr), Matrix::Zero(2, 2));
  EXPECT_NO_THROW(check(csr));
}

TEST(Csr, StoresNoValuesWhenAllAreOne) {
  const Entry ones[] = {{1, 0, 1}, {0, 1, 1}};
  EXPECT_FALSE(make_csr(2, ones, Duplicates::refuse).has_values());
  const Entry first_is_one[] = {{0, 1, 1}, {1, 0, 2}};
  const Csr csr = make_csr(2, first_is_one, Duplicates::refuse);
  EXPECT_TRUE(csr.has_values());
  EXPECT_EQ(to_dense(csr), (Matrix{{0, 1}, {2, 0}}));
}

TEST(Csr, UsesNarrowOffsetsForFewEntries) {
  const Entry entries[] = {{0, 1, 1}};
  const Csr csr = make_csr(2, entries, Duplicates::refuse);
  EXPECT_TRUE(std::holds_alternative<SharedArray<std::uint32_t>>(csr.offsets));
}

struct DuplicateEntry {
  Duplicates duplicates;
  double expected;
};

class CsrDuplicates : public testing::TestWithParam<DuplicateEntry> {};

TEST_P(CsrDuplicates, MergesEntriesOfOnePlace) {
  const Entry entries[] = {{1, 1, 3}, {0, 1, 2}, {1, 1, 5}, {1, 1, 4}};
  const Csr csr = make_csr(2, entries, GetParam().duplicates);
  EXPECT_EQ(to_dense(csr), (Matrix{{0, 2}, {0, GetParam().expected}}));
}

INSTANTIATE_TEST_SUITE_P(Rules, CsrDuplicates,
                         testing::Values(DuplicateEntry{Duplicates::sum, 12},
                                         DuplicateEntry{Duplicates::maximum, 5},
                                         DuplicateEntry{Duplicates::first, 3}));

TEST(Csr, SumsDuplicatesOfOnes) {
  const Entry entries[] = {{0, 1, 1}, {1, 0, 1}, {0, 1, 1}};
  EXPECT_EQ(to_dense(make_csr(2, entries, Duplicates::sum)), (Matrix{{0, 2}, {1, 0}}));
}

TEST(Csr, RefusesDuplicatesWhenAsked) {
  const Entry entries[] = {{0, 1, 2.5}, {0, 1, 3}};
  expect_error([&] { return make_csr(2, entries, Duplicates::refuse); },
               "(0, 1) is given twice, as 2.5 and 3; expected once, or a rule for duplicates: sum, "
               "maximum or first");
}

TEST(Csr, RefusesSumsThatOverflow) {
  const Entry entries[] = {{0, 1, 1e308}, {0, 1, 1e308}};
  expect_error([&] { return make_csr(2, entries, Duplicates::sum); },
               "the weights of (0, 1) sum to inf, expected a finite number");
}

TEST(Csr, RefusesEntriesOutsideTheMatrix) {
  const Entry entries[] = {{0, 1, 1}, {1, 3, 1}};
  expect_error([&] { return make_csr(2, entries, Duplicates::refuse); },
               "entry 1 is at (1, 3), expected indices below 2");
}

TEST(Csr, RefusesValuesThatAreNotFinite) {
  const Entry entries[] = {{0, 1, nan}};
  expect_error([&] { return make_csr(2, entries, Duplicates::refuse); },
               "entry 0 at (0, 1) is nan, expected a finite number");
}

TEST(Csr, RefusesImpossibleRowCounts) {
  expect_error([] { return make_csr(0, {}, Duplicates::refuse); }, "0 rows, expected at least 1");
  expect_error([] { return make_csr(-3, {}, Duplicates::refuse); }, "-3 rows, expected at least 1");
  expect_error([] { return make_csr(Index{1} << 32, {}, Duplicates::refuse); },
               "4294967296 rows, expected at most 4294967295", Error::Kind::resource);
}

struct SortingCase {
  Index rows;
  std::size_t entries;
};

class CsrSorting : public testing::TestWithParam<SortingCase> {};

// Few entries, one digit; few entries, several digits; so many that they are split into buckets.
INSTANTIATE_TEST_SUITE_P(Sizes, CsrSorting,
                         testing::Values(SortingCase{1, 3}, SortingCase{50, 400},
                                         SortingCase{5'000, 3'000}, SortingCase{3'000, 100'000},
                                         SortingCase{1'000'000, 100'000}));

TEST_P(CsrSorting, AgreesWithAComparisonSort) {
  const auto [rows, count] = GetParam();
  detail::Random random(7, 0);
  const auto node = [&] {
    return static_cast<NodeId>(random.below(static_cast<std::uint64_t>(rows)));
  };
  std::vector<Entry> entries(count);
  for (Entry& entry : entries) entry = {node(), node(), random.normal()};
  const Csr csr = make_csr(rows, entries, Duplicates::first);
  EXPECT_NO_THROW(check(csr));

  const auto place = [](const Entry& e) { return std::pair(e.row, e.column); };
  std::stable_sort(entries.begin(), entries.end(),
                   [&](const Entry& a, const Entry& b) { return place(a) < place(b); });
  const auto end = std::unique(entries.begin(), entries.end(), [&](const Entry& a, const Entry& b) {
    return place(a) == place(b);
  });
  ASSERT_EQ(csr.entries(), end - entries.begin());
  auto expected = entries.begin();
  detail::for_each_entry(csr, [&](Index row, Index column, double value) {
    ASSERT_EQ(row, expected->row);
    ASSERT_EQ(column, expected->column);
    ASSERT_EQ(value, expected->value);
    ++expected;
  });
}

struct MatrixCase {
  std::uint64_t seed;
  bool wide;
};

class RandomCsr : public testing::TestWithParam<MatrixCase> {
 protected:
  RandomCsr() {
    detail::Random random(GetParam().seed, 0);
    dense_ = random_matrix(9, 9, random, 0.4);
    csr_ = to_csr(dense_);
    if (GetParam().wide) csr_ = with_wide_offsets(csr_);
  }
  Matrix dense_;
  Csr csr_;
};

INSTANTIATE_TEST_SUITE_P(Widths, RandomCsr,
                         testing::Values(MatrixCase{1, false}, MatrixCase{2, false},
                                         MatrixCase{1, true}, MatrixCase{2, true}));

TEST_P(RandomCsr, HoldsTheEntries) {
  EXPECT_NO_THROW(check(csr_));
  EXPECT_EQ(to_dense(csr_), dense_);
}

TEST_P(RandomCsr, TransposeSwapsRowsAndColumns) {
  EXPECT_NO_THROW(check(transpose(csr_)));
  EXPECT_EQ(to_dense(transpose(csr_)), Matrix(dense_.transpose()));
}

TEST_P(RandomCsr, TransposeOfTransposeIsTheMatrix) {
  EXPECT_EQ(to_dense(transpose(transpose(csr_))), dense_);
}

TEST_P(RandomCsr, SymmetrizeIsTheMeanWithTheTranspose) {
  const Csr mean = symmetrize(csr_);
  EXPECT_NO_THROW(check(mean));
  EXPECT_TRUE(to_dense(mean).isApprox(Matrix((dense_ + dense_.transpose()) / 2), 1e-15));
  EXPECT_TRUE(is_symmetric(mean, 0));
}

TEST_P(RandomCsr, IsNotSymmetric) { EXPECT_FALSE(is_symmetric(csr_, 1e-12)); }

TEST(Csr, SymmetrizeOfAPatternKeepsNoValues) {
  const Entry both[] = {{0, 1, 1}, {1, 0, 1}, {1, 1, 1}};
  EXPECT_FALSE(symmetrize(make_csr(2, both, Duplicates::refuse)).has_values());
}

TEST(Csr, IsSymmetricUpToTheTolerance) {
  const Csr nearly = to_csr(Matrix{{10, 1}, {1 + 5e-12, 0}});
  EXPECT_TRUE(is_symmetric(nearly, 1e-12));
  EXPECT_FALSE(is_symmetric(nearly, 1e-13));
}

TEST(Csr, MissingCounterpartIsZeroForSymmetry) {
  EXPECT_FALSE(is_symmetric(to_csr(Matrix{{0, 1}, {0, 0}}), 1e-12));
}

TEST(CsrCheck, RefusesMalformedOffsets) {
  expect_malformed(Csr{}, "0 rows, expected at least 1");
  expect_malformed(from_arrays({1, 2}, {0, 0}), "the first offset is 1, expected 0");
  expect_malformed(from_arrays({0, 3}, {0}),
                   "the last offset is 3, expected the number of entries 1");
  expect_malformed(from_arrays({0, 2, 1}, {0}),
                   "the offsets fall from 2 to 1 in row 1, expected them to rise");
}

TEST(CsrCheck, RefusesMalformedColumns) {
  expect_malformed(from_arrays({0, 0, 1}, {2}), "row 1 names column 2, expected columns below 2");
  expect_malformed(from_arrays({0, 2, 2}, {1, 0}),
                   "row 0 names column 0 after column 1, expected rising columns");
  expect_malformed(from_arrays({0, 2, 2}, {1, 1}),
                   "row 0 names column 1 after column 1, expected rising columns");
}

TEST(CsrCheck, RefusesMalformedValues) {
  expect_malformed(from_arrays({0, 1, 2}, {1, 0}, {3}),
                   "1 values for 2 entries, expected as many or none");
  expect_malformed(from_arrays({0, 1, 2}, {1, 0}, {3, nan}),
                   "entry (1, 0) is nan, expected a finite number");
}

}  // namespace
}  // namespace srgw::test
