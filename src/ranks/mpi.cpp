// SPDX-License-Identifier: MIT
// The only file that knows MPI.
#include "srgw/mpi.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string_view>
#include <thread>

#include "base/fixed_point.hpp"
#include "base/message.hpp"

namespace srgw {

namespace {

// Looks for the environment variables of launchers: those of Open MPI, PMI (MPICH, srun) and PMIx.
// MPI takes half a second to start and hooks into the allocation of memory, for nothing where there
// is one process.
bool may_be_several() {
  constexpr auto sizes = std::to_array<const char*>({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"});
  constexpr auto signs = std::to_array<const char*>({"PMIX_RANK", "PMI_RANK"});
  for (const char* name : sizes) {
    if (const char* size = std::getenv(name)) return std::string_view(size) != "1";
  }
  return std::ranges::any_of(signs, [](const char* name) { return std::getenv(name) != nullptr; });
}

void check(int code, const char* what) {
  if (code != MPI_SUCCESS) detail::fail_resource("MPI: {} failed with code {}", what, code);
}

// Numbers of elements are ints in MPI.
int as_count(std::size_t size) {
  if (size > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    detail::fail_resource(
        "{} bytes for one message between ranks, expected fewer than 2 GB; more "
        "ranks make messages smaller",
        size);
  }
  return static_cast<int>(size);
}

void add_wide(void* from, void* to, int* count, MPI_Datatype* /*type*/) {
  for (int i = 0; i < *count; ++i) {
    std::array<detail::Fixed, 2> terms{};
    const std::size_t offset = static_cast<std::size_t>(i) * sizeof(detail::Fixed);
    std::memcpy(&terms[0], static_cast<const std::byte*>(from) + offset, sizeof(detail::Fixed));
    std::memcpy(&terms[1], static_cast<const std::byte*>(to) + offset, sizeof(detail::Fixed));
    terms[1] += terms[0];
    std::memcpy(static_cast<std::byte*>(to) + offset, &terms[1], sizeof(detail::Fixed));
  }
}

class MpiRanks final : public Ranks {
 public:
  /// Ends MPI in the end if it `ends_mpi`.
  MpiRanks(MPI_Comm communicator, bool ends_mpi) : ends_mpi_(ends_mpi) {
    check(MPI_Comm_dup(communicator, &all_), "MPI_Comm_dup");
    check(MPI_Comm_rank(all_, &rank_), "MPI_Comm_rank");
    check(MPI_Comm_size(all_, &count_), "MPI_Comm_size");
    check(MPI_Type_contiguous(sizeof(detail::Fixed), MPI_BYTE, &wide_), "MPI_Type_contiguous");
    check(MPI_Type_commit(&wide_), "MPI_Type_commit");
    check(MPI_Op_create(add_wide, 1, &add_wide_), "MPI_Op_create");
    // On the first rank: how many have asked for the last word.
    check(MPI_Win_allocate(rank_ == 0 ? sizeof(int) : 0, sizeof(int), MPI_INFO_NULL, all_,
                           static_cast<void*>(&asked_), &last_word_),
          "MPI_Win_allocate");
    if (rank_ == 0) *asked_ = 0;
    check(MPI_Barrier(all_), "MPI_Barrier");
  }
  MpiRanks(const MpiRanks&) = delete;
  MpiRanks& operator=(const MpiRanks&) = delete;
  ~MpiRanks() override {
    wait_for_all();
    MPI_Win_free(&last_word_);
    MPI_Op_free(&add_wide_);
    MPI_Type_free(&wide_);
    MPI_Comm_free(&all_);
    if (ends_mpi_) MPI_Finalize();
  }

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int count() const override { return count_; }
  [[nodiscard]] Traffic traffic() const override { return traffic_; }

  void sum(std::span<std::int64_t> numbers) override {
    reduce(numbers.data(), numbers.size(), MPI_INT64_T, MPI_SUM, sizeof(std::int64_t));
  }
  void sum(std::span<Wide> numbers) override {
    reduce(numbers.data(), numbers.size(), wide_, add_wide_, sizeof(Wide));
  }
  void least(std::span<std::int64_t> numbers) override {
    reduce(numbers.data(), numbers.size(), MPI_INT64_T, MPI_MIN, sizeof(std::int64_t));
  }

  void broadcast(std::span<std::byte> bytes) override {
    count_traffic(rank_ == 0 ? bytes.size() : 0);
    check(MPI_Bcast(bytes.data(), as_count(bytes.size()), MPI_BYTE, 0, all_), "MPI_Bcast");
  }

  [[nodiscard]] std::vector<Bytes> gather(std::span<const std::byte> own) override {
    const int size = as_count(own.size());
    std::vector<int> sizes(count_);
    check(MPI_Allgather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, all_), "MPI_Allgather");
    Layout layout(sizes);
    count_traffic(own.size());
    check(MPI_Allgatherv(own.data(), size, MPI_BYTE, layout.bytes.data(), sizes.data(),
                         layout.offsets.data(), MPI_BYTE, all_),
          "MPI_Allgatherv");
    return layout.parcels(sizes);
  }

  [[nodiscard]] std::vector<Bytes> exchange(const std::vector<Bytes>& parcels) override {
    std::vector<int> sizes(count_), incoming(sizes);
    for (std::size_t r = 0; r < sizes.size(); ++r) sizes[r] = as_count(parcels[r].size());
    check(MPI_Alltoall(sizes.data(), 1, MPI_INT, incoming.data(), 1, MPI_INT, all_),
          "MPI_Alltoall");
    Layout out(sizes), in(incoming);
    for (std::size_t r = 0; r < parcels.size(); ++r) {
      std::ranges::copy(parcels[r], out.bytes.begin() + out.offsets[r]);
    }
    count_traffic(out.bytes.size() - parcels[rank_].size());
    check(MPI_Alltoallv(out.bytes.data(), sizes.data(), out.offsets.data(), MPI_BYTE,
                        in.bytes.data(), incoming.data(), in.offsets.data(), MPI_BYTE, all_),
          "MPI_Alltoallv");
    return in.parcels(incoming);
  }

  [[nodiscard]] bool claim_last_word() override {
    const int one = 1;
    int before = 0;
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, last_word_);
    MPI_Fetch_and_op(&one, &before, MPI_INT, 0, 0, MPI_SUM, last_word_);
    MPI_Win_unlock(0, last_word_);
    return before == 0;
  }

  [[noreturn]] void abort(int code) override {
    MPI_Abort(all_, code);
    std::_Exit(code);
  }

 private:
  // Parcels of all ranks one behind the other.
  struct Layout {
    explicit Layout(const std::vector<int>& sizes) : offsets(sizes.size(), 0) {
      std::size_t end = 0;
      for (std::size_t r = 0; r < sizes.size(); ++r) {
        offsets[r] = as_count(end);
        end += sizes[r];
      }
      bytes.resize(as_count(end));
    }
    [[nodiscard]] std::vector<Bytes> parcels(const std::vector<int>& sizes) const {
      std::vector<Bytes> result(sizes.size());
      for (std::size_t r = 0; r < sizes.size(); ++r) {
        const auto first = bytes.begin() + offsets[r];
        result[r].assign(first, first + sizes[r]);
      }
      return result;
    }
    std::vector<int> offsets;
    Bytes bytes;
  };

  void reduce(void* numbers, std::size_t size, MPI_Datatype type, MPI_Op op, std::size_t width) {
    count_traffic(size * width);
    check(MPI_Allreduce(MPI_IN_PLACE, numbers, as_count(size), type, op, all_), "MPI_Allreduce");
  }
  // Ranks with nothing left to do must not take the cores of those that work: MPI itself waits by
  // asking all the time.
  void wait_for_all() const {
    MPI_Request request = MPI_REQUEST_NULL;
    int done = 0;
    MPI_Ibarrier(all_, &request);
    for (int pause = 1; MPI_Test(&request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && done == 0;
         pause = std::min(2 * pause, 16)) {
      std::this_thread::sleep_for(std::chrono::milliseconds(pause));
    }
  }
  void count_traffic(std::size_t bytes) {
    ++traffic_.calls;
    traffic_.bytes += bytes;
  }

  MPI_Comm all_ = MPI_COMM_NULL;
  bool ends_mpi_;
  int rank_ = 0, count_ = 1;
  MPI_Datatype wide_ = MPI_DATATYPE_NULL;
  MPI_Op add_wide_ = MPI_OP_NULL;
  MPI_Win last_word_ = MPI_WIN_NULL;
  int* asked_ = nullptr;
  Traffic traffic_;
};

}  // namespace

std::unique_ptr<Ranks> ranks_of(MPI_Comm communicator) {
  return std::make_unique<MpiRanks>(communicator, false);
}

std::unique_ptr<Ranks> started_ranks() {
  if (!may_be_several()) return nullptr;
  int started = 0, provided = 0;
  check(MPI_Initialized(&started), "MPI_Initialized");
  if (started != 0) return ranks_of(MPI_COMM_WORLD);
  check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided), "MPI_Init_thread");
  if (provided < MPI_THREAD_FUNNELED) {
    detail::fail_resource("this MPI library does not allow threads, expected one that does");
  }
  return std::make_unique<MpiRanks>(MPI_COMM_WORLD, true);
}

}  // namespace srgw
