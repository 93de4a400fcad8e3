// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/message.hpp"
#include "base/parallel.hpp"
#include "base/stop.hpp"
#include "dictionary/atom_start.hpp"
#include "dictionary/batches.hpp"
#include "dictionary/checkpoint.hpp"
#include "dictionary/learning_state.hpp"
#include "dictionary/plan_edits.hpp"
#include "dictionary/projector.hpp"
#include "dictionary/relocation.hpp"
#include "dictionary/sample_scale.hpp"
#include "dictionary/training_set.hpp"
#include "dictionary/twins.hpp"
#include "srgw/dictionary.hpp"

namespace srgw {

using detail::AtomSums;
using detail::Candidate;
using detail::Draw;
using detail::FixedSums;
using detail::LearningState;
using detail::stream;

namespace {

constexpr int most_settling_epochs = 8;  // after a jump
constexpr double result_time = 0.3;      // seconds to find plans in, once a run was stopped

AtomStart start_of(const Learner& learner) {
  return std::visit([](const auto& options) { return options.start; }, learner);
}

}  // namespace

struct Learning::Impl {
  detail::Shard shard;
  int exponent;                     // of the unit
  std::vector<Sample> own_samples;  // those that were moved here, or scaled
  std::span<const Sample> samples;  // of this rank, in the unit, as all below
  Index size;
  Projection projection;
  Learner learner;
  Run run;
  detail::TrainingSet set;
  detail::Projector projector;
  detail::Twins twins;  // of the paper's scheme, which has product starts only
  std::vector<AtomStart> starts;
  LearningState state;
  bool has_twins = false, begun = false;
  // Graphs of all ranks in the order of an epoch of a trial.
  std::vector<std::size_t> order = {};
  std::pair<int, int> order_of = {-1, -1};

  Impl(std::span<const Sample> samples_, Index size_, const Projection& projection_,
       const Learner& learner_, const Run& run_)
      : shard(samples_.size(), run_.ranks),
        exponent(detail::scale_exponent(samples_, projection_.alpha, shard)),
        own_samples(exponent != 0 ? detail::times_power_of_two(samples_, -exponent)
                                  : std::vector<Sample>()),
        samples(exponent != 0 ? std::span<const Sample>(own_samples) : samples_),
        size(size_),
        projection(detail::times_power_of_two(projection_, -exponent)),
        learner(learner_),
        run(run_),
        set(detail::checked_training_set(samples, size, projection, shard)),
        projector(projection, detail::resolve_threads(run.threads),
                  std::holds_alternative<ClosedForm>(learner)) {
    std::visit([](const auto& options) { check_fields(options); }, learner);
    projector.set_one(std::ldexp(1.0, -exponent));
    const AtomStart start = start_of(learner);
    if (start != AtomStart::descriptors) starts.push_back(AtomStart::noise);
    if (start != AtomStart::noise) starts.push_back(AtomStart::descriptors);
    state.atom = set.mean_atom;
    state.plans.assign(samples.size(), Plan());
    try {
      begin();
    } catch (const detail::Stopped&) {  // advance() begins once more
    }
  }

  /// Twins, and the first trial.
  void begin() {
    if (closed_form() == nullptr && !has_twins) {
      twins = {samples, projector.threads(), shard};
      has_twins = true;
    }
    if (state.epoch == 0 && state.position == 0) begin_trial();
    begun = true;
  }

  [[nodiscard]] std::uint64_t seed() const {
    return detail::Random(run.seed, static_cast<std::uint64_t>(state.trial))();
  }
  [[nodiscard]] FixedSums zero() const { return {size, set.columns, set.bounds}; }
  [[nodiscard]] std::size_t graphs() const { return shard.total(); }
  [[nodiscard]] const ClosedForm* closed_form() const { return std::get_if<ClosedForm>(&learner); }

  // ---- a trial: one start, learned to its end

