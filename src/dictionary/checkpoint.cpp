// SPDX-License-Identifier: MIT
#include "dictionary/checkpoint.hpp"

#include "base/message.hpp"
#include "dictionary/model_parts.hpp"
#include "dictionary/packed_plans.hpp"
#include "dictionary/state_parts.hpp"

namespace srgw::detail {

namespace {

using nlohmann::json;

/// Of a list with a number for each graph of all ranks, those of this one.
std::vector<double> own_values(const io::Archive& archive, const std::string& name,
                               const Shard& shard) {
  const auto& values = archive.values<double>(name);
  if (values.size() != shard.total()) {
    fail_argument("{} of the checkpoint has {} numbers, expected {}, one for each graph", name,
                  values.size(), shard.total());
  }
  const auto own = values.view().subspan(shard.first(), shard.own());
  return {own.begin(), own.end()};
}

void describe_candidate(auto& parts, const std::string& name, auto& candidate) {
  describe_atom(parts, name, candidate.atom);
  parts.numbers(name + "_loss", candidate.loss);
  parts.array(name + "_losses", candidate.losses);
  parts.numbers(name + "_epochs", candidate.epochs);
}

/// All but what there is for each graph.
void describe_state(auto& parts, auto& state) {
  parts.value("trial", state.trial);
  parts.value("epoch", state.epoch);
  parts.value("position", state.position);
  parts.value("passes", state.passes);
  parts.value("all_jumps", state.all_jumps);
  parts.value("over", state.over);
  parts.value("converged", state.converged);
  parts.value("failures", state.failures);
  parts.value("jumps", state.jumps);
  parts.value("settled", state.settled);
  parts.value("main_epochs", state.main_epochs);
  describe_atom(parts, "atom", state.atom);
  describe_moments(parts, state.moments);
  describe_sums(parts, "totals", state.totals);
  parts.array("losses", state.losses);
  describe_candidate(parts, "best_of_trial", state.best_of_trial);
  describe_candidate(parts, "best", state.best);
}

}  // namespace

std::string setup_of(const TrainingSet& set, Index size, const Projection& projection,
                     const Learner& learner, const Run& run) {
  const bool adam = std::holds_alternative<AdamScheme>(learner);
  const json setup{{"graphs", set.graphs},
                   {"fingerprint", set.fingerprint},
                   {"size", size},
                   {"seed", run.seed},
                   {"projection", projection},
                   {"learner", adam ? "adam" : "closed_form"},
                   {"options", std::visit([](const auto& o) { return json(o); }, learner)}};
  return setup.dump();
}

namespace {

/// Throws for the first value that differs, however deep it is.
void compare_setups(const json& ours, const json& theirs, const std::string& key) {
  if (ours.is_object() && theirs.is_object()) {
    for (const auto& [inner, value] : ours.items()) {
      compare_setups(value, theirs.contains(inner) ? theirs.at(inner) : json(), inner);
    }
    return;
  }
  if (ours == theirs) return;
  const bool data = key == "graphs" || key == "fingerprint";
  fail_argument("the checkpoint is of {}: {} is {}, expected {}",
                data ? "another dataset" : "another run", key,
                theirs.is_null() ? "missing" : theirs.dump(), ours.dump());
}

}  // namespace

void PartsReader::setup(const json& setup) const {
  compare_setups(setup, header_.at("setup"), "setup");
}

io::Archive to_checkpoint(const LearningState& state, const std::string& setup, Shard& shard) {
  io::Archive archive =
      write_parts(Learning::checkpoint_kind, Learning::checkpoint_version, [&](auto& parts) {
        parts.setup(json::parse(setup));
        describe_state(parts, state);
      });
  pack_plans(state.plans, "plan", shard, archive);
  archive.add("values", join_on_first(shard.ranks(), state.values));
  archive.add("extras", join_on_first(shard.ranks(), state.extras));
  pack_plans(state.best_of_trial.plans, "best_of_trial_plan", shard, archive);
  pack_plans(state.best.plans, "best_plan", shard, archive);
  return archive;
}

LearningState from_checkpoint(const io::Archive& archive, const std::string& setup,
                              std::span<const Sample> samples, Shard& shard) {
  LearningState state;
  read_parts(archive, Learning::checkpoint_kind, [&](auto& parts) {
    if (archive.version() < Learning::checkpoint_version) {
      fail_argument("the checkpoint was written by an earlier version, expected one of version {}",
                    Learning::checkpoint_version);
    }
    parts.setup(json::parse(setup));
    describe_state(parts, state);
  });
  const auto plans = [&](const std::string& name, const Atom& atom) {
    return unpack_plans(archive, name, samples, atom.size(), shard);
  };
  state.plans = plans("plan", state.atom);
  state.values = own_values(archive, "values", shard);
  state.extras = own_values(archive, "extras", shard);
  state.best_of_trial.plans = plans("best_of_trial_plan", state.best_of_trial.atom);
  state.best.plans = plans("best_plan", state.best.atom);
  return state;
}

}  // namespace srgw::detail
