// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <random>

#include "io/read_text.hpp"
#include "support/data.hpp"

namespace srgw::test {
namespace {

/// Good and bad files of a format to start from.
std::vector<std::string> seeds(const std::string& extension) {
  std::vector<std::filesystem::path> files;
  for (const auto& folder : {test_data("bad"), test_data("../fuzz/seeds")}) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() == extension) files.push_back(entry.path());
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

class Mutations : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Formats, Mutations,
                         testing::Values(".txt", ".csv", ".gz", ".mtx", ".graph", ".graphml",
                                         ".gml", ".npy", ".npz"));

/// What libFuzzer does for minutes (make fuzz), in small and with the same bytes every time.
TEST_P(Mutations, GiveAGraphOrAnError) {
  const auto from = seeds(GetParam());
  ASSERT_FALSE(from.empty());
  const std::string name =
      std::string("mutated") + (GetParam() == std::string(".gz") ? ".txt" : "") + GetParam();
  std::mt19937 random(1);
  int read = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::string text = mutated(from, random);
    const io::ReadOptions options{.directed = i % 3 == 0,
                                  .duplicates = i % 2 == 0 ? Duplicates::refuse : Duplicates::sum,
                                  .threads = 1,
                                  .max_unpacked_bytes = 1 << 22};
    try {
      static_cast<void>(io::parse_graph(text, name, options));
      ++read;
    } catch (const Error&) {
    }
  }
  RecordProperty("read", read);
}

}  // namespace
}  // namespace srgw::test