  void begin_trial() {
    const AtomStart start = starts[state.trial];
    const detail::StartData data{
        samples, size, set.columns, stream(seed(), Draw::start, 0)(), projector.threads(), shard};
    std::vector<Plan> plans(samples.size());
    AtomSums totals(size, set.columns);
    Atom atom;
    if (start == AtomStart::noise) {
      atom = detail::noisy_atom(data);
    } else {
      plans = detail::descriptor_plans(data, set.columns > 0 ? projection.alpha : 1);
      atom = set.mean_atom;
      state.extras.assign(samples.size(), 0.0);
      totals = sum_of(plans);
      detail::set_best_atom(totals, atom);
      if (closed_form() == nullptr) plans.assign(samples.size(), Plan());
    }
    state.epoch = 0;
    state.position = 0;
    state.failures = 0;
    state.jumps = 0;
    state.settled = 0;
    state.main_epochs = 0;
    state.converged = false;
    state.losses.clear();
    state.best_of_trial = {};
    state.moments = {size, set.columns};
    state.totals = std::move(totals);
    state.plans = std::move(plans);
    state.atom = std::move(atom);
    state.values.assign(samples.size(), 0.0);
    state.extras.assign(samples.size(), 0.0);
  }

  void end_trial() {
    Candidate candidate = current();
    state.losses.clear();
    if (candidate.loss < state.best.loss) state.best = std::move(candidate);
    state.passes += state.epoch;
    state.all_jumps += state.jumps;
    if (++state.trial == static_cast<int>(starts.size())) {
      state.over = true;
    } else {
      begin_trial();
    }
  }

  /// State of the trial.
  [[nodiscard]] Candidate current() {
    const bool judged = state.best_of_trial.exists();
    Candidate candidate;
    candidate.atom = judged ? state.best_of_trial.atom : state.atom;
    candidate.losses = state.losses;
    candidate.epochs = main_epochs();
    if (closed_form() == nullptr) {
      candidate.loss = judged ? state.best_of_trial.loss : project_products(candidate.atom);
    } else {
      candidate.plans = judged ? state.best_of_trial.plans : state.plans;
      candidate.loss = project_plans(candidate.atom, candidate.plans);
    }
    return candidate;
  }

  /// Epochs of the trial, without those after jumps.
  [[nodiscard]] int main_epochs() const {
    return state.jumps > 0 ? state.main_epochs : state.epoch;
  }

  // ---- an epoch

  /// Goes to the next epoch or trial. A stop leaves the state as it was, with all batches done.
  void end_epoch() {
    LearningState before;
    const bool may_stop = detail::current_stop_state() != nullptr;
    if (may_stop) before = state;
    try {
      try_to_end_epoch();
    } catch (const detail::Stopped&) {
      state = std::move(before);
      throw;
    }
  }

  void try_to_end_epoch() {
    state.position = 0;
    ++state.epoch;
    if (const ClosedForm* options = closed_form()) return end_closed_form_epoch(*options);
    const auto& options = std::get<AdamScheme>(learner);
    const bool last = state.epoch == options.epochs;
    if ((state.epoch - 1) % options.evaluate_every == 0 || last) evaluate();
    state.converged = options.patience > 0 && state.failures >= options.patience;
    if (state.converged || last) end_trial();
  }

  void end_closed_form_epoch(const ClosedForm& options) {
    state.losses.push_back(loss_of_totals());
    if (state.jumps == 0) {
      const auto last = state.losses.size() - 1;
      const double gain = last == 0 ? 1.0 : state.losses[last - 1] - state.losses[last];
      state.converged = last > 0 && !forgets() && gain >= 0 &&
                        gain <= options.tolerance * std::abs(state.losses[last]);
      if (!state.converged && state.epoch < options.epochs) return;
    } else if (++state.settled < most_settling_epochs && promising(options)) {
      return;
    }
    keep_if_better(state.losses.back(), state.plans);
    if (state.jumps == options.jumps) return end_trial();
    if (state.jumps == 0) state.main_epochs = state.epoch;
    ++state.jumps;
    state.settled = 0;
    jump();
  }

