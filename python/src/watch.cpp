// SPDX-License-Identifier: MIT
#include "watch.hpp"

#include <nanobind/stl/optional.h>

#include <memory>
#include <stdexcept>

#include "bindings.hpp"
#include "srgw/types.hpp"

namespace srgw::python {

namespace {

// Python hears signals on its main thread only.
bool on_main_thread() {
  const nb::object main = nb::module_::import_("threading").attr("main_thread")();
  return nb::cast<unsigned long>(main.attr("ident")) == PyThread_get_thread_ident();
}

/// Time limit of all calls that its thread makes inside a with statement.
struct TimeLimit {
  std::optional<double> seconds;
  std::unique_ptr<StopScope> scope;
};

}  // namespace

Run Watch::observed(Run run) {
  if (!callback_.is_none()) {
    run.observer = [this](const Progress& progress) { return tell(progress); };
  }
  return run;
}

// Called under the lock of the run, so never twice at a time; never with the GIL.
bool Watch::tell(const Progress& progress) {
  if (stop_) return false;
  const nb::gil_scoped_acquire gil;
  try {
    if (callback_(progress).is(nb::bool_(false))) stop_ = true;
  } catch (nb::python_error& error) {
    if (!error_) error_.emplace(std::move(error));
    stop_ = true;
  }
  return !stop_;
}

// On the thread of the call only. Most calls end before they ask for the first time.
bool Watch::poll_signals() {
  constexpr std::chrono::milliseconds patience(20);
  if (hears_signals_ == false || Clock::now() - begin_ < patience) return false;
  const nb::gil_scoped_acquire gil;
  if (!hears_signals_) hears_signals_ = on_main_thread();
  if (PyErr_CheckSignals() == 0) return false;
  if (!error_) error_.emplace();  // takes what the handler raised
  PyErr_Clear();
  stop_ = true;
  return true;
}

void Watch::raise() {
  if (error_) throw nb::python_error(std::move(*error_));
}

void Watch::call(const std::function<void()>& work) {
  try {
    const nb::gil_scoped_release released;
    const StopScope scope({.cancelled = [this] { return poll_signals(); }});
    work();
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::stopped) throw;
    raise();
    if (stop_) throw std::runtime_error("the callback stopped the call before it had a result");
    throw;
  }
  raise();
}

void bind_watch(nb::module_& module) {
  nb::class_<TimeLimit>(module, "TimeLimit",
                        "Calls inside `with TimeLimit(seconds)` raise TimeoutError after it, "
                        "unless they have their own limit and a result.")
      .def(
          "__init__",
          [](TimeLimit* self, std::optional<double> seconds) {
            new (self) TimeLimit{seconds, {}};
          },
          nb::arg("seconds").none())
      .def("__enter__",
           [](TimeLimit& self) {
             self.scope = std::make_unique<StopScope>(Run{.time_limit = self.seconds});
           })
      .def("__exit__", [](TimeLimit& self, const nb::args&) { self.scope.reset(); });
}

}  // namespace srgw::python
