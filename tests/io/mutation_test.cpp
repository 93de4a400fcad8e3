// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "fuzz/targets.hpp"
#include "io/read_text.hpp"
#include "support/data.hpp"

namespace srgw::test {
namespace {

/// Good and bad files to start from.
std::vector<std::string> seeds(const fuzz::Target& target) {
  std::vector<std::filesystem::path> files;
  for (const auto& folder : {test_data("bad"), test_data("../fuzz/seeds")}) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      const auto ending = entry.path().extension();
      const auto& known = target.endings;
      if (std::find(known.begin(), known.end(), ending) != known.end()) {
        files.push_back(entry.path());
      }
    }
  }
  std::sort(files.begin(), files.end());
  std::vector<std::string> texts;
  for (const auto& file : files) texts.push_back(file_text(file));
  return texts;
}

/// Changes, drops, repeats or joins some bytes.
std::string mutated(const std::vector<std::string>& from, std::mt19937& random) {
  const auto below = [&](std::size_t bound) { return bound == 0 ? 0 : random() % bound; };
  std::string text = from[below(from.size())];
  for (std::size_t changes = 1 + below(4); changes > 0; --changes) {
    const std::size_t at = below(text.size() + 1);
    const std::size_t length = below(std::min<std::size_t>(text.size() - at, 16) + 1);
    const std::string& other = from[below(from.size())];
    switch (random() % 6) {
      case 0:
        if (at < text.size()) text[at] = static_cast<char>(random());
        break;
      case 1: text.erase(at, length); break;
      case 2: text.insert(at, text.substr(at, length)); break;
      case 3: text.insert(at, other.substr(below(other.size()), below(40))); break;
      case 4:
        text.insert(at, std::to_string(static_cast<std::int64_t>(random()) << below(32)));
        break;
      default:
        if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << (random() % 8)));
    }
  }
  return text;
}

class Mutations : public testing::TestWithParam<fuzz::Target> {};

INSTANTIATE_TEST_SUITE_P(Readers, Mutations,
                         testing::ValuesIn(fuzz::targets().begin(), fuzz::targets().end()),
                         [](const auto& test) { return std::string(test.param.name); });

/// What libFuzzer does for minutes (make fuzz), in small and with the same bytes every time.
TEST_P(Mutations, AreReadOrRefused) {
  const auto from = seeds(GetParam());
  ASSERT_FALSE(from.empty());
  for (const std::string& text : from) EXPECT_NO_THROW(GetParam().read(text));
  std::mt19937 random(1);
  for (int i = 0; i < 10000; ++i) {
    const std::string text = mutated(from, random);
    ASSERT_NO_THROW(GetParam().read(text)) << text;
  }
}

}  // namespace
}  // namespace srgw::test