  /// Whether a few more epochs like the last one could make the jump worth its while.
  [[nodiscard]] bool promising(const ClosedForm& options) const {
    constexpr double epochs_like_it = 4;
    if (state.settled < 2) return true;
    const double loss = state.losses.back();
    const double gain = state.losses[state.losses.size() - 2] - loss;
    return gain > options.tolerance * std::abs(loss) &&
           loss - epochs_like_it * gain < state.best_of_trial.loss;
  }

  void keep_if_better(double loss, const std::vector<Plan>& plans) {
    if (loss < state.best_of_trial.loss) {
      state.best_of_trial = {.atom = state.atom, .loss = loss, .plans = plans};
      state.failures = 0;
    } else {
      ++state.failures;
    }
  }

  void evaluate() {
    const double loss = project_products(state.atom);
    state.losses.push_back(loss);
    keep_if_better(loss, {});
  }

  // ---- a batch

  void adam_batch(const AdamScheme& options) {
    const auto batches = (graphs() + batch_size() - 1) / batch_size();
    const auto step =
        static_cast<std::uint64_t>(state.epoch) * batches + state.position / batch_size();
    std::map<std::size_t, std::int64_t> groups;  // of this rank, and how many of the batch they are
    for (const std::size_t s : detail::drawn_batch(graphs(), batch_size(), seed(), step)) {
      if (const std::size_t group = twins.group_of(s); twins.has(group)) ++groups[group];
    }
    const std::vector<std::pair<std::size_t, std::int64_t>> batch(groups.begin(), groups.end());
    projector.set_atom(state.atom);
    const AtomSums sums =
        detail::sum_over(std::ssize(batch), projector.threads(), zero(), shard,
                         [&](Index b, int worker, FixedSums& part) {
                           const auto& [group, times] = batch[b];
                           const Sample& sample = twins.groups()[group - twins.first()].sample;
                           part.add_plan(sample, projector.solve(worker, sample).plan, times);
                           part.add_terms({}, times);
                         });
    detail::adam_step(options.steps, detail::atom_gradient(sums, state.atom), set.non_negative,
                      state.moments, state.atom);
  }

  void closed_form_batch(const ClosedForm& options) {
    Turn turn{state.totals, state.atom, {}};
    if (state.position == 0) begin_epoch(options, turn);
    const std::vector<Plan>& plans = turn.plans ? *turn.plans : state.plans;
    const std::vector<std::size_t> batch = own_batch();
    std::vector<Solution> found(batch.size());
    projector.set_atom(turn.atom);
    const bool forget = forgets();
    const AtomSums change = detail::sum_over(
        std::ssize(batch), projector.threads(), zero(), shard,
        [&](Index b, int worker, FixedSums& part) {
          const std::size_t s = batch[b];
          const bool counted = plans[s].rows() > 0 && !forget;
          Solution solution = projector.best(worker, samples[s], tries(options, s, plans[s]));
          if (!counted) {
            part.add_plan(samples[s], solution.plan);
          } else if (!detail::are_same(solution.plan, plans[s])) {
            part.replace_plan(samples[s], plans[s], solution.plan);
          }
          if (counted) part.add_terms(terms_of(s, state.extras[s]), -1);
          part.add_terms(terms_of(s, extra_of(solution)), 1);
          found[b] = std::move(solution);
        });
    if (forget) turn.totals.multiply(options.forgetting);
    turn.totals.add(change);
    detail::set_best_atom(turn.totals, turn.atom);
    if (turn.plans) state.plans = std::move(*turn.plans);
    state.totals = std::move(turn.totals);
    state.atom = std::move(turn.atom);
    for (std::size_t b = 0; b < batch.size(); ++b) take(batch[b], std::move(found[b]));
  }

  /// Changes of a batch besides the plans of its graphs: kept aside until it is done, so that a
  /// stop leaves the state of the last batch.
  struct Turn {
    AtomSums totals;
    Atom atom;
    std::optional<std::vector<Plan>> plans;  ///< of all graphs, when target nodes were revived
  };

