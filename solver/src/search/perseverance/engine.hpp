// One deal to its verdict, for every rule set of the Perseverance family.
#pragma once

#include "../../board.hpp"
#include "../../outcome.hpp"
#include "stages.hpp"

namespace dealsweep::perseverance {

class Engine {
 public:
  struct Limits {
    std::uint64_t iterations = kNoLimit;
    std::uint64_t memory_bytes = kNoLimit;
    StopCheck stop = nullptr;
  };

  Engine(const Rules& rules, const Pruning& pruning, const Limits& limits)
      : rules_(rules), pruning_(pruning), limits_(limits), dead_(rules), abstraction_(rules),
        search_(rules, pruning, abstraction_), path_(rules) {}

  // own[0] is the number of redeals on the winning line, or kNull. Throws std::invalid_argument for
  // a board that no play leads to, and Stopped.
  Outcome solve(const Board& board, bool keep_line);

 private:
  using End = SequenceSearch::End;

  End decide(const Phase& root, bool standard, Effort& effort);
  End search_in_stages(const Phase& root, bool standard, Effort& effort);
  End attempt(const Phase& root, bool standard, std::span<const Stage> stages, unsigned round,
              Effort& effort);

  Rules rules_;
  Pruning pruning_;
  Limits limits_;
  DeadPrefix dead_;
  Abstraction abstraction_;
  SequenceSearch search_;
  PathSearch path_;
  std::uint64_t seed_ = 0;
  std::vector<Target> targets_;  // how each phase before the last ends, on the way to the win
};

}  // namespace dealsweep::perseverance
