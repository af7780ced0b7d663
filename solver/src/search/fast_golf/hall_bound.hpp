// A bound that proves a state of Golf lost from the ranks of its cards alone.
//
// Each card of the tableau, when it is played, covers a card that nothing else ever covers: a card
// played before it, a stock card dealt before it, or the present foundation. So the cards left have
// distinct predecessors of neighbouring rank, and for any set I of ranks (Hall's condition, the
// necessary half):
//     cards(I) <= cards(pred(I)) + stock left(pred(I)) + [foundation in pred(I)]
// with pred(I) the ranks that a rank of I may be played on. A violated set splits into parts whose
// predecessors are disjoint, one of them violated too; parts are runs a, a+2, a+4, ... of ranks, so
// only runs are tested: 49 on the line of ranks. On the circle (wrap) 13 starts and lengths 1..6: a
// run of length 7 or more meets its own predecessors, and with what is common taken from both sides
// its condition follows from that of a shorter run.
//
// cards(I) - cards(pred(I)) adds up over piles; the right side depends on the stock position and the
// foundation alone. Both are byte vectors over the runs, and a state is lost if any byte is greater.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "../golf_rules.hpp"

namespace dealsweep::fast_golf {

struct Run {
  std::uint16_t ranks = 0, predecessors = 0;  // bit r-1 for rank r
};

inline std::uint16_t predecessors_of(int rank, GolfRules rules) {
  std::uint16_t set = 0;
  for (int below = 1; below <= kRanks; ++below)
    if (fits(below, rank, rules)) set |= static_cast<std::uint16_t>(1u << (below - 1));
  return set;
}

inline std::vector<Run> hall_runs(GolfRules rules) {
  std::vector<Run> runs;
  for (int first = 1; first <= kRanks; ++first) {
    Run run;
    for (int length = 1; length <= (rules.wrap ? 6 : 7); ++length) {
      int rank = first + 2 * (length - 1);
      if (rank > kRanks && !rules.wrap) break;
      if (rank > kRanks) rank -= kRanks;
      run.ranks |= static_cast<std::uint16_t>(1u << (rank - 1));
      run.predecessors |= predecessors_of(rank, rules);
      runs.push_back(run);
    }
  }
  return runs;
}

// What one card of a rank, lying on the tableau or at the place of a predecessor, changes on each side.
template <int kWidth>
struct RunWeights {
  alignas(32) std::int8_t tableau[kRanks][kWidth] = {};      // [rank in I] - [rank in pred(I)]
  alignas(32) std::int8_t predecessor[kRanks][kWidth] = {};  // [rank in pred(I)]

  std::uint16_t covers[kRanks] = {};  // the lanes that a card of the rank may be played on

  explicit RunWeights(GolfRules rules) {
    const std::vector<Run> runs = hall_runs(rules);
    for (int r = 0; r < kRanks; ++r) covers[r] = predecessors_of(r + 1, rules);
    for (int r = 0; r < kRanks; ++r)
      for (std::size_t i = 0; i < runs.size(); ++i) {
        const int in = runs[i].ranks >> r & 1, before = runs[i].predecessors >> r & 1;
        tableau[r][i] = static_cast<std::int8_t>(in - before);
        predecessor[r][i] = static_cast<std::int8_t>(before);
      }
  }
};

}  // namespace dealsweep::fast_golf
