// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "srgw/graph.hpp"
#include "srgw/solve.hpp"

namespace srgw::cli {

/// Where the solver starts: a name of the library, `labels:FILE` or `plan:FILE`.
struct StartWord {
  std::optional<Start> start = {};  ///< absent: a file
  std::string file = {};
  bool is_plan = false;  ///< the file is a plan, not labels

  /// Whether the start puts each node on one target node.
  [[nodiscard]] bool is_hard() const;
};
/// Throws a usage error that lists the names.
[[nodiscard]] StartWord start_from_text(const std::string& text);
/// Help text of --start.
[[nodiscard]] std::string start_help();

/// A start that a file holds: labels or a plan, with a row for each node.
struct StartFile {
  std::string file;
  std::vector<std::int64_t> labels;
  Matrix plan;
};
/// Nothing if the start is not a file.
[[nodiscard]] std::optional<StartFile> read_start(const StartWord& word, const NodeNames& names);
/// Labels as target nodes; throws when there are more of them than target nodes.
[[nodiscard]] Assignment start_labels(const StartFile& start, Index columns);
/// Throws when a plan does not have as many columns.
void check_columns(const StartFile& start, Index columns);
/// Throws when it does not fit the problem.
[[nodiscard]] Plan start_plan(const StartFile& start, const Problem& problem);

}  // namespace srgw::cli
