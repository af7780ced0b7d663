// Counts the work of a deal over all engines, and says when a run must end.
#pragma once

#include "variant.hpp"

namespace dealsweep::fast_black_hole::DEALSWEEP_VARIANT {

class Meter {
 public:
  u64 iterations = 0, generated = 0;

  explicit Meter(const Limits& limits) : limit_(limits.iterations), stop_(limits.stop) {}

  void start_deal() {
    iterations = generated = 0;
    start_run(kNoLimit);
  }

  // A run of at most `budget` iterations begins.
  void start_run(u64 budget) {
    run_end_ = budget < kNoLimit - iterations ? iterations + budget : kNoLimit;
    set_pause();
  }

  // Counts an iteration; false if the run must end instead. Throws Stopped.
  bool count() {
    if (iterations == pause_ && must_end()) [[unlikely]]
      return false;
    ++iterations;
    return true;
  }

  bool at_limit() const { return iterations >= limit_; }

 private:
  static constexpr u64 kPollEvery = 8192;  // about every half millisecond

  __attribute__((noinline)) bool must_end() {
    if (iterations >= limit_ || iterations >= run_end_) return true;
    if (stop_ && stop_()) throw_stopped();
    set_pause();
    return false;
  }

  void set_pause() {
    pause_ = iterations + kPollEvery;
    if (run_end_ < pause_) pause_ = run_end_;
    if (limit_ < pause_) pause_ = limit_;
  }

  u64 limit_, run_end_ = 0, pause_ = 0;
  StopCheck stop_;
};

}  // namespace dealsweep::fast_black_hole::DEALSWEEP_VARIANT
