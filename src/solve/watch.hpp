// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <mutex>
#include <optional>
#include <vector>

#include "base/stop.hpp"
#include "srgw/run.hpp"

namespace srgw::detail {

/// Where a run of a method ended.
struct Outcome {
  Status status = Status::iteration_limit;
  int iterations = 0;
  double gap = 0;
  bool cut = false;         ///< stopped within a step: sums are those that were carried along
  bool unfinished = false;  ///< the step asks to go on from its plan in another form
};

/// The observer and the clock of a run, shared by all its starts. Time limits and signals are those
/// of the StopScope of the thread; the clock of the run is looked at for ranks, whose scopes are
/// inert.
class Watch {
 public:
  /// An observer that returns false stops the scope, with all its threads.
  explicit Watch(const Run& run, StopScope* scope = nullptr)
      : run_(run), scope_(scope), begin_(Clock::now()) {}

  /// Whether a call that is stopped has to return the best so far.
  [[nodiscard]] bool returns_best() const { return has_limit(run_); }

  /// Tells the observer; an answer says why to stop now.
  [[nodiscard]] std::optional<Status> report(const Progress& progress,
                                             std::vector<Progress>& trace) {
    if (run_.trace) trace.push_back(progress);
    if (run_.observer) {
      const std::lock_guard lock(mutex_);
      if (ask(progress)) return Status::interrupted;
    }
    return reason();
  }

  /// Tells the observer alone; whether to go on.
  [[nodiscard]] bool tell(const Progress& progress) {
    const std::lock_guard lock(mutex_);
    return !ask(progress);
  }

  /// The run with the time that is left, for one of several solves.
  [[nodiscard]] Run rest() const {
    Run run = run_;
    if (run.time_limit) run.time_limit = std::max(0.0, *run.time_limit - elapsed());
    return run;
  }
  [[nodiscard]] double elapsed() const {
    return std::chrono::duration<double>(Clock::now() - begin_).count();
  }

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] bool ask(const Progress& progress) {
    interrupted_ = interrupted_ || !run_.observer(progress);
    if (interrupted_ && scope_ != nullptr) scope_->request_stop(Status::interrupted);
    return interrupted_;
  }
  [[nodiscard]] std::optional<Status> reason() const {
    if (const auto why = stop_reason()) return why;
    if (run_.time_limit && elapsed() > *run_.time_limit) return Status::time_limit;
    return {};
  }

  const Run& run_;
  StopScope* scope_;
  Clock::time_point begin_;
  std::mutex mutex_;
  bool interrupted_ = false;
};

/// Calls work(watch) under the limits of a run; why it was stopped before its end, if it was. A run
/// without limits needs no scope, which would be allocated.
template <class Work>
std::optional<Status> run_within_limits(const Run& run, const Work& work) {
  if (!has_limit(run)) {
    Watch watch(run);
    work(watch);
    return {};
  }
  return run_until_stopped(run, [&](StopScope& scope) {
    Watch watch(run, &scope);
    work(watch);
  });
}

}  // namespace srgw::detail
