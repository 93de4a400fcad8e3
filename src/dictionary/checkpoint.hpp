// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include "dictionary/learning_state.hpp"
#include "dictionary/training_set.hpp"

namespace srgw::detail {

/// All that a run is given, as JSON: what a checkpoint must agree with.
[[nodiscard]] std::string setup_of(const TrainingSet& set, Index size, const Projection& projection,
                                   const Learner& learner, const Run& run);

/// The state of all ranks, on the first; collective.
[[nodiscard]] io::Archive to_checkpoint(const LearningState& state, const std::string& setup,
                                        Shard& shard);
/// On each rank what it needs of that; collective.
[[nodiscard]] LearningState from_checkpoint(const io::Archive& archive, const std::string& setup,
                                            std::span<const Sample> samples, Shard& shard);

}  // namespace srgw::detail
