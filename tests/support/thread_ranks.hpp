// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "ranks/exchange.hpp"
#include "srgw/ranks.hpp"

namespace srgw::test {

/// Ranks that are threads of one process, so that a test needs no mpirun.
class ThreadRanks final : public Ranks {
 public:
  /// The state that the threads share.
  class Meeting {
   public:
    explicit Meeting(int count) : count_(count), shown_(static_cast<std::size_t>(count)) {}

    /// Waits for all; throws when one of them will never come.
    void wait() {
      std::unique_lock lock(mutex_);
      if (broken_) fail();
      if (++arrived_ == count_) {
        arrived_ = 0;
        ++round_;
        all_here_.notify_all();
        return;
      }
      const int round = round_;
      all_here_.wait(lock, [&] { return round_ != round || broken_; });
      if (round_ == round) fail();  // who leaves after all were here does not matter yet
    }
    void leave() {
      const std::lock_guard lock(mutex_);
      broken_ = true;
      all_here_.notify_all();
    }
    int count() const { return count_; }
    const void*& shown(int rank) { return shown_[static_cast<std::size_t>(rank)]; }

   private:
    [[noreturn]] static void fail() { throw std::runtime_error("another rank has failed"); }

    int count_, arrived_ = 0, round_ = 0;
    bool broken_ = false;
    std::vector<const void*> shown_;
    std::mutex mutex_;
    std::condition_variable all_here_;
  };

  ThreadRanks(Meeting& meeting, int rank) : meeting_(meeting), rank_(rank) {}

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int count() const override { return meeting_.count(); }
  [[nodiscard]] Traffic traffic() const override { return traffic_; }

  void sum(std::span<std::int64_t> numbers) override {
    reduce(numbers, [](std::int64_t a, std::int64_t b) { return a + b; });
  }
  void sum(std::span<Wide> numbers) override {
    reduce(numbers, [](const Wide& a, const Wide& b) {
      detail::Fixed left = 0, right = 0;
      std::memcpy(&left, &a, sizeof(left));
      std::memcpy(&right, &b, sizeof(right));
      left += right;
      Wide result;
      std::memcpy(static_cast<void*>(&result), &left, sizeof(left));
      return result;
    });
  }
  void least(std::span<std::int64_t> numbers) override {
    reduce(numbers, [](std::int64_t a, std::int64_t b) { return std::min(a, b); });
  }
  void broadcast(std::span<std::byte> bytes) override {
    count_traffic(rank_ == 0 ? bytes.size() : 0);
    const Bytes own(bytes.begin(), bytes.end());
    see(own, [&](int rank, const Bytes& other) {
      if (rank == 0) std::copy(other.begin(), other.end(), bytes.begin());
    });
  }
  [[nodiscard]] std::vector<Bytes> gather(std::span<const std::byte> own) override {
    count_traffic(own.size());
    std::vector<Bytes> all;
    see(Bytes(own.begin(), own.end()), [&](int, const Bytes& other) { all.push_back(other); });
    return all;
  }
  [[nodiscard]] std::vector<Bytes> exchange(const std::vector<Bytes>& parcels) override {
    std::size_t sent = 0;
    for (std::size_t r = 0; r < parcels.size(); ++r) {
      if (r != static_cast<std::size_t>(rank_)) sent += parcels[r].size();
    }
    count_traffic(sent);
    std::vector<Bytes> all;
    see(parcels, [&](int, const std::vector<Bytes>& other) {
      all.push_back(other.at(static_cast<std::size_t>(rank_)));
    });
    return all;
  }

  [[nodiscard]] bool claim_last_word() override { return rank_ == 0; }
  [[noreturn]] void abort(int) override { throw std::runtime_error("aborted"); }

 private:
  /// Shows `own` to all and looks at what they show, in their order.
  template <class T, class Look>
  void see(const T& own, Look look) {
    meeting_.shown(rank_) = &own;
    meeting_.wait();
    for (int r = 0; r < count(); ++r) look(r, *static_cast<const T*>(meeting_.shown(r)));
    meeting_.wait();
  }
  template <class T, class Combine>
  void reduce(std::span<T> numbers, Combine combine) {
    count_traffic(numbers.size_bytes());
    const std::vector<T> own(numbers.begin(), numbers.end());
    see(own, [&](int rank, const std::vector<T>& other) {
      if (other.size() != numbers.size()) throw std::logic_error("ranks reduce different sizes");
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        numbers[i] = rank == 0 ? other[i] : combine(numbers[i], other[i]);
      }
    });
  }
  void count_traffic(std::size_t bytes) {
    ++traffic_.calls;
    traffic_.bytes += bytes;
  }

  Meeting& meeting_;
  int rank_;
  Traffic traffic_;
};

/// Calls `work` on so many ranks at once; what the first of them throws is thrown.
inline void on_ranks(int count, const std::function<void(Ranks&)>& work) {
  ThreadRanks::Meeting meeting(count);
  std::vector<std::exception_ptr> errors(static_cast<std::size_t>(count));
  std::vector<std::thread> threads;
  for (int r = 0; r < count; ++r) {
    threads.emplace_back([&, r] {
      ThreadRanks ranks(meeting, r);
      try {
        work(ranks);
      } catch (...) {
        errors[static_cast<std::size_t>(r)] = std::current_exception();
        meeting.leave();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

}  // namespace srgw::test
