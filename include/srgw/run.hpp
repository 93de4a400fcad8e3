// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

namespace srgw {

class Ranks;

/// Why a solver stopped.
enum class Status {
  converged,        ///< the stopping rule of the method was met
  iteration_limit,  ///< the method's number of iterations was used up
  time_limit,       ///< Run::time_limit fired
  interrupted,      ///< Run::cancelled returned true, or the observer false
};

[[nodiscard]] std::string_view name(Status status);

/// The report of a solver to its observer after each iteration.
struct Progress {
  int start = 0;      ///< which of the starts
  int iteration = 0;  ///< steps taken so far; 0 reports the starting plan
  double value = 0;   ///< objective at the current plan
  double gap = 0;     ///< Frank-Wolfe gap at the plan that the step left
  double step = 0;    ///< length of the step just taken, in [0, 1]
  double change = 0;  ///< |T' - T| of the step just taken; mirror descent only
};

/// Called after each iteration; false stops the solver, which then returns what it has. With
/// several starts on several threads the calls of different starts interleave, but never overlap.
using Observer = std::function<bool(const Progress&)>;

/// How to run: nothing here changes the problem; threads and ranks do not change the result.
/// Functions without a Run take `int threads = 0` of the same meaning.
struct Run {
  int threads = 0;                        ///< 0: all cores
  std::uint64_t seed = 0;                 ///< item i of a task draws from the stream (seed, i)
  std::optional<double> time_limit = {};  ///< seconds; the best plan so far is returned
  bool trace = false;                     ///< keep every Progress in the solution
  Observer observer = {};
  /// Polled by the calling thread about every 20 ms, in every loop of the call; true stops it. For
  /// signals and buttons: an observer is only asked where there is progress to report.
  std::function<bool()> cancelled = {};
  /// Processes to share the work with, each of which makes the same call; null: this one alone.
  Ranks* ranks = nullptr;
};

namespace detail {
class StopState;
}

/// While it exists, every call that this thread makes into the library obeys the time limit and
/// `cancelled` of a run, reading and drawing included. Scopes nest: an inner one also stops when an
/// outer one does. A call whose own Run has a limit or an observer returns the best result so far;
/// other calls, and those that have no result yet, throw an Error of kind `stopped`.
class StopScope {
 public:
  explicit StopScope(const Run& run);
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;
  ~StopScope();

  /// Why the work has to stop, if it has to. Polls.
  [[nodiscard]] std::optional<Status> stopped() const;
  /// Stops the work under this scope, on all threads.
  void request_stop(Status why);

 private:
  std::unique_ptr<detail::StopState> state_;
};

}  // namespace srgw
