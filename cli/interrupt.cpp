// SPDX-License-Identifier: MIT
#include "cli/interrupt.hpp"

#include <unistd.h>
#include <csignal>

#include "cli/exit_code.hpp"

namespace srgw::cli {

namespace {

// A signal handler may touch nothing else. Threads of the solver only read what was set.
volatile std::sig_atomic_t guarded = 0;
volatile std::sig_atomic_t flag = 0;

void on_interrupt(int) {
  if (guarded == 0 || flag != 0) ::_exit(exit_interrupted);
  flag = 1;
}

}  // namespace

InterruptGuard::InterruptGuard() { guarded = 1; }
InterruptGuard::~InterruptGuard() { guarded = 0; }
bool InterruptGuard::interrupted() { return flag != 0; }

void exit_on_interrupt() {
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  action.sa_flags = SA_RESTART;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGINT, &action, nullptr);
}

}  // namespace srgw::cli
