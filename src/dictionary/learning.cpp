// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/message.hpp"
#include "base/parallel.hpp"
#include "dictionary/atom_start.hpp"
#include "dictionary/batches.hpp"
#include "dictionary/checkpoint.hpp"
#include "dictionary/learning_state.hpp"
#include "dictionary/plan_edits.hpp"
#include "dictionary/projector.hpp"
#include "dictionary/relocation.hpp"
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

AtomStart start_of(const Learner& learner) {
  return std::visit([](const auto& options) { return options.start; }, learner);
}

}  // namespace

struct Learning::Impl {
  std::vector<Sample> own_samples = {};  // those that were moved here
  std::span<const Sample> samples;       // of this rank
  detail::Shard shard;
  Index size;
  Projection projection;
  Learner learner;
  Run run;
  detail::TrainingSet set;
  detail::Projector projector;
  detail::Twins twins;  // of the paper's scheme, which has product starts only
  std::vector<AtomStart> starts;
  LearningState state;
  // Graphs of all ranks in the order of an epoch of a trial.
  std::vector<std::size_t> order = {};
  std::pair<int, int> order_of = {-1, -1};

  Impl(std::span<const Sample> samples_, Index size_, const Projection& projection_,
       const Learner& learner_, const Run& run_)
      : samples(samples_),
        shard(samples_.size(), run_.ranks),
        size(size_),
        projection(projection_),
        learner(learner_),
        run(run_),
        set(detail::checked_training_set(samples, size, projection, shard)),
        projector(projection, detail::resolve_threads(run.threads),
                  std::holds_alternative<ClosedForm>(learner)) {
    std::visit([](const auto& options) { check_fields(options); }, learner);
    if (closed_form() == nullptr) twins = {samples, projector.threads(), shard};
    const AtomStart start = start_of(learner);
    if (start != AtomStart::descriptors) starts.push_back(AtomStart::noise);
    if (start != AtomStart::noise) starts.push_back(AtomStart::descriptors);
    begin_trial();
  }

  [[nodiscard]] std::uint64_t seed() const {
    return detail::Random(run.seed, static_cast<std::uint64_t>(state.trial))();
  }
  [[nodiscard]] FixedSums zero() const { return {size, set.columns, set.bounds}; }
  [[nodiscard]] std::size_t graphs() const { return shard.total(); }
  [[nodiscard]] const ClosedForm* closed_form() const { return std::get_if<ClosedForm>(&learner); }

  // ---- a trial: one start, learned to its end

  void begin_trial() {
    state.epoch = 0;
    state.position = 0;
    state.failures = 0;
    state.jumps = 0;
    state.settled = 0;
    state.converged = false;
    state.losses.clear();
    state.best_of_trial = {};
    state.moments = {size, set.columns};
    state.totals = {size, set.columns};
    state.plans.assign(samples.size(), Plan());
    state.values.assign(samples.size(), 0.0);
    state.extras.assign(samples.size(), 0.0);
    const AtomStart start = starts[state.trial];
    const detail::StartData data{
        samples, size, set.columns, stream(seed(), Draw::start, 0)(), projector.threads(), shard};
    if (start == AtomStart::noise) {
      state.atom = detail::noisy_atom(data);
      return;
    }
    state.plans = detail::descriptor_plans(data, set.columns > 0 ? projection.alpha : 1);
    state.atom = set.mean_atom;
    sum_plans();
    detail::set_best_atom(state.totals, state.atom);
    if (closed_form() == nullptr) state.plans.assign(samples.size(), Plan());
  }

  void end_trial() {
    Candidate candidate = current();
    state.losses.clear();
    if (candidate.loss < state.best.loss) state.best = std::move(candidate);
    state.epochs += state.epoch;
    if (++state.trial == static_cast<int>(starts.size())) {
      state.over = true;
    } else {
      begin_trial();
    }
  }

  /// What the trial has come to.
  [[nodiscard]] Candidate current() {
    const bool judged = state.best_of_trial.exists();
    Candidate candidate;
    candidate.atom = judged ? state.best_of_trial.atom : state.atom;
    candidate.losses = state.losses;
    if (closed_form() == nullptr) {
      candidate.loss = judged ? state.best_of_trial.loss : project_products(candidate.atom);
    } else {
      candidate.plans = judged ? state.best_of_trial.plans : state.plans;
      candidate.loss = project_plans(candidate.atom, candidate.plans);
    }
    return candidate;
  }

  // ---- an epoch