  /// The sums of all plans from scratch, so that rounding does not pile up; then unused target
  /// nodes are revived.
  void begin_epoch(const ClosedForm& options, Turn& turn) {
    turn.totals = sum_of(state.plans);
    if (!(options.revive && state.epoch > 0) && state.jumps == 0) return;
    if (!detail::has_unused(turn.totals.masses, graphs())) return;
    detail::Random random = stream(seed(), Draw::revival, epoch_number());
    projector.set_atom(turn.atom);
    std::vector<Plan> plans = state.plans;
    if (!detail::revive({samples, projector, state.values, random, shard}, turn.totals.masses,
                        plans, turn.atom)) {
      return;
    }
    turn.totals = sum_of(plans);
    detail::set_best_atom(turn.totals, turn.atom);
    turn.plans = std::move(plans);
  }

  /// Graphs of the next batch that are here.
  [[nodiscard]] std::vector<std::size_t> own_batch() {
    if (const std::pair now(state.trial, state.epoch); order_of != now) {
      order = detail::epoch_order(graphs(), seed(), epoch_number());
      order_of = now;
    }
    const std::size_t end = std::min(graphs(), state.position + batch_size());
    std::vector<std::size_t> batch;
    for (std::size_t b = state.position; b < end; ++b) {
      if (shard.has(order[b])) batch.push_back(order[b] - shard.first());
    }
    return batch;
  }

  [[nodiscard]] detail::Projector::Tries tries(const ClosedForm& options, std::size_t s,
                                               const Plan& last) const {
    const bool known = last.rows() > 0;
    return {.warm = known && (options.warm_plans || state.epoch == 0) ? &last : nullptr,
            .rows = options.try_product && state.jumps == 0,
            .product = options.try_product && state.jumps == 0,
            .random = state.jumps == 0 ? options.random_plans : 0,
            .seed = seed(),
            .item = static_cast<std::uint64_t>(Draw::plans) << 56 |
                    (epoch_number() * graphs() + shard.first() + s)};
  }

  void take(std::size_t s, Solution solution) {
    state.values[s] = solution.value;
    state.extras[s] = extra_of(solution);
    state.plans[s] = std::move(solution.plan);
  }

  static double extra_of(const Solution& solution) {
    return solution.value_penalty + solution.value_entropy;
  }
  [[nodiscard]] FixedSums::Terms terms_of(std::size_t s, double extra) const {
    return {.kappa = set.kappa[s], .squares = set.squares[s], .extra = extra};
  }

  [[nodiscard]] AtomSums sum_of(const std::vector<Plan>& plans) {
    return detail::sum_over(std::ssize(samples), projector.threads(), zero(), shard,
                            [&](Index item, int, FixedSums& part) {
                              const std::size_t s = item;
                              if (plans[s].rows() == 0) return;
                              part.add_plan(samples[s], plans[s]);
                              part.add_terms(terms_of(s, state.extras[s]), 1);
                            });
  }

  /// From the best so far, with the two target nodes that matter least made one and the other set
  /// on a badly fitted node.
  void jump() {
    state.atom = state.best_of_trial.atom;
    state.plans = state.best_of_trial.plans;
    state.totals = sum_of(state.plans);
    const detail::Merge merge = detail::cheapest_merge(state.totals, projection.alpha);
    for (Plan& plan : state.plans) plan = detail::with_merged(plan, merge.from, merge.to);
    state.totals = sum_of(state.plans);
    detail::set_best_atom(state.totals, state.atom);
  }

  // ---- the whole dataset

  [[nodiscard]] Learned result();
  [[nodiscard]] Learned quick_result();

