// SPDX-License-Identifier: MIT
#include "dictionary/checkpoint.hpp"

#include <nlohmann/json.hpp>

#include "base/message.hpp"
#include "dictionary/options_json.hpp"
#include "dictionary/packed_plans.hpp"

namespace srgw::detail {

namespace {

using nlohmann::json;

std::vector<double> to_vector(const SharedArray<double>& values) {
  return {values.begin(), values.end()};
}

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

void add_candidate(const std::string& name, const Candidate& candidate, Shard& shard,
                   io::Archive& archive) {
  add_atom(name, candidate.atom, archive);
  archive.add(name + "_loss", std::vector<double>{candidate.loss});
  archive.add(name + "_losses", candidate.losses);
  pack_plans(candidate.plans, name + "_plan", shard, archive);
}

Candidate candidate_of(const io::Archive& archive, const std::string& name,
                       std::span<const Sample> samples, Shard& shard) {
  Candidate candidate{.atom = atom_of(archive, name)};
  candidate.loss = archive.values<double>(name + "_loss")[0];
  candidate.losses = to_vector(archive.values<double>(name + "_losses"));
  candidate.plans = unpack_plans(archive, name + "_plan", samples, candidate.atom.size(), shard);
  return candidate;
}

}  // namespace

std::string setup_of(const TrainingSet& set, Index size, const Projection& projection,
                     const Learner& learner, const Run& run) {
  const bool adam = std::holds_alternative<AdamScheme>(learner);
  const json setup{
      {"graphs", set.graphs},
      {"fingerprint", set.fingerprint},
      {"size", size},
      {"seed", run.seed},
      {"projection", projection_to_json(projection)},
      {"learner", adam ? "adam" : "closed_form"},
      {"options", std::visit([](const auto& o) { return options_to_json(o); }, learner)}};
  return setup.dump();
}

void check_setup(const std::string& found, const std::string& expected) {
  const json theirs = json::parse(found), ours = json::parse(expected);
  for (const auto& [key, value] : ours.items()) {
    if (theirs.contains(key) && theirs.at(key) == value) continue;
    const bool data = key == "graphs" || key == "fingerprint";
    fail_argument("the checkpoint is of {}: {} is {}, expected {}",
                  data ? "another dataset" : "another run", key,
                  theirs.contains(key) ? theirs.at(key).dump() : "missing", value.dump());
  }
}

void add_atom(const std::string& name, const Atom& atom, io::Archive& archive) {
  archive.add(name + "_structure", atom.structure);
  archive.add(name + "_features", atom.features);
}

Atom atom_of(const io::Archive& archive, const std::string& name) {
  return {archive.matrix(name + "_structure"), archive.matrix(name + "_features")};
}

void add_sums(const std::string& name, const AtomSums& sums, io::Archive& archive) {
  archive.add(name + "_cross", sums.cross);
  archive.add(name + "_uses", sums.uses);
  archive.add(name + "_features", sums.features);
  archive.add(name + "_masses", std::vector<double>(sums.masses.begin(), sums.masses.end()));
  archive.add(name + "_numbers",
              std::vector<double>{sums.kappa, sums.squares, sums.extra, sums.value, sums.count,
                                  sums.symmetric ? 1.0 : 0.0});
}

AtomSums sums_of(const io::Archive& archive, const std::string& name) {
  AtomSums sums;
  sums.cross = archive.matrix(name + "_cross");
  sums.uses = archive.matrix(name + "_uses");
  sums.features = archive.matrix(name + "_features");
  const auto& masses = archive.values<double>(name + "_masses");
  sums.masses = Eigen::Map<const Vector>(masses.data(), std::ssize(masses));
  const auto& numbers = archive.values<double>(name + "_numbers");
  if (numbers.size() != 6)
    fail_argument("{}_numbers has {} values, expected 6", name, numbers.size());
  sums.kappa = numbers[0];
  sums.squares = numbers[1];
  sums.extra = numbers[2];
  sums.value = numbers[3];
  sums.count = numbers[4];
  sums.symmetric = numbers[5] != 0;
  return sums;
}

void add_moments(const AdamMoments& moments, io::Archive& archive) {
  add_atom("first_moment", moments.first, archive);
  add_atom("second_moment", moments.second, archive);
}

AdamMoments moments_of(const io::Archive& archive, std::int64_t steps) {
  AdamMoments moments;
  moments.first = atom_of(archive, "first_moment");
  moments.second = atom_of(archive, "second_moment");
  moments.steps = steps;
  return moments;
}

io::Archive to_checkpoint(const LearningState& state, const std::string& setup, Shard& shard) {
  io::Archive archive(Learning::checkpoint_kind, Learning::checkpoint_version);
  const json header{
      {"setup", json::parse(setup)},  {"trial", state.trial},        {"epoch", state.epoch},
      {"position", state.position},   {"epochs", state.epochs},      {"over", state.over},
      {"converged", state.converged}, {"failures", state.failures},  {"jumps", state.jumps},
      {"settled", state.settled},     {"steps", state.moments.steps}};
  archive.set_header(header.dump());
  add_atom("atom", state.atom, archive);
  add_moments(state.moments, archive);
  add_sums("totals", state.totals, archive);
  pack_plans(state.plans, "plan", shard, archive);
  archive.add("values", join_on_first(shard.ranks(), state.values));
  archive.add("extras", join_on_first(shard.ranks(), state.extras));
  archive.add("losses", state.losses);
  add_candidate("best_of_trial", state.best_of_trial, shard, archive);
  add_candidate("best", state.best, shard, archive);
  return archive;
}

LearningState from_checkpoint(const io::Archive& archive, const std::string& setup,
                              std::span<const Sample> samples, Shard& shard) {
  LearningState state;
  reading_header(archive, Learning::checkpoint_kind, [&](const json& header) {
    if (archive.version() < Learning::checkpoint_version) {
      fail_argument("the checkpoint was written by an earlier version, expected one of version {}",
                    Learning::checkpoint_version);
    }
    check_setup(header.at("setup").dump(), setup);
    state.trial = header.at("trial").get<int>();
    state.epoch = header.at("epoch").get<int>();
    state.position = header.at("position").get<std::size_t>();
    state.epochs = header.at("epochs").get<int>();
    state.over = header.at("over").get<bool>();
    state.converged = header.at("converged").get<bool>();
    state.failures = header.at("failures").get<int>();
    state.jumps = header.at("jumps").get<int>();
    state.settled = header.at("settled").get<int>();
    state.atom = atom_of(archive, "atom");
    state.moments = moments_of(archive, header.at("steps").get<std::int64_t>());
    state.totals = sums_of(archive, "totals");
    state.plans = unpack_plans(archive, "plan", samples, state.atom.size(), shard);
    state.values = own_values(archive, "values", shard);
    state.extras = own_values(archive, "extras", shard);
    state.losses = to_vector(archive.values<double>("losses"));
    state.best_of_trial = candidate_of(archive, "best_of_trial", samples, shard);
    state.best = candidate_of(archive, "best", samples, shard);
  });
  return state;
}

}  // namespace srgw::detail
