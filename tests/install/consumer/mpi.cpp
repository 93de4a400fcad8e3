// SPDX-License-Identifier: MIT
#include <srgw/mpi.hpp>

#include <array>

// A program that has started MPI itself adds up the numbers of its ranks, twice.
int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  bool right = true;
  for (const auto& make : {+[] { return srgw::ranks_of(MPI_COMM_WORLD); }, &srgw::started_ranks}) {
    const auto ranks = make();
    std::array<std::int64_t, 1> number{ranks->rank() + 1};
    ranks->sum(number);
    right = right && ranks->count() == 2 && number[0] == 3;
  }
  MPI_Finalize();
  return right ? 0 : 1;
}
