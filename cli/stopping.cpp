// SPDX-License-Identifier: MIT
#include "cli/stopping.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>

#include "cli/exit_code.hpp"

namespace srgw::cli {

namespace {

constexpr double grace = 0.5;  // seconds for pictures and pages after a stop

const auto program_start = std::chrono::steady_clock::now();
std::optional<double> time_limit;
std::string current_task;
bool left_out = false;           // a picture or page
std::optional<StopScope> scope;  // until there is a result

std::atomic<int> heard = 0;  // the number of the first signal
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may touch nothing else");

void on_signal(int number) {
  int none = 0;
  if (!heard.compare_exchange_strong(none, number)) ::_exit(exit_interrupted);
}

/// A little, when nothing is left: the call then returns what it has at once.
std::optional<double> time_left() {
  if (!time_limit) return {};
  return std::max(1e-3, *time_limit - seconds_so_far());
}

const char* signal_name() {
  if (heard == SIGTERM) return "stopped by SIGTERM";
  if (heard == SIGXCPU) return "stopped by SIGXCPU, the limit of processor time";
  return heard == SIGHUP ? "stopped by SIGHUP" : "interrupted";
}

}  // namespace

double seconds_so_far() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - program_start).count();
}

void set_time_limit(double seconds) { time_limit = seconds; }

void listen_to_signals() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  ::sigemptyset(&action.sa_mask);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGXCPU}) {
    struct sigaction before {};
    ::sigaction(number, nullptr, &before);
    const bool outlives_terminal = number == SIGHUP && before.sa_handler == SIG_IGN;  // nohup
    if (!outlives_terminal) ::sigaction(number, &action, nullptr);
  }
  // A file that would exceed the limit of `ulimit -f` is an error of the write.
  std::signal(SIGXFSZ, SIG_IGN);
}

bool was_signalled() { return heard != 0; }

bool is_time_up() { return was_signalled() || (time_limit && seconds_so_far() > *time_limit); }

void begin_task(const std::string& task) {
  current_task = task;
  // On several ranks, too: the one that stops first ends the others.
  scope.emplace(Run{.time_limit = time_left(), .cancelled = was_signalled});
}

void set_task(const std::string& task) { current_task = task; }

void begin_writing() {
  current_task = "writing the result";
  scope.reset();
  if (!was_signalled()) scope.emplace(Run{.cancelled = was_signalled});
}

std::string stop_message() {
  const std::string task = current_task.empty() ? "" : " while " + current_task;
  if (was_signalled()) return fmt::format("{}{}: there is no result", signal_name(), task);
  return fmt::format(
      "the time limit of {} s was reached{}: there is no result, expected a longer --time-limit",
      time_limit.value_or(0), task);
}

Watched::Watched(const Common& common, std::uint64_t seed, const Steps& steps)
    : bar_(when_from_text(common.progress, common.quiet), steps.starts, steps.iterations,
           steps.unit),
      run_{.threads = common.threads, .seed = seed, .time_limit = time_left()} {
  run_.observer = [this](const Progress& progress) {
    bar_.show(progress);
    return !was_signalled();
  };
  run_.cancelled = was_signalled;
  current_task.clear();
  scope.reset();
}

void show_in_time(const Common& common, const std::string& file,
                  const std::function<void()>& work) {
  scope.reset();
  Run run{.time_limit = time_left()};
  if (run.time_limit) run.time_limit = std::max(grace, *run.time_limit);
  if (was_signalled()) {
    run.time_limit = grace;
  } else {
    run.cancelled = was_signalled;
  }
  const StopScope limits(run);
  try {
    work();
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::stopped) throw;
    left_out = true;
    note(common, "{} was not written: {}", file,
         was_signalled() ? signal_name() : "the time limit was reached");
  }
}

int exit_code(const Common& common, Status status, bool strict, const std::string& hint) {
  if (status == Status::interrupted) {
    note(common, "{}, this is the best so far: {}", signal_name(), hint);
    return exit_interrupted;
  }
  if (status != Status::converged && (strict || status == Status::time_limit)) {
    note(common, "not converged ({}): {}", name(status), hint);
  }
  if (left_out) return was_signalled() ? exit_interrupted : exit_resource;
  return strict && status != Status::converged ? exit_not_converged : exit_fine;
}

}  // namespace srgw::cli
