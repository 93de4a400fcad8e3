// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "base/message.hpp"
#include "dictionary/learning_state.hpp"
#include "dictionary/training_set.hpp"

namespace srgw::detail {

inline constexpr const char* stream_kind = "stream_checkpoint";
inline constexpr int stream_version = 1;

/// Calls `read(header)`; an archive of another kind, or a header that lacks something, is a format
/// error.
template <class Read>
void reading_header(const io::Archive& archive, std::string_view kind, const Read& read) {
  if (archive.kind() != kind) {
    throw Error(Error::Kind::format,
                fmt::format("the archive holds a {}, expected a {}", archive.kind(), kind));
  }
  try {
    read(nlohmann::json::parse(archive.header()));
  } catch (const nlohmann::json::exception& error) {
    throw Error(Error::Kind::format, fmt::format("header of the {}: {}", kind, error.what()));
  }
}

/// All that a run is given, as JSON: what a checkpoint must agree with.
[[nodiscard]] std::string setup_of(const TrainingSet& set, Index size, const Projection& projection,
                                   const Learner& learner, const Run& run);
/// Throws unless a checkpoint was made with this setup; the message names the first difference.
void check_setup(const std::string& found, const std::string& expected);

/// What all ranks know, on the first; collective.
[[nodiscard]] io::Archive to_checkpoint(const LearningState& state, const std::string& setup,
                                        Shard& shard);
/// On each rank what it needs of that; collective.
[[nodiscard]] LearningState from_checkpoint(const io::Archive& archive, const std::string& setup,
                                            std::span<const Sample> samples, Shard& shard);

// Parts that checkpoints of a stream have too.
void add_atom(const std::string& name, const Atom& atom, io::Archive& archive);
[[nodiscard]] Atom atom_of(const io::Archive& archive, const std::string& name);
void add_sums(const std::string& name, const AtomSums& sums, io::Archive& archive);
[[nodiscard]] AtomSums sums_of(const io::Archive& archive, const std::string& name);
void add_moments(const AdamMoments& moments, io::Archive& archive);
[[nodiscard]] AdamMoments moments_of(const io::Archive& archive, std::int64_t steps);

}  // namespace srgw::detail
