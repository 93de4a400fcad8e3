// SPDX-License-Identifier: MIT
// The only file that knows MPI.
#include "srgw/mpi.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
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

int as_count(std::size_t size) {
  assert(size <= static_cast<std::size_t>(std::numeric_limits<int>::max()));
  return static_cast<int>(size);
}

/// Counts and offsets are ints in MPI, so longer messages are sent in pieces: one call carries at
/// most so many bytes of each rank. The environment variable is for tests.
std::size_t most_message_bytes() {
  constexpr std::size_t usual = std::size_t{1} << 30;
  const char* text = std::getenv("SRGW_MESSAGE_BYTES");
  if (text == nullptr) return usual;
  const std::string_view digits = text;
  std::size_t bytes = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), bytes);
  const bool whole = error == std::errc{} && end == digits.data() + digits.size();
  if (!whole || bytes < sizeof(Ranks::Wide) || bytes > usual) {
    detail::fail_argument("SRGW_MESSAGE_BYTES is {}, expected a number of bytes from {} to {}",
                          text, sizeof(Ranks::Wide), usual);
  }
  return bytes;
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
    for (std::size_t begin = 0; begin < bytes.size(); begin += most_bytes_) {
      const auto piece = bytes.subspan(begin, std::min(most_bytes_, bytes.size() - begin));
      check(MPI_Bcast(piece.data(), as_count(piece.size()), MPI_BYTE, 0, all_), "MPI_Bcast");
    }
  }

  [[nodiscard]] std::vector<Bytes> gather(std::span<const std::byte> own) override {
    const std::uint64_t size = own.size();
    std::vector<std::uint64_t> sizes(count_);
    check(MPI_Allgather(&size, 1, MPI_UINT64_T, sizes.data(), 1, MPI_UINT64_T, all_),
          "MPI_Allgather");
    count_traffic(own.size());
    std::vector<Bytes> result = empty_parcels(sizes);
    const std::uint64_t longest = *std::ranges::max_element(sizes);
    const std::uint64_t step = piece_bytes();
    for (std::uint64_t begin = 0; begin < longest; begin += step) {
      Layout in(sizes, begin, step);
      const auto piece = piece_of(own, begin, step);
      check(MPI_Allgatherv(piece.data(), as_count(piece.size()), MPI_BYTE, in.bytes.data(),
                           in.sizes.data(), in.offsets.data(), MPI_BYTE, all_),
            "MPI_Allgatherv");
      in.append_to(result);
    }
    return result;
  }

  [[nodiscard]] std::vector<Bytes> exchange(const std::vector<Bytes>& parcels) override {
    // With each size goes the longest parcel of its rank: the longest of all says how many calls
    // all ranks have to make.
    using Announced = std::array<std::uint64_t, 2>;
    std::vector<Announced> announced(count_), received(count_);
    std::vector<std::uint64_t> sizes(count_), incoming(count_);
    std::uint64_t longest = 0, sent = 0;
    for (std::size_t r = 0; r < sizes.size(); ++r) {
      sizes[r] = parcels[r].size();
      longest = std::max(longest, sizes[r]);
      sent += sizes[r];
    }
    for (std::size_t r = 0; r < sizes.size(); ++r) announced[r] = {sizes[r], longest};
    check(MPI_Alltoall(announced.data(), 2, MPI_UINT64_T, received.data(), 2, MPI_UINT64_T, all_),
          "MPI_Alltoall");
    for (std::size_t r = 0; r < sizes.size(); ++r) {
      incoming[r] = received[r][0];
      longest = std::max(longest, received[r][1]);
    }
    count_traffic(sent - sizes[rank_]);
    std::vector<Bytes> result = empty_parcels(incoming);
    const std::uint64_t step = piece_bytes();
    for (std::uint64_t begin = 0; begin < longest; begin += step) {
      Layout out(sizes, begin, step), in(incoming, begin, step);
      for (std::size_t r = 0; r < parcels.size(); ++r) {
        std::ranges::copy(piece_of(parcels[r], begin, step), out.bytes.begin() + out.offsets[r]);
      }
      check(MPI_Alltoallv(out.bytes.data(), out.sizes.data(), out.offsets.data(), MPI_BYTE,
                          in.bytes.data(), in.sizes.data(), in.offsets.data(), MPI_BYTE, all_),
            "MPI_Alltoallv");
      in.append_to(result);
    }
    return result;
  }

  [[nodiscard]] bool claim_last_word() override {
    const int one = 1;
    int before = 0;
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, last_word_);
    MPI_Fetch_and_op(&one, &before, MPI_INT, 0, 0, MPI_SUM, last_word_);
    MPI_Win_unlock(0, last_word_);
    return before == 0;
  }

  [[nodiscard]] std::string host() const override {
    std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
    int length = 0;
    if (MPI_Get_processor_name(name.data(), &length) != MPI_SUCCESS) return {};
    return {name.data(), static_cast<std::size_t>(length)};
  }
  [[noreturn]] void abort(int code) override {
    MPI_Abort(all_, code);
    std::_Exit(code);
  }

 private:
  static std::span<const std::byte> piece_of(std::span<const std::byte> parcel, std::uint64_t begin,
                                             std::uint64_t step) {
    if (begin >= parcel.size()) return {};
    return parcel.subspan(begin, std::min<std::uint64_t>(step, parcel.size() - begin));
  }
  /// With the memory that they will need.
  static std::vector<Bytes> empty_parcels(const std::vector<std::uint64_t>& sizes) {
    std::vector<Bytes> parcels(sizes.size());
    for (std::size_t r = 0; r < sizes.size(); ++r) parcels[r].reserve(sizes[r]);
    return parcels;
  }

  // Pieces of the parcels of all ranks one behind the other, as one call sends them.
  struct Layout {
    Layout(const std::vector<std::uint64_t>& whole, std::uint64_t begin, std::uint64_t step)
        : sizes(whole.size(), 0), offsets(whole.size(), 0) {
      std::size_t end = 0;
      for (std::size_t r = 0; r < whole.size(); ++r) {
        sizes[r] = as_count(begin < whole[r] ? std::min(step, whole[r] - begin) : 0);
        offsets[r] = as_count(end);
        end += sizes[r];
      }
      bytes.resize(end);
    }
    void append_to(std::vector<Bytes>& parcels) const {
      for (std::size_t r = 0; r < sizes.size(); ++r) {
        const auto first = bytes.begin() + offsets[r];
        parcels[r].insert(parcels[r].end(), first, first + sizes[r]);
      }
    }
    std::vector<int> sizes, offsets;
    Bytes bytes;
  };

  /// Largest number of bytes that one rank may send to another in a call: all counts fit into an
  /// int.
  [[nodiscard]] std::uint64_t piece_bytes() const {
    return std::max<std::uint64_t>(1, most_bytes_ / static_cast<std::uint64_t>(count_));
  }

  void reduce(void* numbers, std::size_t size, MPI_Datatype type, MPI_Op op, std::size_t width) {
    count_traffic(size * width);
    const std::size_t step = most_bytes_ / width;
    for (std::size_t begin = 0; begin < size; begin += step) {
      check(MPI_Allreduce(MPI_IN_PLACE, static_cast<std::byte*>(numbers) + begin * width,
                          as_count(std::min(step, size - begin)), type, op, all_),
            "MPI_Allreduce");
    }
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
  std::size_t most_bytes_ = most_message_bytes();
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
