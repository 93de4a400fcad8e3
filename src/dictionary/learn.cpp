// SPDX-License-Identifier: MIT
#include "solve/watch.hpp"
#include "srgw/dictionary.hpp"
#include "srgw/ranks.hpp"

namespace srgw {

Learned finish(Learning& learning, const Run& run, const std::function<bool()>& go_on) {
  detail::Watch watch(run);
  std::vector<Progress> trace;
  std::optional<Status> stopped;
  std::size_t told = 0;
  // Clocks and observers of ranks may differ: one that stops stops all.
  const auto agreed = [&](std::optional<Status> own) -> std::optional<Status> {
    if (run.ranks == nullptr) return own;
    constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
    std::int64_t number = own ? static_cast<std::int64_t>(*own) : none;
    run.ranks->least(std::span(&number, 1));
    if (number == none) return {};
    return static_cast<Status>(number);
  };
  while (!stopped && learning.advance()) {
    const std::vector<double>& losses = learning.losses();
    if (losses.size() != told && !losses.empty()) {
      stopped = watch.report({.iteration = learning.epoch(), .value = losses.back()}, trace);
    } else if (run.time_limit && watch.elapsed() > *run.time_limit) {
      stopped = Status::time_limit;
    }
    told = losses.size();
    if (go_on && !go_on() && !stopped) stopped = Status::interrupted;
    stopped = agreed(stopped);
  }
  Learned learned = learning.result();
  if (stopped) learned.status = *stopped;
  return learned;
}

Learned learn(std::span<const Sample> samples, Index size, const Projection& projection,
              const Learner& learner, const Run& run) {
  Learning learning(samples, size, projection, learner, run);
  return finish(learning, run);
}

}  // namespace srgw
