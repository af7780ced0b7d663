// What a deal has cost so far, and what it may cost.
#pragma once

#include <cstdint>

#include "../../game.hpp"

namespace dealsweep::perseverance {

struct Effort {
  std::uint64_t iterations = 0;  // configurations expanded
  std::uint64_t generated = 0;   // dealt sequences seen
  std::uint64_t limit = kNoLimit;
  std::uint64_t memory_cap = kNoLimit;
  StopCheck stop = nullptr;
  Reason reason = Reason::kNone;  // why the search must end

  // Counts one configuration; false at the limit.
  bool spend() {
    if (iterations >= limit) return reason = Reason::kLimit, false;
    ++iterations;
    poll();
    return true;
  }
  // True, and the search must end, if tables of so many bytes are too large.
  bool too_large(std::uint64_t bytes) {
    if (bytes <= memory_cap) return false;
    reason = Reason::kMemory;
    return true;
  }
  // Called at least every few microseconds. Throws Stopped.
  void poll() {
    if (++since_poll_ < 1024) return;
    since_poll_ = 0;
    if (stop && stop()) throw Stopped();
  }

 private:
  unsigned since_poll_ = 0;
};

}  // namespace dealsweep::perseverance