  void end_epoch() {
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
    if (state.position == 0) {
      sum_plans();
      if ((options.revive && state.epoch > 0) || state.jumps > 0) revive();
    }
    const std::vector<std::size_t> batch = own_batch();
    projector.set_atom(state.atom);
    const bool forget = forgets();
    const AtomSums change = detail::sum_over(
        std::ssize(batch), projector.threads(), zero(), shard,
        [&](Index b, int worker, FixedSums& part) {
          const std::size_t s = batch[b];
          const bool counted = state.plans[s].rows() > 0 && !forget;
          Solution solution = projector.best(worker, samples[s], tries(options, s));
          if (!counted) {
            part.add_plan(samples[s], solution.plan);
          } else if (!detail::are_same(solution.plan, state.plans[s])) {
            part.replace_plan(samples[s], state.plans[s], solution.plan);
          }
          if (counted) part.add_terms(terms_of(s), -1);
          take(s, std::move(solution));
          part.add_terms(terms_of(s), 1);
        });
    if (forget) state.totals.multiply(options.forgetting);
    state.totals.add(change);
    detail::set_best_atom(state.totals, state.atom);
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

  [[nodiscard]] detail::Projector::Tries tries(const ClosedForm& options, std::size_t s) const {
    const bool known = state.plans[s].rows() > 0;
    return {.warm = known && (options.warm_plans || state.epoch == 0) ? &state.plans[s] : nullptr,
            .rows = options.try_product && state.jumps == 0,
            .product = options.try_product && state.jumps == 0,
            .random = state.jumps == 0 ? options.random_plans : 0,
            .seed = seed(),
            .item = static_cast<std::uint64_t>(Draw::plans) << 56 |
                    (epoch_number() * graphs() + shard.first() + s)};
  }

  void take(std::size_t s, Solution solution) {
    state.values[s] = solution.value;
    state.extras[s] = solution.value_penalty + solution.value_entropy;
    state.plans[s] = std::move(solution.plan);
  }

  [[nodiscard]] FixedSums::Terms terms_of(std::size_t s) const {
    return {.kappa = set.kappa[s], .squares = set.squares[s], .extra = state.extras[s]};
  }

  /// The sums of all plans from scratch, so that rounding does not pile up.
  void sum_plans() {
    state.totals = detail::sum_over(std::ssize(samples), projector.threads(), zero(), shard,
                                    [&](Index item, int, FixedSums& part) {
                                      const std::size_t s = item;
                                      if (state.plans[s].rows() == 0) return;
                                      part.add_plan(samples[s], state.plans[s]);
                                      part.add_terms(terms_of(s), 1);
                                    });
  }

  void revive() {
    detail::Random random = stream(seed(), Draw::revival, epoch_number());
    projector.set_atom(state.atom);
    if (!detail::revive({samples, projector, state.values, random, shard}, state.totals.masses,
                        state.plans, state.atom)) {
      return;
    }
    sum_plans();
    detail::set_best_atom(state.totals, state.atom);
  }

  /// From the best so far, with the two target nodes that matter least made one and the other set
  /// on a badly fitted node.
  void jump() {
    state.atom = state.best_of_trial.atom;
    state.plans = state.best_of_trial.plans;
    sum_plans();
    const detail::Merge merge = detail::cheapest_merge(state.totals, projection.alpha);
    for (Plan& plan : state.plans) plan = detail::with_merged(plan, merge.from, merge.to);
    sum_plans();
    detail::set_best_atom(state.totals, state.atom);
  }

  // ---- the whole dataset

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
  impl_->own_samples = std::move(samples);  // the elements stay where they are
}
Learning::Learning(Learning&&) noexcept = default;
Learning& Learning::operator=(Learning&&) noexcept = default;
Learning::~Learning() = default;

bool Learning::advance() {
  LearningState& state = impl_->state;
  if (state.over) return false;
  if (const auto* options = impl_->closed_form()) {
    impl_->closed_form_batch(*options);
  } else {
    impl_->adam_batch(std::get<AdamScheme>(impl_->learner));
  }
  state.position += impl_->batch_size();
  if (state.position >= impl_->graphs()) impl_->end_epoch();
  return !state.over;
}

int Learning::epoch() const {
  return impl_->state.over ? impl_->state.epochs : impl_->state.epochs + impl_->state.epoch;
}
const Atom& Learning::atom() const { return impl_->state.atom; }
const std::vector<double>& Learning::losses() const { return impl_->state.losses; }

Learned Learning::result() {
  LearningState& state = impl_->state;
  Candidate found = state.best;
  if (!state.over) {
    Candidate now = impl_->current();
    if (now.loss < found.loss) found = std::move(now);
  }
  Learned learned{.atom = found.atom, .losses = std::move(found.losses), .epochs = epoch()};
  learned.plans = std::move(found.plans);
  learned.plans.resize(impl_->samples.size());
  learned.values.resize(impl_->samples.size());
  learned.embedding.resize(std::ssize(impl_->samples), impl_->size);
  impl_->projector.set_atom(learned.atom);
  learned.loss = impl_->mean_value(impl_->samples.size(), [&](std::size_t s, int worker) {
    const Plan& plan = learned.plans[s];
    Solution solution = impl_->projector.best(
        worker, impl_->samples[s], {.warm = plan.rows() > 0 ? &plan : nullptr, .product = false});
    learned.values[s] = solution.value;
    learned.embedding.row(static_cast<Index>(s)) = solution.target_weights.transpose();
    learned.plans[s] = std::move(solution.plan);
    return solution.value;
  });
  learned.status = state.over && state.converged ? Status::converged : Status::iteration_limit;
  return learned;
}

io::Archive Learning::checkpoint() const {
  return detail::to_checkpoint(
      impl_->state,
      detail::setup_of(impl_->set, impl_->size, impl_->projection, impl_->learner, impl_->run),
      impl_->shard);
}

void Learning::resume(const io::Archive& checkpoint) {
  impl_->state = detail::from_checkpoint(
      checkpoint,
      detail::setup_of(impl_->set, impl_->size, impl_->projection, impl_->learner, impl_->run),
      impl_->samples, impl_->shard);
}

}  // namespace srgw