  /// All but plans, what they give, and the loss.
  [[nodiscard]] Learned learned_from(const Candidate& found) const {
    const bool over = state.over;
    Learned learned{.atom = found.atom,
                    .embedding = Matrix(std::ssize(samples), size),
                    .values = std::vector<double>(samples.size()),
                    .losses = found.losses,
                    .epochs = found.epochs,
                    .passes = over ? state.passes : state.passes + state.epoch,
                    .starts = over ? state.trial : state.trial + 1,
                    .jumps = over ? state.all_jumps : state.all_jumps + state.jumps};
    if (!over) learned.graphs_of_pass = std::min(state.position, graphs());
    return learned;
  }

  /// With plans as they are; graphs without one get the product.
  [[nodiscard]] Learned learned_as_they_are(const Candidate& found) {
    Learned learned = learned_from(found);
    learned.plans = found.plans;
    learned.plans.resize(samples.size());
    projector.set_atom(learned.atom);
    const double loss = mean_value(samples.size(), [&](std::size_t s, int worker) {
      Plan& plan = learned.plans[s];
      if (plan.rows() == 0) {
        plan = Plan::from_product(samples[s].source.weights, uniform_weights(size));
      }
      learned.values[s] = projector.value(worker, samples[s], plan);
      learned.embedding.row(static_cast<Index>(s)) = plan.target_weights().transpose();
      return learned.values[s];
    });
    // The paper's scheme has evaluated its atom already and needs no plans.
    learned.loss = found.plans.empty() && std::isfinite(found.loss) ? found.loss : loss;
    return learned;
  }

  /// The mean value from product starts.
  double project_products(const Atom& atom) {
    projector.set_atom(atom);
    const double alpha = set.columns > 0 ? projection.alpha : 1.0;
    return mean_value(twins.groups().size(), [&](std::size_t g, int worker) {
      const auto& [sample, constant, times] = twins.groups()[g];
      return static_cast<double>(times) *
             (projector.solve(worker, sample).value + alpha * constant);
    });
  }

  /// The mean value from these plans and from products, row by row; better plans replace them.
  double project_plans(const Atom& atom, std::vector<Plan>& plans) {
    projector.set_atom(atom);
    return mean_value(samples.size(), [&](std::size_t s, int worker) {
      const Plan* warm = plans[s].rows() > 0 ? &plans[s] : nullptr;
      Solution solution = projector.best(worker, samples[s], {.warm = warm, .rows = true});
      plans[s] = std::move(solution.plan);
      return solution.value;
    });
  }

  template <class ValueOf>
  [[nodiscard]] double mean_value(std::size_t items, const ValueOf& value_of) {
    std::vector<ExactSum> sums(projector.threads());
    detail::parallel_for(static_cast<Index>(items), projector.threads(),
                         [&](Index item, int worker) { sums[worker].add(value_of(item, worker)); });
    detail::throw_if_stopped();  // a solve that was cut short would leave a trace
    for (std::size_t w = 1; w < sums.size(); ++w) sums.front().add(sums[w]);
    return shard.sum(sums.front()) / static_cast<double>(graphs());
  }

  [[nodiscard]] double loss_of_totals() const {
    return detail::mean_loss(state.totals, state.atom, projection.alpha);
  }

