// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "dictionary/adam.hpp"
#include "dictionary/atom_sums.hpp"

namespace srgw::detail {

/// An atom with what it makes of the graphs.
struct Candidate {
  Atom atom;
  double loss = std::numeric_limits<double>::infinity();
  std::vector<Plan> plans = {};     ///< empty: those from product starts
  std::vector<double> losses = {};  ///< of its run
  int epochs = 0;                   ///< of its run, without those after jumps

  [[nodiscard]] bool exists() const { return atom.size() > 0; }
};

/// All that changes while an atom is learned. Random numbers are named by (seed, trial, epoch or
/// step), so that they need not be kept.
struct LearningState {
  int trial = 0;             ///< which of the starts
  int epoch = 0;             ///< of this trial
  std::size_t position = 0;  ///< graphs of this epoch that are done
  int passes = 0;            ///< epochs of the trials that ended
  int all_jumps = 0;         ///< of the trials that ended
  bool over = false;
  bool converged = false;

  Atom atom;
  AdamMoments moments;
  AtomSums totals;          ///< of the closed form
  std::vector<Plan> plans;  ///< last ones; without rows where a graph has none yet
  std::vector<double> values, extras;
  std::vector<double> losses;  ///< of this trial
  int jumps = 0;               ///< begun, of the closed form
  int settled = 0;             ///< epochs since the last of them
  int main_epochs = 0;         ///< before the first of them
  int failures = 0;            ///< evaluations without gain

  Candidate best_of_trial;  ///< at the evaluations of the paper's scheme
  Candidate best;           ///< of the trials that ended
};

}  // namespace srgw::detail
