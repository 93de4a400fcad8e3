// SPDX-License-Identifier: MIT
#include "solvers/watch.hpp"
#include "srgw/dictionary.hpp"

namespace srgw {

Learned finish(Learning& learning, const Run& run, const std::function<bool()>& go_on) {
  detail::Watch watch(run);
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
    if (!stopped && go_on && !go_on()) stopped = Status::interrupted;
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
