// SPDX-License-Identifier: MIT
//
// What Python wants to know and to say while the library works: Ctrl-C and a callback.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>

#include "srgw/run.hpp"

namespace srgw::python {

namespace nb = nanobind;

class Watch {
 public:
  /// `callback` is None or called with each Progress; False stops.
  explicit Watch(nb::object callback) : callback_(std::move(callback)) {}

  /// A run that tells this watch, which must outlive it.
  [[nodiscard]] Run run_with(int threads, std::uint64_t seed, std::optional<double> time_limit,
                             bool trace);

  /// Runs `work` without the GIL on this thread: iterations report here, so signals are seen.
  void run_here(const std::function<void()>& work);
  /// Runs `work` without the GIL on another thread and looks for signals meanwhile: for work whose
  /// iterations report from several threads, as Python hears signals on its main thread only.
  void run_beside(const std::function<void()>& work);

  /// Whether a signal or the callback has said so; for work that asks between its steps.
  [[nodiscard]] bool stopped() const { return stop_; }

 private:
  [[nodiscard]] bool tell(const Progress& progress);
  void check_signals();
  void raise();

  nb::object callback_;
  std::optional<nb::python_error> error_;
  std::atomic<bool> stop_ = false;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace srgw::python
