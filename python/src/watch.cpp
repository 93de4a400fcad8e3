// SPDX-License-Identifier: MIT
#include "watch.hpp"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

namespace srgw::python {

namespace {
constexpr std::chrono::milliseconds patience(50);
}

Run Watch::run_with(int threads, std::uint64_t seed, std::optional<double> time_limit, bool trace) {
  return {.threads = threads,
          .seed = seed,
          .time_limit = time_limit,
          .trace = trace,
          .observer = [this](const Progress& progress) { return tell(progress); }};
}

// Called under the lock of the run, so never twice at a time; never with the GIL.
bool Watch::tell(const Progress& progress) {
  if (stop_) return false;
  if (callback_.is_none()) {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < patience) return true;
    last_ = now;
    const nb::gil_scoped_acquire gil;
    check_signals();
    return !stop_;
  }
  const nb::gil_scoped_acquire gil;
  check_signals();
  if (stop_) return false;
  try {
    if (callback_(progress).is(nb::bool_(false))) stop_ = true;
  } catch (nb::python_error& error) {
    error_.emplace(std::move(error));
    stop_ = true;
  }
  return !stop_;
}

void Watch::check_signals() {
  if (PyErr_CheckSignals() == 0) return;
  error_.emplace();  // takes what the handler raised
  stop_ = true;
}

void Watch::raise() {
  if (error_) throw nb::python_error(std::move(*error_));
}

void Watch::run_here(const std::function<void()>& work) {
  {
    const nb::gil_scoped_release released;
    work();
  }
  raise();
}

void Watch::run_beside(const std::function<void()>& work) {
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  std::exception_ptr failure;
  {
    const nb::gil_scoped_release released;
    const std::jthread worker([&] {
      try {
        work();
      } catch (...) {
        failure = std::current_exception();
      }
      const std::scoped_lock lock(mutex);
      done = true;
      changed.notify_one();
    });
    std::unique_lock lock(mutex);
    while (!changed.wait_for(lock, patience, [&] { return done; })) {
      lock.unlock();
      if (!stop_) {
        const nb::gil_scoped_acquire gil;
        check_signals();
      }
      lock.lock();
    }
  }
  raise();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace srgw::python
