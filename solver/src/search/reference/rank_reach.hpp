// The pruning rule rank-reach.
//
// A line that clears the piles walks around the circle of ranks by steps of one, and every rank
// it visits after the foundation's is that of a card still in the piles. So all ranks left must be
// reachable from the foundation by such steps through ranks left; otherwise no line wins. (Where
// king and ace are apart there are fewer steps still, and what is cut here is lost all the more.)
// From an empty foundation the first step may be of any size, and a stock card makes one too: the
// rule is not used there.
#pragma once

#include "../golf_rules.hpp"

namespace dealsweep::reference {

// How many cards of each rank are left in the piles: four bits a rank, the ace's lowest.
using RankCounts = std::uint64_t;

constexpr RankCounts one_card_of(int rank) { return RankCounts{1} << 4 * (rank - 1); }

// Reachable ranks and foundation together are one arc of the circle: at most one rank of them
// lacks its upper neighbour.
inline bool all_ranks_reachable(RankCounts left, int foundation) {
  constexpr RankCounts kEveryRank = 0x1111111111111;
  const RankCounts present = (left | left >> 1 | left >> 2 | left >> 3) & kEveryRank;
  const RankCounts arc = present | one_card_of(foundation);
  const RankCounts upper = arc >> 4 | (arc & 1) << 4 * (kRanks - 1);
  const RankCounts ends = arc & ~upper;
  return (ends & (ends - 1)) == 0;
}

}  // namespace dealsweep::reference
