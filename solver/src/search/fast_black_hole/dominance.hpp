// Dominance among piles that show the same rank. If p's remaining column, read from the top, is a
// prefix of q's, playing q is at least as good as playing p, and p need not be tried.
//
// Proof: take a winning line that plays p now. Let a_i and b_i be the times at which it plays the
// i-th cards from the top of p and of q, a_1 being now. At each level i of p's column the two cards
// have one rank, so give q's card the time min(a_i, b_i) and p's the time max(a_i, b_i); q's deeper
// cards keep theirs. Both columns are still played from the top down, the sequence of ranks is the
// same, and q is played now. Of equal columns the lowest pile is kept; the order (higher, then
// lower index) has no cycles, so a pile that is dropped has one that is kept.
#pragma once

#include "tableau.hpp"

namespace dealsweep::fast_black_hole::DEALSWEEP_VARIANT {

// `candidates`: two or more piles that show one rank.
inline u32 undominated(const Tableau& tableau, const Heights& heights, u32 candidates) {
  const u32 ones = candidates & heights.one(), twos = candidates & heights.two();
  const u32 threes = candidates & heights.three();
  u32 kept = candidates;
  if (ones != 0) kept ^= (twos | threes) != 0 ? ones : ones & (ones - 1);
  for (u32 rest = twos; rest != 0; rest &= rest - 1) {
    const u32 pile = rest & -rest;
    const int next = tableau.rank[lowest(pile)][1];
    if ((threes & tableau.level[2][next]) | (twos & tableau.level[1][next] & (pile - 1))) kept ^= pile;
  }
  for (u32 rest = threes & (threes - 1); rest != 0; rest &= rest - 1) {
    const u32 pile = rest & -rest;
    const u8* const rank = tableau.rank[lowest(pile)];
    if (threes & tableau.level[2][rank[2]] & tableau.level[1][rank[1]] & (pile - 1)) kept ^= pile;
  }
  return kept;
}

}  // namespace dealsweep::fast_black_hole::DEALSWEEP_VARIANT
