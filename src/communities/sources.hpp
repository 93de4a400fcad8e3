// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "srgw/partition.hpp"
#include "srgw/transform.hpp"

namespace srgw::detail {

/// The structures of one graph. Kernels at several times share their eigendecomposition, and the
/// last one is kept: settings that differ in scale or weights alone have the same.
class Sources {
 public:
  Sources(const Graph& graph, int threads) : graph_(graph), threads_(threads) {}

  [[nodiscard]] Source of(const PartitionOptions& options);

 private:
  [[nodiscard]] Source structure(const PartitionStructure& structure);
  [[nodiscard]] Source kernel(const PartitionStructure& structure);
  [[nodiscard]] Source make_kernel(bool heat, double time);

  const Graph& graph_;
  int threads_;
  std::optional<Kernels> heat_ = {}, stability_ = {};
  std::optional<Source> last_ = {};  // a kernel
  PartitionStructure last_structure_ = {};
};

}  // namespace srgw::detail
