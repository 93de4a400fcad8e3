// SPDX-License-Identifier: MIT
#include "srgw/version.hpp"

namespace srgw {

const char* version() { return SRGW_VERSION; }

}  // namespace srgw
