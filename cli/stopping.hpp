// SPDX-License-Identifier: MIT
//
// How the program ends early: --time-limit, counted from the start of the program, and the signals
// SIGINT (Ctrl-C), SIGTERM and SIGHUP. Until the first Watched call everything runs under one
// StopScope, and a stop is an error: there is no result. Watched calls get the time that is left
// and return the best result so far; what comes after them saves it.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "cli/common.hpp"
#include "cli/progress_bar.hpp"
#include "srgw/run.hpp"

namespace srgw::cli {

/// Seconds since the program started.
[[nodiscard]] double seconds_so_far();
/// --time-limit: seconds from then on.
void set_time_limit(double seconds);

/// The first signal sets a flag, so that the best result so far can be saved; the second ends the
/// program. To be called once, first of all.
void listen_to_signals();
[[nodiscard]] bool was_signalled();

/// From now on the library obeys limit and signals. `task` says what is going on, for the message
/// of a stop: "reading graph.txt".
void begin_task(const std::string& task);
/// Names the current task.
void set_task(const std::string& task);
/// From now on there is a result to write: the limit does not stop that, and a signal does unless
/// it has come before.
void begin_writing();
/// How the program was stopped without a result, and what to do.
[[nodiscard]] std::string stop_message();

/// How far a progress bar goes.
struct Steps {
  int iterations = 1;
  int starts = 1;
  ProgressBar::Unit unit = ProgressBar::Unit::iteration;
};
/// While it exists, a progress bar may be there. Its run has the time that is left and hears
/// signals.
class Watched {
 public:
  Watched(const Common& common, std::uint64_t seed, const Steps& steps);
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;

  [[nodiscard]] const Run& run() const { return run_; }

 private:
  ProgressBar bar_;
  Run run_;
};

/// Draws or writes a page about a result that is saved already. When limit or signal have come it
/// gets half a second; a note and the exit code tell when that is not enough.
void show_in_time(const Common& common, const std::string& file, const std::function<void()>& work);
/// Whether limit or signal have come: for what may be left out then.
[[nodiscard]] bool is_time_up();

/// The exit code of a result: 130 when a signal stopped it, 5 when the time limit left out a
/// picture or page, 4 with --strict when it did not converge, else 0. A note says that it is the
/// best so far; `hint` is its second half.
[[nodiscard]] int exit_code(const Common& common, Status status, bool strict,
                            const std::string& hint);

}  // namespace srgw::cli
