// SPDX-License-Identifier: MIT
#pragma once

#include "communities/part.hpp"
#include "communities/sources.hpp"

namespace srgw::detail {

struct Selected {
  PartitionOptions options;  ///< with the values that were chosen
  PartitionSetting setting;
  int tried = 0;
  Alternated trial;                    ///< what the trial with these values found
  std::optional<Status> stopped = {};  ///< why not all were tried
};

/// The values of Part::options.select whose clusters have the largest modularity. Trials start from
/// the same labels where the structure is the same, and take few steps. Throws if it is stopped
/// before the end of the first.
[[nodiscard]] Selected select_setting(const Part& part, Sources& sources, const Run& run);

}  // namespace srgw::detail
