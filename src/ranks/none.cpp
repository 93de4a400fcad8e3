// SPDX-License-Identifier: MIT
// Built instead of ranks_mpi.cpp where there is no MPI.
#include "srgw/ranks.hpp"

namespace srgw {

std::unique_ptr<Ranks> started_ranks() { return nullptr; }

}  // namespace srgw
