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

void fail_name(std::string_view option, std::string_view given, const std::string& known) {
  fail_argument("{} '{}', expected one of: {}", option, given, known);
}

}  // namespace srgw::detail
