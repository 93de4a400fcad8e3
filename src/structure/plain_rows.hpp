// SPDX-License-Identifier: MIT
#pragma once

#include "srgw/structure.hpp"

namespace srgw::detail {

/// A structure in a storage whose rows inner loops can read: dense or CSR. With
/// `keep_scaling` false the scalings of a CSR are multiplied into its values.
[[nodiscard]] Structure with_plain_rows(const Structure& structure, bool keep_scaling);

}  // namespace srgw::detail
