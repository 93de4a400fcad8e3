// SPDX-License-Identifier: MIT
#include "fuzz/targets.hpp"

#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <stdexcept>

#include "srgw/io.hpp"
#include "srgw/types.hpp"

namespace srgw::fuzz {

namespace {

namespace fs = std::filesystem;

/// Calls `read`, which may refuse.
template <class Read>
void tolerate(Read read) {
  try {
    static_cast<void>(read());
  } catch (const Error&) {
  }
}

/// Options that the first byte chooses, so that their code is walked, too.
io::ReadOptions options_of(std::string_view bytes) {
  io::ReadOptions options{.threads = 1, .max_unpacked_bytes = std::uint64_t{1} << 24};
  if (bytes.empty()) return options;
  const auto first = static_cast<unsigned char>(bytes[0]);
  options.directed = (first & 1U) != 0;
  options.symmetrize = (first & 2U) != 0;
  if ((first & 4U) != 0) options.duplicates = Duplicates::sum;
  return options;
}

template <const char* format>
void read_graph(std::string_view bytes) {
  io::ReadOptions options = options_of(bytes);
  options.format = format;
  tolerate([&] { return io::parse_graph(bytes, "input", options); });
}

NodeNames sample_names() { return NodeNames(std::vector<std::string>{"a", "b", "c"}); }

template <const char* name>
void read_labels(std::string_view bytes) {
  tolerate([&] { return io::join(io::parse_labels(bytes, name), sample_names()); });
}

template <const char* name>
void read_features(std::string_view bytes) {
  tolerate([&] { return io::parse_features(bytes, name, sample_names()); });
}

void read_archive(std::string_view bytes) {
  tolerate([&] {
    return io::Archive::parse(bytes, nullptr, "input", "", std::numeric_limits<int>::max());
  });
}

/// A folder of this process, gone at its end.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("srgw-fuzz-" + std::to_string(::getpid()))) {
    fs::create_directories(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  [[nodiscard]] fs::path operator/(const std::string& name) const { return path_ / name; }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// The bytes are the files of a TUDataset, each behind a line `@part`: A, graph_indicator, ...
void read_tud(std::string_view bytes) {
  static const Folder folder;
  for (const auto& entry : fs::directory_iterator(folder.path())) fs::remove(entry.path());
  const io::ReadOptions options = options_of(bytes);
  while (!bytes.empty()) {
    const std::size_t next = std::min(bytes.find("\n@"), bytes.size());
    std::string_view part = bytes.substr(0, next);
    bytes.remove_prefix(std::min(next + 1, bytes.size()));
    const std::size_t end = std::min(part.find('\n'), part.size());
    for (const char* known : {"A", "graph_indicator", "graph_labels", "node_labels",
                              "node_attributes", "edge_labels"}) {
      if (part.substr(0, end) != std::string("@") + known) continue;
      std::ofstream file(folder / (std::string("D_") + known + ".txt"), std::ios::binary);
      file << part.substr(std::min(end + 1, part.size())) << '\n';
    }
  }
  tolerate([&] { return io::read_dataset(folder.path(), options); });
}

void read_packed(std::string_view bytes) {
  static const Folder folder;
  const fs::path path = folder / "input.npz";
  std::ofstream(path, std::ios::binary) << bytes;
  tolerate([&] { return io::read_dataset(path, options_of(bytes)); });
}

constexpr char edges[] = "edges", mtx[] = "mtx", metis[] = "metis", graphml[] = "graphml",
               gml[] = "gml", npy[] = "npy", npz[] = "npz", tsv_file[] = "input.tsv",
               csv_file[] = "input.csv", json_file[] = "input.json", npy_file[] = "input.npy";

const std::vector<Target>& table() {
  static const std::vector<Target> rows{
      {"edges", {".txt", ".csv", ".gz"}, read_graph<edges>},
      {"mtx", {".mtx"}, read_graph<mtx>},
      {"metis", {".graph"}, read_graph<metis>},
      {"graphml", {".graphml"}, read_graph<graphml>},
      {"gml", {".gml"}, read_graph<gml>},
      {"npy", {".npy"}, read_graph<npy>},
      {"npz", {".npz"}, read_graph<npz>},
      {"labels_tsv", {".labels"}, read_labels<tsv_file>},
      {"labels_csv", {".labels"}, read_labels<csv_file>},
      {"labels_json", {".json"}, read_labels<json_file>},
      {"labels_npy", {".npy"}, read_labels<npy_file>},
      {"features_csv", {".features"}, read_features<csv_file>},
      {"features_npy", {".npy"}, read_features<npy_file>},
      {"tud", {".tud"}, read_tud},
      {"packed", {".npz"}, read_packed},
      {"archive", {".npz"}, read_archive},
  };
  return rows;
}

}  // namespace

std::span<const Target> targets() { return table(); }

const Target& target(std::string_view name) {
  for (const Target& one : table()) {
    if (name == one.name) return one;
  }
  throw std::out_of_range("no target " + std::string(name));
}

}  // namespace srgw::fuzz
