// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "base/stop.hpp"
#include "srgw/ranks.hpp"
#include "srgw/run.hpp"

namespace srgw::detail {

/// Whether several ranks have to stop together, between two batches.
[[nodiscard]] inline bool is_spread(const Run& run) {
  return run.ranks != nullptr && run.ranks->count() > 1;
}

/// Calls learning.advance() until it returns false, or until the observer says so, or `go_on` does,
/// which is asked after each call. The observer is told each new loss (iteration: epoch, value:
/// loss). Returns why learning was stopped before its end, if it was. To be called under
/// run_until_stopped(), which hears of limits and signals in the midst of a batch; ranks, whose
/// clocks and observers may differ, agree after each batch: one that stops stops all.
template <class Learning>
std::optional<Status> advance_to_end(Learning& learning, const Run& run,
                                     const std::function<bool()>& go_on = {}) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  const auto agree = [&](std::optional<Status> own) -> std::optional<Status> {
    if (!is_spread(run)) return own;
    const std::chrono::duration<double> elapsed = Clock::now() - begin;
    if (!own && run.time_limit && elapsed.count() > *run.time_limit) own = Status::time_limit;
    if (!own && run.cancelled && run.cancelled()) own = Status::interrupted;
    constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
    std::int64_t number = own ? static_cast<std::int64_t>(*own) : none;
    run.ranks->least(std::span(&number, 1));
    if (number == none) return {};
    return static_cast<Status>(number);
  };
  std::optional<Status> stopped;
  std::size_t told = 0;
  while (!stopped && learning.advance()) {
    const auto& losses = learning.losses();
    if (losses.size() != told && !losses.empty() && run.observer &&
        !run.observer({.iteration = learning.epoch(), .value = losses.back()})) {
      stopped = Status::interrupted;
    }
    told = losses.size();
    if (go_on && !go_on() && !stopped) stopped = Status::interrupted;
    stopped = agree(stopped);
  }
  return stopped;
}

}  // namespace srgw::detail
