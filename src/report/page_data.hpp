// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "srgw/report.hpp"

namespace srgw::detail {

/// The data that the scripts of a page read: web/src/data.ts has the same names.
[[nodiscard]] std::string page_data(const Report& report);

/// A chart as a drawing, for pages without scripts.
[[nodiscard]] Picture drawing_of(const ReportChart& chart, const std::string& title);

}  // namespace srgw::detail
