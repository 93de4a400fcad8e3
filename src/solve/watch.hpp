// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <mutex>
#include <optional>
#include <vector>

#include "srgw/run.hpp"

namespace srgw::detail {

/// The observer and the clock of a run, shared by all its starts.
class Watch {
 public:
  explicit Watch(const Run& run) : run_(run), begin_(Clock::now()) {}

  /// Tells the observer; an answer says why to stop now.
  [[nodiscard]] std::optional<Status> report(const Progress& progress,
                                             std::vector<Progress>& trace) {
    if (run_.trace) trace.push_back(progress);
    if (run_.observer) {
      const std::lock_guard lock(mutex_);
      interrupted_ = interrupted_ || !run_.observer(progress);
      if (interrupted_) return Status::interrupted;
    }
    if (run_.time_limit && elapsed() > *run_.time_limit) return Status::time_limit;
    return {};
  }

  /// The same for work that has no progress to tell; may be asked on any thread.
  [[nodiscard]] bool stopped() {
    if (run_.observer) {
      const std::lock_guard lock(mutex_);
      interrupted_ = interrupted_ || !run_.observer(Progress{});
      if (interrupted_) return true;
    }
    return run_.time_limit && elapsed() > *run_.time_limit;
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

  const Run& run_;
  Clock::time_point begin_;
  std::mutex mutex_;
  bool interrupted_ = false;
};

}  // namespace srgw::detail
