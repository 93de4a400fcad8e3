// SPDX-License-Identifier: MIT
#include "dictionary/checkpoint.hpp"

#include <algorithm>
#include <cmath>

#include "base/message.hpp"
#include "dictionary/model_parts.hpp"
#include "structure/plan_rows.hpp"

namespace srgw::detail {

namespace {

using nlohmann::json;

/// The numbers of this rank, from a list with one for each graph of all ranks.
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

enum PlanKind : std::uint8_t { none = 0, labels = 1, short_rows = 2, dense = 3 };

PlanKind kind_of(const Plan& plan) {
  if (plan.rows() == 0) return none;
  if (plan.is_assignment()) return labels;
  return std::holds_alternative<ShortRows>(plan.storage()) ? short_rows : dense;
}

/// Reads rows one after the other, and no further than there are.
class PlanReader {
 public:
  PlanReader(const io::Archive& archive, const std::string& name)
      : rows_(archive.values<std::uint32_t>(name + "_rows")),
        columns_(archive.values<std::uint32_t>(name + "_columns")),
        masses_(archive.values<double>(name + "_masses")) {}

  /// Goes past the rows of graphs that others have.
  void skip(std::size_t rows) {
    if (rows > rows_.size() - row_) fail();
    for (; rows > 0; --rows) entry_ += rows_[row_++];
  }

  ShortRows take(Index nodes, Index columns) {
    ShortRows result;
    result.offsets.push_back(0);
    for (Index i = 0; i < nodes; ++i) {
      if (row_ >= rows_.size()) fail();
      const std::size_t end = entry_ + rows_[row_++];
      if (end > columns_.size() || end > masses_.size()) fail();
      for (; entry_ < end; ++entry_) {
        if (columns_[entry_] >= static_cast<std::uint64_t>(columns)) fail();
        result.columns.push_back(columns_[entry_]);
        result.masses.push_back(masses_[entry_]);
      }
      result.offsets.push_back(result.columns.size());
    }
    return result;
  }

  [[noreturn]] static void fail() {
    throw Error(Error::Kind::format, "plans of the checkpoint do not fit the graphs");
  }

