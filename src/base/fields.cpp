// SPDX-License-Identifier: MIT
#include "srgw/fields.hpp"

#include <cmath>

#include "base/message.hpp"

namespace srgw::detail {

void fail_range(std::string_view name, double value, double smallest, double largest) {
  if (std::isinf(largest)) {
    fail_argument("{} is {}, expected a number of at least {}", name, value, smallest);
  }
  fail_argument("{} is {}, expected a number from {} to {}", name, value, smallest, largest);
}

}  // namespace srgw::detail
