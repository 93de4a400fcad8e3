// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "srgw/ranks.hpp"

namespace srgw::cli {

/// What mpirun has started, or this process alone. While it lives, ranks() gives its ranks and all
/// but the first are silent. To be made once, first of all.
class Job {
 public:
  Job();
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;
  ~Job();

 private:
  std::unique_ptr<Ranks> ranks_;
};

/// Null where there is one process.
[[nodiscard]] Ranks* ranks();
/// Who reads from and writes to the world: results, notes and files that are not written in parts.
[[nodiscard]] bool is_first_rank();

/// Before an error is told: on the rank that is first to have one this returns, able to print; on
/// others it never does, they end with the job. Alone it does nothing.
void speak_for_all();
/// After an error was told: ends all ranks. Alone it does nothing.
void end_all(int code);

}  // namespace srgw::cli
