// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "srgw/report.hpp"

namespace srgw::detail {

/// Sections that pages share.
[[nodiscard]] ReportSection origin_section(const ReportOrigin& origin);
[[nodiscard]] ReportSection certificate_section(const Solution& solution);
/// Value and gap on the way, and the ends of the starts; only where there is something to show.
void add_curves(std::vector<ReportSection>& sections, const Solution& solution);

[[nodiscard]] std::string format_count(Index count, const char* word);  ///< 1 node, 2 nodes
[[nodiscard]] std::vector<ReportFact> graph_facts(const Graph& graph, const std::string& file);

}  // namespace srgw::detail
