// SPDX-License-Identifier: MIT
//
// Every call that may take long goes through watched(): without the GIL, and stopped by Ctrl-C.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "srgw/run.hpp"

namespace srgw::python {

namespace nb = nanobind;

/// Signals and the callback of Python while the library works.
class Watch {
 public:
  /// `callback` is None or called with each Progress; False stops.
  explicit Watch(nb::object callback) : callback_(std::move(callback)) {}

  /// The run with the callback as observer; the watch must outlive it.
  [[nodiscard]] Run observed(Run run);
  /// Calls `work` without the GIL on this thread. Raises what a signal handler or the callback
  /// raised.
  void call(const std::function<void()>& work);

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] bool tell(const Progress& progress);
  [[nodiscard]] bool poll_signals();
  void raise();

  const Clock::time_point begin_ = Clock::now();
  nb::object callback_;
  std::optional<nb::python_error> error_;
  std::optional<bool> hears_signals_;
  std::atomic<bool> stop_ = false;
};

/// A run as Python gives it: (threads, seed, time limit, callback), the last two may be None.
using RunGiven = std::tuple<int, std::uint64_t, std::optional<double>, nb::object>;

/// Returns work(run), where the run also tells the callback.
template <class Work>
auto watched(const RunGiven& given, const Work& work, bool trace = false) {
  const auto& [threads, seed, time_limit, callback] = given;
  Watch watch(callback);
  const Run observed =
      watch.observed({.threads = threads, .seed = seed, .time_limit = time_limit, .trace = trace});
  using Result = std::invoke_result_t<Work, const Run&>;
  if constexpr (std::is_void_v<Result>) {
    watch.call([&] { work(observed); });
  } else {
    std::optional<Result> result;
    watch.call([&] { result.emplace(work(observed)); });
    return std::move(*result);
  }
}

/// Returns work().
template <class Work>
auto watched(const Work& work) {
  return watched({0, 0, {}, nb::none()}, [&](const Run&) { return work(); });
}

}  // namespace srgw::python
