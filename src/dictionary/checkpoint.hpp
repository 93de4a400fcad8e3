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

/// Throws unless the arrays of a checkpoint have the shapes that this run gives them: those of the
/// atom, or those of `fresh`, a state before its first batch.
void check_shapes(const LearningState& state, const LearningState& fresh, Index size,
                  Index columns);

/// The sizes of a run that a checkpoint has to fit.
struct CheckpointSizes {
  std::size_t graphs = 0;  ///< on all ranks
  std::size_t own = 0;     ///< on this one
  std::size_t batch = 1;
  bool closed_form = true;
};
/// Throws unless the counters and plans of a checkpoint can be those of such a run.
void check_progress(const LearningState& state, const CheckpointSizes& sizes);

}  // namespace srgw::detail
