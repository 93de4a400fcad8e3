// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "report/graph_view.hpp"
#include "srgw/report.hpp"

namespace srgw::detail {

/// Sections that pages share.
[[nodiscard]] ReportSection origin_section(const ReportOrigin& origin);
[[nodiscard]] ReportSection certificate_section(const Solution& solution);
/// A graph to look at closely, with a note on what was left out.
[[nodiscard]] ReportSection graph_section(const char* title, GraphView view,
                                          std::optional<Picture> picture = {});
/// Numbers from the first to the last, where there are two or more.
void add_curve(std::vector<ReportSection>& sections, const char* id, const char* title,
               const char* x_label, const char* y_label, const std::vector<double>& numbers);
/// Value and gap on the way, and the ends of the starts; only where there is something to show.
void add_curves(std::vector<ReportSection>& sections, const Solution& solution);

[[nodiscard]] std::string format_count(Index count, const char* word);  ///< 1 node, 2 nodes
[[nodiscard]] std::vector<ReportFact> graph_facts(const Graph& graph, const std::string& file);

}  // namespace srgw::detail
