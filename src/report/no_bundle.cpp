// SPDX-License-Identifier: MIT
// For builds without npm: pages are plain.
#include "report/bundle.hpp"

namespace srgw::detail {

std::string_view bundle_script() { return {}; }
std::string_view bundle_licences() { return {}; }

}  // namespace srgw::detail
