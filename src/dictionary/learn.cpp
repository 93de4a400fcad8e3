// SPDX-License-Identifier: MIT
#include "dictionary/epochs.hpp"
#include "srgw/dictionary.hpp"

namespace srgw {

Learned finish(Learning& learning, const Run& run, const std::function<bool()>& go_on) {
  const std::optional<Status> stopped = detail::advance_to_end(learning, run, go_on);
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
