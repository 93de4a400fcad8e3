// SPDX-License-Identifier: MIT
#include "cli/job.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <thread>

#include "cli/exit_code.hpp"
#ifdef SRGW_MPI
#include "srgw/mpi.hpp"
#endif

namespace srgw::cli {

namespace {

using std::chrono::milliseconds;

Ranks* all = nullptr;
int saved_output = -1, saved_errors = -1;  // of a silent rank

void silence() {
  saved_output = ::dup(STDOUT_FILENO);
  saved_errors = ::dup(STDERR_FILENO);
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0) return;
  ::dup2(nowhere, STDOUT_FILENO);
  ::dup2(nowhere, STDERR_FILENO);
  ::close(nowhere);
}

#ifndef SRGW_MPI
/// Without MPI, each process that a launcher starts would do all of the work and write the same
/// files.
std::unique_ptr<Ranks> started_ranks() {
  // srun sets the last one for the processes of a step, which SLURM_NTASKS is not about.
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}) {
    const char* size = std::getenv(name);
    if (size == nullptr || std::string_view(size) == "1") continue;
    fail_usage(
        "{} processes were started ({}), but this program was built without MPI: start one, or "
        "build srgw from source where MPI is installed",
        size, name);
  }
  return nullptr;
}
#endif

}  // namespace

Job::Job() : ranks_(started_ranks()) {
  if (ranks_ && ranks_->count() > 1) all = ranks_.get();
  if (!is_first_rank()) silence();
}

Job::~Job() { all = nullptr; }

Ranks* ranks() { return all; }

bool is_first_rank() { return all == nullptr || all->first(); }

std::string of_this_rank(const std::string& message) {
  if (all == nullptr || message.starts_with("rank ")) return message;
  return all->description() + ": " + message;
}

void speak_for_all() {
  if (all == nullptr) return;
  if (!all->claim_last_word()) {
    // The rank that prints also ends this process; if that fails, it ends itself.
    std::this_thread::sleep_for(std::chrono::seconds(30));
    all->abort(exit_internal);
  }
  if (saved_output < 0) return;
  std::fflush(stdout);
  ::dup2(saved_output, STDOUT_FILENO);
  ::dup2(saved_errors, STDERR_FILENO);
}

void end_all(int code) {
  if (all == nullptr) return;
  std::fflush(stdout);
  std::this_thread::sleep_for(milliseconds(200));  // for the launcher to pass on what was said
  all->abort(code);
}

}  // namespace srgw::cli
