// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <utility>

#include "srgw/run.hpp"
#include "watch.hpp"

namespace srgw::python {

/// What `work` returns, without the GIL; Ctrl-C stops work that has no Run of its own.
template <class Work>
auto interruptible(Work work) {
  Watch watch{nb::none()};
  std::optional<decltype(work())> result;
  watch.run_beside([&] {
    const StopScope scope({.cancelled = [&] { return watch.stopped(); }});
    result.emplace(work());
  });
  return std::move(*result);
}

}  // namespace srgw::python
