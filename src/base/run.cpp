// SPDX-License-Identifier: MIT
#include "srgw/run.hpp"

#include "base/message.hpp"

namespace srgw {

std::string_view name(Status status) {
  switch (status) {
    case Status::converged: return "converged";
    case Status::iteration_limit: return "iteration_limit";
    case Status::time_limit: return "time_limit";
    case Status::interrupted: return "interrupted";
  }
  detail::fail_argument("status {}, expected one of the enumerators", static_cast<int>(status));
}

}  // namespace srgw
