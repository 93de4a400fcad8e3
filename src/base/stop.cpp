// SPDX-License-Identifier: MIT
#include "base/stop.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <utility>

#include "srgw/ranks.hpp"

namespace srgw::detail {

namespace {

using Clock = std::chrono::steady_clock;

thread_local StopState* current = nullptr;

constexpr auto poll_interval = std::chrono::milliseconds(20);
constexpr int unasked = -1;

Clock::time_point deadline_of(const Run& run) {
  constexpr double longest = 1e9;  // seconds; longer ones do not fit the clock
  if (!run.time_limit || !(*run.time_limit < longest)) return Clock::time_point::max();
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(
                            std::chrono::duration<double>(std::max(0.0, *run.time_limit)));
}

const char* describe(Status why) {
  return why == Status::time_limit ? "the time limit was reached before there was a result"
                                   : "interrupted before there was a result";
}

}  // namespace

class StopState {
 public:
  // Several ranks have to stop together: they agree between steps, see Ranks::least().
  StopState(const Run& run, StopState* parent)
      : parent_(parent),
        alone_(run.ranks == nullptr || run.ranks->count() == 1),
        deadline_(alone_ ? deadline_of(run) : Clock::time_point::max()),
        cancelled_(alone_ ? run.cancelled : std::function<bool()>{}) {}

  std::optional<Status> reason() {
    for (StopState* state = this; state != nullptr; state = state->parent_) {
      if (const int why = state->why_.load(std::memory_order_relaxed); why != unasked) {
        return static_cast<Status>(why);
      }
    }
    const auto now = Clock::now();
    for (StopState* state = this; state != nullptr; state = state->parent_) {
      if (state->poll(now)) return static_cast<Status>(state->why_.load());
    }
    return {};
  }

  void stop(Status why) {
    int expected = unasked;
    why_.compare_exchange_strong(expected, static_cast<int>(why));
  }

  [[nodiscard]] StopState* parent() const { return parent_; }

 private:
  bool poll(Clock::time_point now) {
    if (now >= deadline_) {
      stop(Status::time_limit);
      return true;
    }
    // Only the thread that made the scope asks: Python hears signals on its main thread only.
    if (cancelled_ && std::this_thread::get_id() == owner_ && now >= next_poll_) {
      next_poll_ = now + poll_interval;
      if (cancelled_()) {
        stop(Status::interrupted);
        return true;
      }
    }
    return false;
  }

  StopState* const parent_;
  const bool alone_;
  const Clock::time_point deadline_;
  const std::function<bool()> cancelled_;
  const std::thread::id owner_ = std::this_thread::get_id();
  Clock::time_point next_poll_ = {};
  std::atomic<int> why_ = unasked;
};

Stopped::Stopped(Status why) : Error(Kind::stopped, describe(why)), why_(why) {}

std::optional<Status> stop_reason() {
  if (current == nullptr) return {};
  return current->reason();
}

void throw_if_stopped() {
  if (const auto why = stop_reason()) throw Stopped(*why);
}

StopState* current_stop_state() { return current; }

StopShield::StopShield() : hidden_(std::exchange(current, nullptr)) {}
StopShield::~StopShield() { current = hidden_; }

StopInheritance::StopInheritance(StopState* state) : before_(std::exchange(current, state)) {}
StopInheritance::~StopInheritance() { current = before_; }

}  // namespace srgw::detail

namespace srgw {

StopScope::StopScope(const Run& run)
    : state_(std::make_unique<detail::StopState>(run, detail::current_stop_state())) {
  detail::current = state_.get();
}

StopScope::~StopScope() { detail::current = state_->parent(); }

std::optional<Status> StopScope::stopped() const { return state_->reason(); }

void StopScope::request_stop(Status why) { state_->stop(why); }

}  // namespace srgw
