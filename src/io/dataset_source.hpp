// SPDX-License-Identifier: MIT
#pragma once

#include "srgw/io.hpp"

namespace srgw::io {

/// Where the graphs of a DatasetReader come from.
struct DatasetReader::Source {
  virtual ~Source() = default;
  [[nodiscard]] virtual std::size_t graphs() const = 0;
  /// Graphs `begin` to `end` - 1; never asked for in another order.
  [[nodiscard]] virtual Dataset read(std::size_t begin, std::size_t end) = 0;
  /// The costs of all graphs, see DatasetReader.
  [[nodiscard]] virtual std::vector<std::uint64_t> costs() = 0;
  /// The next graphs, up to `end` - 1, will not be asked for.
  virtual void skip(std::size_t /*end*/) {}
  std::size_t position = 0;
};

}  // namespace srgw::io
