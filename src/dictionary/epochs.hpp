// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "solve/watch.hpp"
#include "srgw/ranks.hpp"
#include "srgw/run.hpp"

namespace srgw::detail {

/// Calls learning.advance() until it returns false, or until the time limit fires, the observer
/// says so, or `go_on` does, which is asked after each call; on ranks, until that happens on one of
/// them. The observer is told each new loss (iteration: epoch, value: loss). Returns why learning
/// was stopped before its end, if it was.
template <class Learning>
std::optional<Status> advance_to_end(Learning& learning, const Run& run,
                                     const std::function<bool()>& go_on = {}) {
  // Clocks and observers of ranks may differ: one that stops stops all.
  const auto agree = [&](std::optional<Status> own) -> std::optional<Status> {
    if (run.ranks == nullptr) return own;
    constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
    std::int64_t number = own ? static_cast<std::int64_t>(*own) : none;
    run.ranks->least(std::span(&number, 1));
    if (number == none) return {};
    return static_cast<Status>(number);
  };
  Watch watch(run);
  std::vector<Progress> trace;
  std::optional<Status> stopped;
  std::size_t told = 0;
  while (!stopped && learning.advance()) {
    const std::vector<double>& losses = learning.losses();
    if (losses.size() != told && !losses.empty()) {
      stopped = watch.report({.iteration = learning.epoch(), .value = losses.back()}, trace);
    } else if (run.time_limit && watch.elapsed() > *run.time_limit) {
      stopped = Status::time_limit;
    }
    told = losses.size();
    if (go_on && !go_on() && !stopped) stopped = Status::interrupted;
    stopped = agree(stopped);
  }
  return stopped;
}

}  // namespace srgw::detail
