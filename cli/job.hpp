// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "srgw/ranks.hpp"

namespace srgw::cli {

/// The MPI job, or this process alone. While it exists, ranks() returns its ranks, and only the
/// first prints. Create it once, first of all.
class Job {
 public:
  Job();
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;
  ~Job();

 private:
  std::unique_ptr<Ranks> ranks_;
};

/// Null if there is one process.
[[nodiscard]] Ranks* ranks();
/// The rank that prints, and that writes files which are not written in parts.
[[nodiscard]] bool is_first_rank();

/// A message about this process alone: on ranks it begins with the rank and its machine, unless it
/// names a rank already.
[[nodiscard]] std::string of_this_rank(const std::string& message);

/// Call before an error is printed: returns on the first rank that has an error, which may print;
/// other ranks end with the job. Does nothing for a single process.
void speak_for_all();
/// After an error was told: ends all ranks. Alone it does nothing.
void end_all(int code);

}  // namespace srgw::cli
