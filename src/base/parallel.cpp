// SPDX-License-Identifier: MIT
#include "base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "base/message.hpp"
#include "base/stop.hpp"

namespace srgw::detail {

namespace {

using Work = std::function<void(Index item, int worker)>;

constexpr int largest_thread_count = 1024;

/// Set while a thread works on the items of a region, where further calls run inline.
thread_local bool inside_region = false;

int cores() {
  static const int count = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  return count;
}

void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

/// One call of parallel_for: items are taken from a counter until none is left.
class Region {
 public:
  Region(const Work& work, Index items) : work_(work), items_(items) {}

  void run(int worker) {
    const StopInheritance inherit(stop_state_);
    inside_region = true;
    for (Index item; (item = next_.fetch_add(1, std::memory_order_relaxed)) < items_;) {
      try {
        throw_if_stopped();
        work_(item, worker);
      } catch (...) {
        fail(item, std::current_exception());
      }
    }
    inside_region = false;
  }

  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  // Items are handed out in order, so all items before a failing one run to their end: keeping the
  // lowest makes the error that the caller sees the same on every thread count.
  void fail(Index item, std::exception_ptr error) {
    next_.store(items_, std::memory_order_relaxed);
    const std::scoped_lock lock(error_mutex_);
    if (!error_ || item < error_item_) {
      error_ = std::move(error);
      error_item_ = item;
    }
  }

  const Work& work_;
  const Index items_;
  StopState* const stop_state_ = current_stop_state();
  std::atomic<Index> next_ = 0;
  std::mutex error_mutex_;
  std::exception_ptr error_;
  Index error_item_ = 0;
};

/// A thread with a letter box. The caller posts a region; the thread takes it, or the caller takes
/// it back when all items are gone before the thread woke up, so that nobody waits for a late
/// sleeper.
class alignas(64) Helper {
 public:
  explicit Helper(int worker) : worker_(worker), thread_([this] { serve(); }) {}
  Helper(const Helper&) = delete;
  Helper& operator=(const Helper&) = delete;
  ~Helper() { put(stop); }

  void post(Region& region) {
    region_ = &region;
    put(posted);
  }

  void finish() {
    State expected = posted;
    if (!state_.compare_exchange_strong(expected, idle)) wait_for_work();
  }

 private:
  using State = int;  // what the kernel can wait on without a detour
  static constexpr State idle = 0, posted = 1, working = 2, stop = 3;

  void put(State state) {
    state_.store(state);
    state_.notify_all();
  }

  // The next region mostly follows within microseconds, far less than a sleep costs. A thread that
  // has no core of its own must not spin: it would keep others from working.
  bool spin_while(State state) const {
    constexpr int spins = 2000;
    for (int i = 0; worker_ < cores() && i < spins; ++i, relax()) {
      if (state_.load() != state) return true;
    }
    return false;
  }

  State wait_while(State state) const {
    if (!spin_while(state)) state_.wait(state);
    return state_.load();
  }

  // The caller goes on polling while it waits: signals may be heard on its thread only.
  void wait_for_work() {
    if (spin_while(working)) return;
    std::unique_lock lock(done_mutex_);
    while (state_.load() == working) {
      done_.wait_for(lock, std::chrono::milliseconds(20));
      static_cast<void>(stop_requested());
    }
  }

  void announce_done() {
    {
      const std::scoped_lock lock(done_mutex_);
      state_.store(idle);
    }
    done_.notify_one();
  }

  void serve() {
    for (State state; (state = wait_while(idle)) != stop;) {
      if (state != posted || !state_.compare_exchange_strong(state, working)) continue;
      region_->run(worker_);
      announce_done();
    }
  }

  const int worker_;
  std::atomic<State> state_ = idle;
  Region* region_ = nullptr;
  std::mutex done_mutex_;
  std::condition_variable done_;
  std::jthread thread_;  // last: it is joined before what it uses goes
};

/// The threads of the process: created when first asked for, kept for its life.
class Pool {
 public:
  static Pool& instance() {
    static Pool pool;
    return pool;
  }

  /// False, with nothing done, when another thread of the program has the pool.
  bool try_run(Region& region, int threads) {
    const std::unique_lock lock(busy_, std::try_to_lock);
    if (!lock) return false;
    const auto helpers = grow(threads - 1);
    for (std::size_t i = 0; i < helpers; ++i) helpers_[i]->post(region);
    region.run(0);
    for (std::size_t i = 0; i < helpers; ++i) helpers_[i]->finish();
    return true;
  }

 private:
  // Where the system grants no more threads, the work is done with those that exist.
  std::size_t grow(std::size_t wanted) {
    try {
      while (helpers_.size() < wanted) {
        helpers_.push_back(std::make_unique<Helper>(static_cast<int>(helpers_.size()) + 1));
      }
    } catch (const std::system_error&) {
      wanted = helpers_.size();
    }
    return wanted;
  }

  std::mutex busy_;
  std::vector<std::unique_ptr<Helper>> helpers_;
};

}  // namespace

int resolve_threads(int requested) {
  if (requested < 0) fail_argument("threads is {}, expected 0 (all cores) or more", requested);
  return std::min(requested == 0 ? cores() : requested, largest_thread_count);
}

void parallel_for(Index items, int threads, const Work& work) {
  const auto helpful = static_cast<int>(std::min<Index>(items, threads));
  if (helpful > 1 && !inside_region) {
    Region region(work, items);
    if (Pool::instance().try_run(region, helpful)) return region.rethrow();
  }
  for (Index item = 0; item < items; ++item) {
    throw_if_stopped();
    work(item, 0);
  }
}

}  // namespace srgw::detail
