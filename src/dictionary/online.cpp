// SPDX-License-Identifier: MIT
#include <cmath>

#include "base/message.hpp"
#include "base/parallel.hpp"
#include "dictionary/adam.hpp"
#include "dictionary/atom_start.hpp"
#include "dictionary/atom_sums.hpp"
#include "dictionary/model_parts.hpp"
#include "dictionary/projector.hpp"
#include "dictionary/sample_scale.hpp"
#include "dictionary/training_set.hpp"
#include "srgw/dictionary.hpp"

namespace srgw {

using detail::AtomSums;
using nlohmann::json;

namespace {

constexpr const char* checkpoint_kind = "stream_checkpoint";
constexpr int checkpoint_version = 2;

}  // namespace

struct OnlineDictionary::Impl {
  Index size;
  Projection projection;
  OnlineOptions options;
  Run run;
  std::optional<detail::Projector> projector = {};
  int exponent = 0;  // of the unit, which is that of the first graphs
  Atom atom = {};    // in the unit, as all below
  detail::AdamMoments moments = {};
  AtomSums sums = {};
  std::uint64_t graphs = 0;
  bool non_negative = true;  // no entry below 0 was seen

  [[nodiscard]] const AdamSteps* adam() const { return std::get_if<AdamSteps>(&options.update); }

  [[nodiscard]] int threads() const { return detail::resolve_threads(run.threads); }

  /// Everything from now on is measured in this unit.
  void set_exponent(int found) {
    exponent = found;
    projector.emplace(detail::times_power_of_two(projection, -exponent), threads());
  }

  /// The graphs in the unit; `own` keeps them if they had to be scaled.
  std::span<const Sample> in_unit(std::span<const Sample> given, std::vector<Sample>& own) const {
    detail::check_scale(given, exponent);
    if (exponent == 0) return given;
    return own = detail::times_power_of_two(given, -exponent);
  }

  void begin(std::span<const Sample> batch) {
    const Index columns = batch.front().features.cols();
    moments = {size, columns};
    sums = {size, columns};
    const detail::TrainingSet set = detail::checked_training_set(batch, size, projection);
    detail::Shard shard(batch.size());
    const detail::StartData data{batch, size, columns, run.seed, threads(), shard};
    if (options.start == AtomStart::noise) {
      atom = detail::noisy_atom(data);
      return;
    }
    const auto plans = detail::descriptor_plans(data, columns > 0 ? projection.alpha : 1);
    atom = set.mean_atom;
    detail::set_best_atom(sum_of_plans(batch, plans), atom);
  }

  [[nodiscard]] AtomSums sum_of_plans(std::span<const Sample> samples,
                                      std::span<const Plan> plans) const {
    AtomSums total(size, atom.features.cols());
    for (std::size_t s = 0; s < samples.size(); ++s) {
      total.add_plan(samples[s], plans[s]);
      total.count += 1;
    }
    total.symmetrize();
    return total;
  }

  void take(std::span<const Sample> given, const Learned& learned) {
    if (learned.atom.size() != size || given.empty() || given.size() != learned.plans.size()) {
      detail::fail_argument("{} graphs and an atom of {} nodes, expected {} graphs and {} nodes",
                            given.size(), learned.atom.size(), learned.plans.size(), size);
    }
    const Index columns = learned.atom.features.cols();
    check(given, columns);
    set_exponent(detail::scale_exponent(given, projection.alpha));
    std::vector<Sample> own;
    const std::span<const Sample> samples = in_unit(given, own);
    atom = detail::times_power_of_two(learned.atom, -exponent);
    moments = {size, columns};
    sums = sum_of_plans(samples, learned.plans);
    see(samples);
    graphs = samples.size();
  }

  /// With equal masses q the uses of an atom are q q' for each graph, and the sums that have it as
  /// their best atom follow.
  void take(const Atom& given, double unit, std::uint64_t count) {
    if (given.size() != size || count == 0) {
      detail::fail_argument("an atom of {} nodes from {} graphs, expected {} nodes and a graph",
                            given.size(), count, size);
    }
    int power = 0;
    std::frexp(unit, &power);
    set_exponent(power - 1);
    atom = detail::times_power_of_two(given, -exponent);
    const Index columns = atom.features.cols();
    const double weight = static_cast<double>(count), share = 1 / static_cast<double>(size);
    moments = {size, columns};
    sums = {size, columns};
    sums.count = weight;
    sums.masses.setConstant(weight * share);
    sums.uses.setConstant(weight * share * share);
    sums.cross = weight * share * share * atom.structure;
    sums.features = weight * share * atom.features;
    sums.symmetric = atom.structure == atom.structure.transpose();
    non_negative = atom.structure.minCoeff() >= 0;
    graphs = count;
  }

