// SPDX-License-Identifier: MIT
//
// Cancellation. A StopScope belongs to the thread that makes it; parallel_for() hands it on to its
// workers and polls it before every item. Loops whose steps are long poll themselves:
//
// - stop_requested(): for loops that keep a best result and can leave at any time;
// - throw_if_stopped(): for all others. Stopped unwinds to run_until_stopped() of the call whose
//   Run has the limit, which returns its best result so far.
//
// Code that turns the best result so far into an answer runs under a StopShield, which silences
// polls.
#pragma once

#include <optional>
#include <utility>

#include "srgw/run.hpp"
#include "srgw/types.hpp"

namespace srgw::detail {

/// Thrown through work that has to stop. Callers of the library see it only where there is no
/// result yet.
class Stopped : public Error {
 public:
  explicit Stopped(Status why);
  [[nodiscard]] Status why() const { return why_; }

 private:
  Status why_;
};

/// Why the work of this thread has to stop, if it has to. Costs a read of the clock: poll after
/// every few microseconds to milliseconds of work. Without a scope it costs nothing.
[[nodiscard]] std::optional<Status> stop_reason();
[[nodiscard]] inline bool stop_requested() { return stop_reason().has_value(); }
void throw_if_stopped();

/// Polls every so many calls: for loops whose steps are short.
class StopCounter {
 public:
  explicit StopCounter(int period = 1024) : period_(period), left_(period) {}
  void throw_if_stopped() {
    if (--left_ > 0) return;
    left_ = period_;
    detail::throw_if_stopped();
  }

 private:
  int period_, left_;
};

/// Silences polls of this thread, and of the parallel_for() calls it makes, while it exists.
class StopShield {
 public:
  StopShield();
  StopShield(const StopShield&) = delete;
  StopShield& operator=(const StopShield&) = delete;
  ~StopShield();

 private:
  StopState* hidden_;
};

/// The scope of this thread, for threads that work for it.
[[nodiscard]] StopState* current_stop_state();
/// Makes a worker obey the scope of the thread it works for, and nothing while `state` is null.
class StopInheritance {
 public:
  explicit StopInheritance(StopState* state);
  StopInheritance(const StopInheritance&) = delete;
  StopInheritance& operator=(const StopInheritance&) = delete;
  ~StopInheritance();

 private:
  StopState* before_;
};

/// Whether the call that got this run has to return a result when it is stopped.
[[nodiscard]] inline bool has_limit(const Run& run) {
  return run.time_limit || run.cancelled || run.observer;
}

/// Calls work(scope) under a StopScope of the run. Returns why it was stopped before its end, if it
/// was; a stop that only an enclosing call asked for passes through as Stopped, unless this run has
/// a limit too.
template <class Work>
std::optional<Status> run_until_stopped(const Run& run, Work&& work) {
  StopScope scope(run);
  try {
    std::forward<Work>(work)(scope);
  } catch (const Stopped& stopped) {
    if (!has_limit(run)) throw;
    return stopped.why();
  }
  return {};
}

}  // namespace srgw::detail