  [[nodiscard]] bool forgets() const {
    const ClosedForm* options = closed_form();
    return options != nullptr && options->forgetting < 1 && 2 * state.epoch < options->epochs;
  }
  [[nodiscard]] std::uint64_t epoch_number() const {
    return static_cast<std::uint64_t>(state.epoch);
  }
  [[nodiscard]] std::size_t batch_size() const {
    const int batch = std::visit([](const auto& options) { return options.batch; }, learner);
    return std::min(graphs(), static_cast<std::size_t>(batch));
  }
};

Learning::Learning(std::span<const Sample> samples, Index size, const Projection& projection,
                   const Learner& learner, const Run& run)
    : impl_(std::make_unique<Impl>(samples, size, projection, learner, run)) {}
Learning::Learning(std::vector<Sample>&& samples, Index size, const Projection& projection,
                   const Learner& learner, const Run& run)
    : Learning(std::span<const Sample>(samples), size, projection, learner, run) {
  if (impl_->exponent == 0)
    impl_->own_samples = std::move(samples);  // elements stay where they are
}
Learning::Learning(Learning&&) noexcept = default;
Learning& Learning::operator=(Learning&&) noexcept = default;
Learning::~Learning() = default;

bool Learning::advance() {
  LearningState& state = impl_->state;
  if (state.over) return false;
  if (!impl_->begun) impl_->begin();
  if (state.position < impl_->graphs()) {
    if (const auto* options = impl_->closed_form()) {
      impl_->closed_form_batch(*options);
    } else {
      impl_->adam_batch(std::get<AdamScheme>(impl_->learner));
    }
    state.position += impl_->batch_size();
  }
  if (state.position >= impl_->graphs()) impl_->end_epoch();
  return !state.over;
}

int Learning::epoch() const {
  return impl_->state.over ? impl_->state.passes : impl_->state.passes + impl_->state.epoch;
}
Atom Learning::atom() const {
  return detail::times_power_of_two(impl_->state.atom, impl_->exponent);
}
std::vector<double> Learning::losses() const {
  std::vector<double> losses = impl_->state.losses;
  detail::multiply(losses, 2 * impl_->exponent);
  return losses;
}

Learned Learning::result() {
  Learned learned = impl_->result();
  detail::bring_back(learned, impl_->exponent);
  return learned;
}

Learned Learning::quick_result() {
  Learned learned = impl_->quick_result();
  detail::bring_back(learned, impl_->exponent);
  return learned;
}

Learned Learning::Impl::result() {
  Candidate found = state.best;
  if (!state.over) {
    Candidate now = current();
    if (now.loss < found.loss) found = std::move(now);
  }
  Learned learned = learned_from(found);
  learned.plans = std::move(found.plans);
  learned.plans.resize(samples.size());
  projector.set_atom(learned.atom);
  learned.loss = mean_value(samples.size(), [&](std::size_t s, int worker) {
    const Plan& plan = learned.plans[s];
    Solution solution = projector.best(
        worker, samples[s], {.warm = plan.rows() > 0 ? &plan : nullptr, .product = false});
    learned.values[s] = solution.value;
    learned.embedding.row(static_cast<Index>(s)) = solution.target_weights.transpose();
    learned.plans[s] = std::move(solution.plan);
    return solution.value;
  });
  learned.status = state.over && state.converged ? Status::converged : Status::iteration_limit;
  return learned;
}

Learned Learning::Impl::quick_result() {
  const detail::StopShield shield;
  std::optional<Learned> learned;
  (void)detail::run_until_stopped(Run{.time_limit = result_time},
                                  [&](StopScope&) { learned = result(); });
  if (learned) return std::move(*learned);
  const Candidate now = state.best_of_trial.exists()
                            ? state.best_of_trial
                            : Candidate{.atom = state.atom, .plans = state.plans};
  learned = learned_as_they_are(now);
  if (!state.over) learned->epochs = main_epochs();
  if (!state.best.exists()) return std::move(*learned);
  Learned before = learned_as_they_are(state.best);
  return before.loss <= learned->loss ? std::move(before) : std::move(*learned);
}

io::Archive Learning::checkpoint() const {
  return detail::to_checkpoint(
      impl_->state,
      detail::setup_of(impl_->set, impl_->size, impl_->projection, impl_->learner, impl_->run),
      impl_->shard);
}

void Learning::resume(const io::Archive& checkpoint) {
  detail::LearningState state = detail::from_checkpoint(
      checkpoint,
      detail::setup_of(impl_->set, impl_->size, impl_->projection, impl_->learner, impl_->run),
      impl_->samples, impl_->shard);
  detail::check_shapes(state, impl_->state, impl_->size, impl_->set.columns);
  detail::check_progress(state, {.graphs = impl_->set.graphs,
                                 .own = impl_->samples.size(),
                                 .batch = impl_->batch_size(),
                                 .closed_form = impl_->closed_form() != nullptr});
  impl_->state = std::move(state);
  impl_->begun = false;
}

}  // namespace srgw