  double fit(std::span<const Sample> given) {
    if (given.empty()) detail::fail_argument("the batch is empty, expected at least one graph");
    check(given, graphs == 0 ? given.front().features.cols() : atom.features.cols());
    if (graphs == 0) set_exponent(detail::scale_exponent(given, projection.alpha));
    std::vector<Sample> own;
    const std::span<const Sample> batch = in_unit(given, own);
    if (graphs == 0) begin(batch);
    projector->set_atom(atom);
    see(batch);
    const detail::FixedSums zero(size, atom.features.cols(), bounds_of(batch));
    detail::Shard shard(batch.size());
    const AtomSums change = detail::sum_over(std::ssize(batch), threads(), zero, shard,
                                             [&](Index item, int worker, detail::FixedSums& part) {
                                               const Sample& sample = batch[item];
                                               const Solution& solution =
                                                   projector->solve(worker, sample);
                                               part.add_plan(sample, solution.plan);
                                               part.add_terms({.value = solution.value}, 1);
                                             });
    update(change);
    graphs += batch.size();
    return std::ldexp(change.value / change.count, 2 * exponent);
  }

  static detail::SumBounds bounds_of(std::span<const Sample> samples) {
    detail::SumBounds bounds{.graphs = samples.size()};
    for (const Sample& sample : samples) {
      const auto& [structure, h] = sample.source;
      bounds.include(structure.square_form(h), sample.features.cols() > 0
                                                   ? sample.features.rowwise().squaredNorm().dot(h)
                                                   : 0.0);
    }
    return bounds;
  }

  void see(std::span<const Sample> samples) {
    for (const Sample& sample : samples) {
      non_negative = non_negative && detail::is_non_negative(sample.source.structure);
    }
  }

  void update(const AtomSums& change) {
    if (const AdamSteps* steps = adam()) {
      detail::adam_step(*steps, detail::atom_gradient(change, atom), non_negative, moments, atom);
      return;
    }
    sums.multiply(std::get<OnlineAverages>(options.update).forgetting);
    sums.add(change);
    detail::set_best_atom(sums, atom);
  }

  [[nodiscard]] json setup() const {
    return {
        {"size", size},
        {"seed", run.seed},
        {"start", options.start},
        {"projection", projection},
        {"update", std::visit([](const auto& update) { return json(update); }, options.update)}};
  }

  static void describe(auto& parts, auto& impl) {
    parts.setup(impl.setup());
    parts.value("graphs", impl.graphs);
    parts.value("exponent", impl.exponent);
    parts.value("non_negative", impl.non_negative);
    detail::describe_atom(parts, "atom", impl.atom);
    detail::describe_moments(parts, impl.moments);
    detail::describe_sums(parts, "sums", impl.sums);
  }
};

OnlineDictionary::OnlineDictionary(Index size, const Projection& projection,
                                   const OnlineOptions& options, const Run& run) {
  detail::check_size(size);
  detail::check_projection(projection);
  std::visit([](const auto& update) { check_fields(update); }, options.update);
  if (options.start == AtomStart::both) {
    detail::fail_argument("start both, expected noise or descriptors: a stream has one atom");
  }
  impl_ = std::make_unique<Impl>(Impl{size, projection, options, run});
}
OnlineDictionary::OnlineDictionary(OnlineDictionary&&) noexcept = default;
OnlineDictionary& OnlineDictionary::operator=(OnlineDictionary&&) noexcept = default;
OnlineDictionary::~OnlineDictionary() = default;

void OnlineDictionary::take(std::span<const Sample> samples, const Learned& learned) {
  impl_->take(samples, learned);
}
void OnlineDictionary::take(const Atom& atom, double unit, std::uint64_t graphs) {
  impl_->take(atom, unit, graphs);
}
double OnlineDictionary::partial_fit(std::span<const Sample> batch) { return impl_->fit(batch); }
Atom OnlineDictionary::atom() const {
  return detail::times_power_of_two(impl_->atom, impl_->exponent);
}
double OnlineDictionary::unit() const { return std::ldexp(1.0, impl_->exponent); }
std::uint64_t OnlineDictionary::graphs() const { return impl_->graphs; }

io::Archive OnlineDictionary::checkpoint() const {
  return detail::write_parts(checkpoint_kind, checkpoint_version,
                             [&](auto& parts) { Impl::describe(parts, *impl_); });
}

void OnlineDictionary::resume(const io::Archive& checkpoint) {
  detail::read_parts(checkpoint, checkpoint_kind,
                     [&](auto& parts) { Impl::describe(parts, *impl_); });
  impl_->set_exponent(impl_->exponent);
}

}  // namespace srgw
