// SPDX-License-Identifier: MIT
#include "srgw/graph.hpp"

#include <gtest/gtest.h>

#include "support/expect_error.hpp"

namespace srgw::test {
namespace {

using Names = std::vector<std::string>;

TEST(NodeNames, StoreNumbersAsNumbers) {
  EXPECT_EQ(NodeNames(Names{"0", "1"}), NodeNames::numbered(2));
  EXPECT_EQ(NodeNames(Names{"5", "6", "7"}), NodeNames::numbered(3, 5));
  EXPECT_EQ(NodeNames(Names{"5", "3"}), NodeNames(std::vector<std::int64_t>{5, 3}));
  EXPECT_TRUE(NodeNames(Names{"-5", "3"}).are_numbers());
  EXPECT_TRUE(NodeNames::numbered(3).are_indices());
  EXPECT_FALSE(NodeNames::numbered(3, 1).are_indices());
}

TEST(NodeNames, KeepTextsAsTheyAre) {
  for (const char* odd : {"01", "+1", "1.0", "-0", "99999999999999999999", "a", ""}) {
    const NodeNames names(Names{"1", odd});
    EXPECT_FALSE(names.are_numbers());
    EXPECT_EQ(names[1], odd);
    EXPECT_EQ(names.size(), 2);
  }
}

TEST(NameIndex, FindsNodes) {
  const NodeNames names[] = {NodeNames::numbered(3, 4), NodeNames(Names{"4", "6", "5"}),
                             NodeNames(Names{"a", "4", "b"})};
  for (const NodeNames& all : names) {
    const NameIndex index(all);
    for (Index i = 0; i < all.size(); ++i) EXPECT_EQ(index.find(all[i]), static_cast<NodeId>(i));
    EXPECT_FALSE(index.find("7"));
    EXPECT_FALSE(index.find("c"));
  }
}

TEST(NameIndex, RefusesOneNameForTwoNodes) {
  const NodeNames twice(Names{"a", "a"});
  expect_error([&] { return NameIndex(twice).find("a"); },
               "two nodes are called a, expected different names");
}

}  // namespace
}  // namespace srgw::test
