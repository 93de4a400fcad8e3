// SPDX-License-Identifier: MIT
#include "communities/selection.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "base/stop.hpp"
#include "srgw/metrics.hpp"

namespace srgw::detail {

namespace {

constexpr int most_trial_steps = 100;

PartitionOptions with(PartitionOptions options, const PartitionSetting& setting,
                      const PartitionGrid& grid) {
  if (!grid.times.empty()) options.structure.number = setting.time;
  if (!grid.scales.empty()) {
    options.target.kind = PartitionTarget::Kind::scaled_identity;
    options.target.scale = setting.scale;
  }
  if (!grid.exponents.empty()) {
    options.weights = {PartitionWeights::Kind::power, setting.exponent, {}};
  }
  if (!grid.epsilons.empty()) {
    auto* mirror = std::get_if<MirrorDescent>(&options.method);
    if (mirror != nullptr) mirror->epsilon = setting.epsilon;
  }
  return options;
}

PartitionSetting setting_of(const PartitionOptions& options) {
  const auto* mirror = std::get_if<MirrorDescent>(&options.method);
  const bool powered = options.weights.kind == PartitionWeights::Kind::power;
  return {.time = options.structure.number.value_or(1),
          .scale = options.target.scale,
          .exponent = powered ? options.weights.exponent : 0,
          .epsilon = mirror != nullptr ? mirror->epsilon : 0};
}

/// Tries settings one after the other and remembers the best.
class Trials {
 public:
  Trials(const Part& part, Sources& sources, const Run& run)
      : part_(part), sources_(sources), run_(run), best_(setting_of(part.options)) {
    base_ = part.options;
    base_.starts = 1;
    std::visit(
        [](auto& method) {
          method.max_iterations = std::min(method.max_iterations, most_trial_steps);
        },
        base_.method);
  }

  void attempt(const PartitionSetting& setting) {
    PartitionOptions options = with(base_, setting, *base_.select);
    const Source source = sources_.of(options);
    if (part_.chooses_start) options.start = start(options, source, setting.time);
    Alternated found = solve_part(part_, source, options, run_);
    const Status status = found.solution.status;
    {
      const StopShield shield;
      const double quality = metrics::modularity(part_.graph, found.solution.plan.labels());
      if (tried_ == 0 || quality > quality_) {
        quality_ = quality;
        best_ = setting;
        trial_ = std::move(found);
      }
      ++tried_;
    }
    pass_on_stop(status);
  }

  [[nodiscard]] const PartitionSetting& best() const { return best_; }
  [[nodiscard]] int tried() const { return tried_; }
  [[nodiscard]] const std::optional<Alternated>& trial() const { return trial_; }

 private:
  /// Labels do not depend on scale, weights or epsilon.
  PartitionStart start(const PartitionOptions& options, const Source& source, double time) {
    const auto named = std::get<Start>(*options.start);
    if (named == Start::product) return named;
    if (!labels_ || labels_time_ != time) {
      const Structure target = Structure::scaled_identity(part_.columns, 1);
      labels_ =
          initial_plan({.source = source.structure, .weights = source.weights, .target = target},
                       named, run_.seed, resolve_threads(run_.threads))
              .labels();
      labels_time_ = time;
    }
    return *labels_;
  }

  const Part& part_;
  Sources& sources_;
  const Run& run_;
  PartitionOptions base_;
  PartitionSetting best_;
  double quality_ = 0;
  int tried_ = 0;
  std::optional<Alternated> trial_ = {};
  std::optional<Assignment> labels_ = {};
  double labels_time_ = 0;
};

std::vector<double> values_or(const std::vector<double>& values, double otherwise) {
  return values.empty() ? std::vector{otherwise} : values;
}

}  // namespace

Selected select_setting(const Part& part, Sources& sources, const Run& run) {
  const PartitionGrid& grid = *part.options.select;
  Trials trials(part, sources, run);
  PartitionSetting setting = trials.best();
  if (!grid.exponents.empty()) setting.exponent = grid.exponents.front();
  if (!grid.epsilons.empty()) setting.epsilon = grid.epsilons.front();
  const auto stopped = run_until_stopped(run, [&](StopScope&) {
    for (const double time : values_or(grid.times, setting.time)) {
      setting.time = time;
      for (const double scale : values_or(grid.scales, setting.scale)) {
        setting.scale = scale;
        trials.attempt(setting);
      }
    }
    for (std::size_t i = 1; i < grid.exponents.size(); ++i) {
      setting = trials.best();
      setting.exponent = grid.exponents[i];
      trials.attempt(setting);
    }
    for (std::size_t i = 1; i < grid.epsilons.size(); ++i) {
      setting = trials.best();
      setting.epsilon = grid.epsilons[i];
      trials.attempt(setting);
    }
  });
  if (!trials.trial()) throw Stopped(*stopped);
  return {with(part.options, trials.best(), grid), trials.best(), trials.tried(), *trials.trial(),
          stopped};
}

}  // namespace srgw::detail
