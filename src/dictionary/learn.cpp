// SPDX-License-Identifier: MIT
#include "dictionary/epochs.hpp"
#include "srgw/dictionary.hpp"

namespace srgw {

Learned finish(Learning& learning, const Run& run, const std::function<bool()>& go_on) {
  std::optional<Learned> learned;
  std::optional<Status> early;
  const std::optional<Status> cut = detail::run_until_stopped(run, [&](StopScope&) {
    early = detail::advance_to_end(learning, run, go_on);
    if (!early || detail::is_spread(run)) learned = learning.result();
  });
  if (!learned) learned = learning.quick_result();
  if (early || cut) learned->status = early ? *early : *cut;
  return std::move(*learned);
}

Learned learn(std::span<const Sample> samples, Index size, const Projection& projection,
              const Learner& learner, const Run& run) {
  const StopScope scope(run);
  Learning learning(samples, size, projection, learner, run);
  return finish(learning, run);
}

}  // namespace srgw
