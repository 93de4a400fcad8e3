// SPDX-License-Identifier: MIT
//
// Usage: srgw_read FILE THREADS ROUNDS
// Reads an edge list again and again, then once more with its memory watched; prints JSON.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "srgw/io.hpp"

namespace {

using Clock = std::chrono::steady_clock;

/// A line of /proc/self/status, in bytes. RssAnon is what is resident and no mapped file.
std::uint64_t resident_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::uint64_t kilobytes = 0;
    if (word == "RssAnon:" && status >> kilobytes) return kilobytes * 1024;
  }
  return 0;
}

/// The largest resident size while it lives, beyond that at its beginning.
class PeakWatch {
 public:
  PeakWatch() : before_(resident_bytes()), thread_([this] { watch(); }) {}
  std::uint64_t stop() {
    stopped_ = true;
    thread_.join();
    return peak_ - std::min(peak_, before_);
  }

 private:
  void watch() {
    while (!stopped_) {
      peak_ = std::max(peak_, resident_bytes());
      std::this_thread::sleep_for(std::chrono::microseconds(500));
    }
  }

  std::uint64_t before_;
  std::uint64_t peak_ = 0;
  std::atomic<bool> stopped_ = false;
  std::thread thread_;
};

std::uint64_t bytes_of(const srgw::Csr& csr) {
  const auto bytes = [](const auto& array) { return array.view().size_bytes(); };
  return std::visit(bytes, csr.offsets) + bytes(csr.columns) + bytes(csr.values);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) {
    std::cerr << "usage: srgw_read FILE THREADS ROUNDS\n";
    return 2;
  }
  const std::string file = arguments[1];
  const srgw::io::ReadOptions options{.threads = std::atoi(arguments[2])};
  // First, while the memory that was given back by nobody can be mistaken for what is needed.
  PeakWatch watch;
  const srgw::Graph graph = srgw::io::read_graph(file, options).graph;
  const std::uint64_t peak = watch.stop();
  std::vector<double> seconds;
  for (int round = 0; round < std::atoi(arguments[3]); ++round) {
    const auto begin = Clock::now();
    const auto again = srgw::io::read_graph(file, options);
    seconds.push_back(std::chrono::duration<double>(Clock::now() - begin).count());
    if (again.graph.edges() != graph.edges()) return 1;
  }
  std::cout << nlohmann::json{{"nodes", graph.nodes()},
                              {"entries", graph.adjacency().entries()},
                              {"seconds", seconds},
                              {"csr_bytes", bytes_of(graph.adjacency())},
                              {"peak_bytes", peak}}
            << "\n";
  return 0;
}
