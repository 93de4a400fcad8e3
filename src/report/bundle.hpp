// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace srgw::detail {

/// The scripts of the page and the licences of what they are made of; empty where they were not
/// built. web/build.mjs writes the source of these two.
[[nodiscard]] std::string_view bundle_script();
[[nodiscard]] std::string_view bundle_licences();

}  // namespace srgw::detail
