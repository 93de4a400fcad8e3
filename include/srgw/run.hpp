// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace srgw {

class Ranks;

/// Why a solver stopped.
enum class Status {
  converged,        ///< the stopping rule of the method was met
  iteration_limit,  ///< the method's number of iterations was used up
  time_limit,       ///< Run::time_limit fired
  interrupted,      ///< the observer returned false
};

[[nodiscard]] std::string_view name(Status status);

/// What a solver tells its observer after each iteration.
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
  /// Processes to share the work with, each of which makes the same call; null: this one alone.
  Ranks* ranks = nullptr;
};

}  // namespace srgw
