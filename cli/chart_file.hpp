// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "srgw/draw.hpp"

namespace srgw::cli {

/// The chart that a .json file describes: {"chart": "bars" | "curves" | "points", ...}, where the
/// keys are those of BarsPicture, CurvesPicture and EmbeddingPicture. Throws an input error that
/// names the file and the key.
[[nodiscard]] Picture draw_chart_file(const std::string& file);

}  // namespace srgw::cli
