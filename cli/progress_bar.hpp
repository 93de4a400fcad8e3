// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "srgw/run.hpp"

namespace srgw::cli {

/// A line on stderr that is redrawn while a solver runs.
class ProgressBar {
 public:
  enum class When { automatic, always, never };

  enum class Unit { iteration, epoch, tree };  ///< an epoch has no gap, a tree no value

  /// `iterations` is the limit of each start; automatic: on a terminal, after a second.
  ProgressBar(When when, int starts, int iterations, Unit unit = Unit::iteration);
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  ~ProgressBar();  ///< wipes the line

  void show(const Progress& progress);

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] double done() const;
  [[nodiscard]] std::string text(const Progress& progress) const;

  bool on_, terminal_;
  Clock::time_point begin_ = Clock::now(), next_;
  std::vector<int> reached_;  // iterations of each start
  double iterations_;
  Unit unit_;
  std::size_t drawn_ = 0;  // width of the line that stands there
};

[[nodiscard]] ProgressBar::When when_from_text(const std::string& text, bool quiet);

}  // namespace srgw::cli
