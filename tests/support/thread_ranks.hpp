// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <functional>
#include <mutex>
#include <span>
#include <stdexcept>
#include <thread>
#include <vector>

#include "fixed_point.hpp"
#include "srgw/ranks.hpp"

namespace srgw::test {

/// Ranks that are threads of this process.
class ThreadTeam {
 public:
  explicit ThreadTeam(int count) : parcels_(static_cast<std::size_t>(count)), count_(count) {}

  /// Everyone's parcels to everyone; returns when all have called.
  std::vector<Ranks::Bytes> swap(int rank, std::vector<Ranks::Bytes> own) {
    parcels_[static_cast<std::size_t>(rank)] = std::move(own);
    wait();
    std::vector<Ranks::Bytes> received;
    for (const auto& from : parcels_) received.push_back(from[static_cast<std::size_t>(rank)]);
    wait();
    return received;
  }
  [[nodiscard]] int count() const { return count_; }

  /// Somebody has failed: whoever waits gives up.
  void give_up() {
    const std::lock_guard lock(mutex_);
    broken_ = true;
    all_here_.notify_all();
  }
  struct Broken {};

 private:
  void wait() {
    std::unique_lock lock(mutex_);
    const int round = round_;
    if (++waiting_ == count_) {
      waiting_ = 0;
      ++round_;
      all_here_.notify_all();
    }
    all_here_.wait(lock, [&] { return round_ != round || broken_; });
    if (round_ == round) throw Broken{};
  }

  std::vector<std::vector<Ranks::Bytes>> parcels_;
  int count_;
  std::mutex mutex_;
  std::condition_variable all_here_;
  int waiting_ = 0, round_ = 0;
  bool broken_ = false;
};

class ThreadRanks final : public Ranks {
 public:
  ThreadRanks(ThreadTeam& team, int rank) : team_(team), rank_(rank) {}

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int count() const override { return team_.count(); }
  [[nodiscard]] Traffic traffic() const override { return traffic_; }

  void sum(std::span<std::int64_t> numbers) override {
    reduce<std::int64_t>(numbers, [](std::int64_t a, std::int64_t b) { return a + b; });
  }
  void sum(std::span<Wide> numbers) override {
    reduce<Wide>(numbers, [](const Wide& a, const Wide& b) {
      detail::Fixed x = 0, y = 0;
      std::memcpy(&x, &a, sizeof(x));
      std::memcpy(&y, &b, sizeof(y));
      x += y;
      Wide result;
      std::memcpy(static_cast<void*>(&result), &x, sizeof(x));
      return result;
    });
  }
  void least(std::span<std::int64_t> numbers) override {
    reduce<std::int64_t>(numbers, [](std::int64_t a, std::int64_t b) { return std::min(a, b); });
  }
  void broadcast(std::span<std::byte> bytes) override {
    const std::vector<Bytes> all = gather(bytes);
    if (all.front().size() != bytes.size()) throw std::logic_error("broadcast of other sizes");
    std::ranges::copy(all.front(), bytes.begin());
  }
  [[nodiscard]] std::vector<Bytes> gather(std::span<const std::byte> own) override {
    return exchange(
        std::vector<Bytes>(static_cast<std::size_t>(count()), Bytes(own.begin(), own.end())));
  }
  [[nodiscard]] std::vector<Bytes> exchange(const std::vector<Bytes>& parcels) override {
    ++traffic_.calls;
    for (std::size_t r = 0; r < parcels.size(); ++r) {
      if (static_cast<int>(r) != rank_) traffic_.bytes += parcels[r].size();
    }
    return team_.swap(rank_, parcels);
  }
  [[nodiscard]] bool claim_last_word() override { return first(); }
  [[noreturn]] void abort(int) override { throw std::runtime_error("ranks were aborted"); }

 private:
  template <class T, class Join>
  void reduce(std::span<T> numbers, const Join& join) {
    const std::vector<Bytes> all = gather(std::as_bytes(numbers));
    for (std::size_t r = 0; r < all.size(); ++r) {
      if (all[r].size() != numbers.size_bytes()) throw std::logic_error("sums of other sizes");
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        T number;
        std::memcpy(static_cast<void*>(&number), all[r].data() + i * sizeof(T), sizeof(T));
        numbers[i] = r == 0 ? number : join(numbers[i], number);
      }
    }
  }

  ThreadTeam& team_;
  int rank_;
  Traffic traffic_;
};

/// Calls `work(ranks)` on so many ranks; the first error of the lowest rank is thrown on.
inline void on_ranks(int count, const std::function<void(Ranks&)>& work) {
  ThreadTeam team(count);
  std::vector<std::exception_ptr> errors(static_cast<std::size_t>(count));
  std::vector<std::thread> threads;
  for (int r = 0; r < count; ++r) {
    threads.emplace_back([&, r] {
      ThreadRanks ranks(team, r);
      try {
        work(ranks);
      } catch (const ThreadTeam::Broken&) {
      } catch (...) {
        errors[static_cast<std::size_t>(r)] = std::current_exception();
        team.give_up();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

}  // namespace srgw::test
