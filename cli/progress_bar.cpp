// SPDX-License-Identifier: MIT
#include "cli/progress_bar.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace srgw::cli {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t bar_width = 24;
constexpr std::chrono::milliseconds first_after = 1s, then_every = 100ms;

}  // namespace

ProgressBar::When when_from_text(const std::string& text, bool quiet) {
  if (quiet) return ProgressBar::When::never;
  if (text == "always") return ProgressBar::When::always;
  return text == "never" ? ProgressBar::When::never : ProgressBar::When::automatic;
}

ProgressBar::ProgressBar(When when, int starts, int iterations, Unit unit)
    : on_(when != When::never),
      terminal_(::isatty(STDERR_FILENO) == 1),
      reached_(starts, 0),
      iterations_(iterations),
      unit_(unit) {
  if (when == When::automatic && !terminal_) on_ = false;
  next_ = begin_ + (when == When::always ? 0ms : first_after);
}

ProgressBar::~ProgressBar() {
  if (drawn_ > 0 && terminal_) std::fputs(("\r" + std::string(drawn_, ' ') + "\r").c_str(), stderr);
}

double ProgressBar::done() const {
  double sum = 0;
  for (const int reached : reached_) sum += std::min(1.0, reached / iterations_);
  return sum / static_cast<double>(reached_.size());
}

std::string ProgressBar::text(const Progress& progress) const {
  const std::string start =
      reached_.size() == 1 ? ""
                           : fmt::format("start {} of {}, ", progress.start + 1, reached_.size());
  if (unit_ == Unit::tree) return fmt::format("{}tree {}", start, progress.iteration);
  if (unit_ == Unit::epoch) {
    return fmt::format("{}epoch {}, loss {:.6g}", start, progress.iteration, progress.value);
  }
  return fmt::format("{}iteration {}, value {:.6g}, gap {:.1e}", start, progress.iteration,
                     progress.value, progress.gap);
}

void ProgressBar::show(const Progress& progress) {
  if (!on_) return;
  reached_[static_cast<std::size_t>(progress.start) % reached_.size()] = progress.iteration;
  const auto now = Clock::now();
  if (now < next_) return;
  next_ = now + then_every;
  const std::size_t filled = static_cast<std::size_t>(done() * bar_width);
  std::string line = fmt::format("[{}{}] {}, {:.0f} s", std::string(filled, '#'),
                                 std::string(bar_width - filled, '.'), text(progress),
                                 std::chrono::duration<double>(now - begin_).count());
  const std::size_t width = line.size();
  if (width < drawn_) line.append(drawn_ - width, ' ');
  drawn_ = width;
  std::fputs(terminal_ ? ("\r" + line).c_str() : (line + "\n").c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace srgw::cli
