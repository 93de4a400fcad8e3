// SPDX-License-Identifier: MIT
#pragma once

namespace srgw::cli {

/// While one of these lives, the first Ctrl-C only sets a flag, so that the best result so far can
/// be saved; the second, and any at other times, ends the program with exit code 130.
class InterruptGuard {
 public:
  InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  ~InterruptGuard();

  [[nodiscard]] static bool interrupted();
};

/// To be called once, first of all.
void exit_on_interrupt();

}  // namespace srgw::cli
