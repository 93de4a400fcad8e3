// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

#include <memory>

#include "srgw/ranks.hpp"

// Ranks of MPI. Not part of srgw.hpp: link srgw::mpi, which a build with SRGW_MPI=ON has.
namespace srgw {

/// The ranks of a communicator, in a program that has called MPI_Init_thread with at least
/// MPI_THREAD_FUNNELED. Collective; messages travel on a duplicate of the communicator. The ranks
/// must be gone before MPI_Finalize, and all must be destroyed together.
[[nodiscard]] std::unique_ptr<Ranks> ranks_of(MPI_Comm communicator);

/// The ranks that this process was started with by mpirun, mpiexec or srun; null: started alone.
/// Starts MPI, and ends it with the ranks, unless the program has started it already. They must be
/// gone before main ends.
[[nodiscard]] std::unique_ptr<Ranks> started_ranks();

}  // namespace srgw
