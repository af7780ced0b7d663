// The search below one state, declared for each instruction set. The definitions are in
// edge_loop_body.hpp, which every variant compiles in a namespace of its own.
#pragma once

#include "move_masks.hpp"
#include "rank_reach.hpp"
#include "seen_table.hpp"

namespace dealsweep::reference {

enum class End : std::uint8_t { kNoMore, kCleared, kLimit, kMemory };

// What the search carries from one root child to the next.
template <typename Shape>
struct Progress {
  std::uint64_t iterations = 0, generated = 0;
  std::uint64_t limit = kNoLimit;
  StopCheck stop = nullptr;
  State<Shape> cleared;  // the goal, when it was met
};

enum class Added : std::uint8_t { kSeen, kNew, kNoRoom };

// What a variant offers.
template <typename Shape>
struct EdgeLoop {
  // Expands `start` and all below it that is not in the table. `start` is stored, generated, has
  // moves and is not pruned; `left` are its rank counts, null for no pruning. Throws Stopped.
  End (*search_below)(const Plan<Shape>&, SeenTable&, Progress<Shape>&, State<Shape> start,
                      const RankCounts* left);
  Added (*put)(SeenTable&, std::uint64_t index);
};

// For any processor.
template <typename Shape>
EdgeLoop<Shape> portable_loop();

// The fastest that this processor runs. All variants give the same rows.
template <typename Shape>
EdgeLoop<Shape> best_loop();

}  // namespace dealsweep::reference
