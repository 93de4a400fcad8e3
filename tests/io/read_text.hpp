// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "srgw/io.hpp"
#include "srgw/structure.hpp"
#include "support/expect_error.hpp"

namespace srgw::test {

/// A folder that exists as long as the test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "srgw-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }

  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const {
    return path_ / name;
  }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline std::string file_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline std::filesystem::path write_file(const std::filesystem::path& path,
                                        const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

inline Matrix dense(const Graph& graph) { return Structure::csr(graph.adjacency()).dense(); }

inline std::vector<std::string> to_list(const NodeNames& names) {
  std::vector<std::string> list;
  for (Index i = 0; i < names.size(); ++i) list.push_back(names[i]);
  return list;
}

/// Entry for entry and bit for bit the same.
inline void expect_same(const io::NamedGraph& found, const io::NamedGraph& expected) {
  const Csr &a = found.graph.adjacency(), &b = expected.graph.adjacency();
  EXPECT_EQ(found.graph.nodes(), expected.graph.nodes());
  EXPECT_EQ(found.graph.edges(), expected.graph.edges());
  EXPECT_EQ(found.graph.directed(), expected.graph.directed());
  EXPECT_TRUE(std::equal(a.columns.begin(), a.columns.end(), b.columns.begin(), b.columns.end()));
  EXPECT_TRUE(std::equal(a.values.begin(), a.values.end(), b.values.begin(), b.values.end()));
  const auto offsets = [](const Csr& csr) {
    return std::visit(
        [](const auto& array) { return std::vector<std::uint64_t>(array.begin(), array.end()); },
        csr.offsets);
  };
  EXPECT_EQ(offsets(a), offsets(b));
  EXPECT_EQ(found.names, expected.names);
  EXPECT_EQ(found.node_attributes, expected.node_attributes);
  EXPECT_EQ(found.edge_attributes, expected.edge_attributes);
}

/// Writes each kind of sample(weighted, directed) under a name and reads it back.
template <class Sample>
void expect_round_trips(const char* name, const Sample& sample) {
  const TemporaryFolder folder;
  for (const bool weighted : {false, true}) {
    for (const bool directed : {false, true}) {
      const io::NamedGraph written = sample(weighted, directed);
      io::write_graph(written, folder / name);
      expect_same(io::read_graph(folder / name), written);
    }
  }
}

}  // namespace srgw::test
