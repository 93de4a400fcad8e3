// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/common.hpp"
#include "srgw/io.hpp"
#include "srgw/partition.hpp"
#include "srgw/report.hpp"

namespace srgw::cli {

/// Previous and fixed labels, by one numbering.
struct ConstraintLabels {
  std::vector<std::int64_t> previous = {}, fixed = {};  ///< of each node; -1: none
  std::vector<std::string> classes = {};  ///< what id k is called; empty: ids are numbers
  Index vanished = 0;                     ///< nodes with a previous label that are not in the graph
};
/// Reads the files, where they are given. Throws for fixed labels of nodes that do not exist.
[[nodiscard]] ConstraintLabels read_constraints(const std::string& previous,
                                                const std::string& fixed, const NodeNames& names);

/// The labels of a partition under their ids, to be written; fresh clusters are called by the
/// smallest numbers that are no class yet.
[[nodiscard]] io::NodeLabels labels_to_write(const Partition& found, const ConstraintLabels& labels,
                                             const NodeNames& names);

/// The part that the report page needs. Refers to `labels`.
[[nodiscard]] PreviousLabels previous_for_report(const Partition& found,
                                                 const ConstraintLabels& labels);

/// Prints a note where previous labels cover less than half of the nodes.
void note_update(const Partition& found, const std::string& file, const Common& common);
void add_update(nlohmann::ordered_json& json, const Partition& found,
                const ConstraintLabels& labels);
void print_update(const Partition& found, const ConstraintLabels& labels);

}  // namespace srgw::cli