 private:
  SharedArray<std::uint32_t> rows_, columns_;
  SharedArray<double> masses_;
  std::size_t row_ = 0, entry_ = 0;
};

Plan plan_of(PlanKind kind, const Vector& weights, ShortRows rows, Index columns) {
  if (kind == short_rows) return Plan::from_rows(weights, std::move(rows), columns);
  if (kind == labels) {
    if (rows.columns.size() != static_cast<std::size_t>(weights.size())) PlanReader::fail();
    return Plan::from_labels(weights, rows.columns, columns);
  }
  Matrix matrix = Matrix::Zero(weights.size(), columns);
  for (Index i = 0; i < weights.size(); ++i) {
    for (auto e = rows.offsets[i]; e < rows.offsets[i + 1]; ++e) {
      matrix(i, rows.columns[e]) = rows.masses[e];
    }
  }
  return Plan::from_dense(weights, std::move(matrix));
}

/// Adds arrays `<name>_kinds`, `_rows`, `_columns` and `_masses`: the storage of each plan, the
/// entries of each row, and all entries. Those of all ranks, to the archive of the first.
void pack_plans(const std::vector<Plan>& plans, const std::string& name, Shard& shard,
                io::Archive& archive) {
  std::vector<std::uint8_t> kinds;
  std::vector<std::uint32_t> rows, columns;
  std::vector<double> masses;
  for (const Plan& plan : plans) {
    kinds.push_back(kind_of(plan));
    with_masses(plan, [&](const auto& row_masses) {
      for (Index i = 0; i < plan.rows(); ++i) {
        const std::size_t before = columns.size();
        row_masses(i, [&](Index k, double mass) {
          columns.push_back(static_cast<std::uint32_t>(k));
          masses.push_back(mass);
        });
        rows.push_back(static_cast<std::uint32_t>(columns.size() - before));
      }
    });
  }
  archive.add(name + "_kinds", join_on_first(shard.ranks(), kinds));
  archive.add(name + "_rows", join_on_first(shard.ranks(), rows));
  archive.add(name + "_columns", join_on_first(shard.ranks(), columns));
  archive.add(name + "_masses", join_on_first(shard.ranks(), masses));
}

/// The plans of these graphs of this rank again, in the same storage, onto `columns` target nodes.
std::vector<Plan> unpack_plans(const io::Archive& archive, const std::string& name,
                               std::span<const Sample> samples, Index columns, Shard& shard) {
  const auto& all = archive.values<std::uint8_t>(name + "_kinds");
  if (all.size() != 0 && all.size() != shard.total()) PlanReader::fail();
  if (all.size() == 0) return {};
  const auto kinds = all.view().subspan(shard.first(), shard.own());
  std::size_t rows = 0;
  for (std::size_t s = 0; s < kinds.size(); ++s) {
    if (kinds[s] != none) rows += samples[s].source.weights.size();
  }
  PlanReader reader(archive, name);
  const std::vector<std::size_t> rows_of_ranks = shard.gather(rows);
  for (int r = 0; shard.ranks() != nullptr && r < shard.ranks()->rank(); ++r) {
    reader.skip(rows_of_ranks[r]);
  }
  std::vector<Plan> plans;
  for (std::size_t s = 0; s < kinds.size(); ++s) {
    if (kinds[s] == none) {
      plans.emplace_back();
      continue;
    }
    const Vector& weights = samples[s].source.weights;
    plans.push_back(plan_of(static_cast<PlanKind>(kinds[s]), weights,
                            reader.take(weights.size(), columns), columns));
  }
  return plans;
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

void check_shapes(const LearningState& state, const LearningState& fresh, Index size,
                  Index columns) {
  const auto check = [](const char* name, const auto& array, const auto& first, Index rows,
                        Index cols) {
    const bool fits = array.rows() == rows && array.cols() == cols;
    if (fits || (array.rows() == first.rows() && array.cols() == first.cols())) return;
    fail_argument("{} of the checkpoint is {} x {}, expected {} x {}", name, array.rows(),
                  array.cols(), rows, cols);
  };
  const auto check_atom = [&](const char* name, const Atom& atom, const Atom& first) {
    check(name, atom.structure, first.structure, size, size);
    check(name, atom.features, first.features, size, columns);
  };
  check_atom("atom", state.atom, fresh.atom);
  check_atom("first_moment", state.moments.first, fresh.moments.first);
  check_atom("second_moment", state.moments.second, fresh.moments.second);
  check_atom("best_of_trial", state.best_of_trial.atom, Atom{});
  check_atom("best", state.best.atom, Atom{});
  check("totals_cross", state.totals.cross, fresh.totals.cross, size, size);
  check("totals_uses", state.totals.uses, fresh.totals.uses, size, size);
  check("totals_features", state.totals.features, fresh.totals.features, size, columns);
  check("totals_masses", state.totals.masses, fresh.totals.masses, size, 1);
}

void check_progress(const LearningState& state, const CheckpointSizes& sizes) {
  const auto refuse = [](const std::string& found) {
    fail_argument("{}, expected a checkpoint that this library wrote", found);
  };
  const int counters[] = {state.trial, state.epoch,   state.passes,      state.all_jumps,
                          state.jumps, state.settled, state.main_epochs, state.failures};
  if (*std::ranges::min_element(counters) < 0) refuse("a counter of the checkpoint is negative");
  // Batches of Adam may end beyond the last graph.
  if (state.position >= sizes.graphs + sizes.batch) {
    refuse(fmt::format("the checkpoint is at graph {} of {}", state.position, sizes.graphs));
  }
  if (!state.over && static_cast<std::size_t>(state.settled) > state.losses.size()) {
    refuse(fmt::format("the checkpoint has {} settling epochs but {} losses", state.settled,
                       state.losses.size()));
  }
  if (state.plans.size() != sizes.own) {
    refuse(fmt::format("the checkpoint has {} plans for {} graphs", state.plans.size(), sizes.own));
  }
  const Candidate& best = state.best_of_trial;
  if (!best.exists() && !(std::isinf(best.loss) && best.loss > 0)) {
    refuse(fmt::format("the checkpoint has the loss {} without an atom", best.loss));
  }
  // The closed form goes on from the plans of the best atom.
  if (best.exists() && sizes.closed_form && best.plans.size() != sizes.own) {
    refuse(fmt::format("the best atom of the checkpoint has {} plans for {} graphs",
                       best.plans.size(), sizes.own));
  }
}

}  // namespace srgw::detail
