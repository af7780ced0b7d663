// The closure of ranks. The ranks that the foundation has ever shown form an arc of the circle.
// Play every top in or next to the arc, again and again, as if the walk could stand anywhere in it.
// A real game plays a subset of that (by induction: its next card is next to a rank of its own arc,
// and what lay above the card has been played here too), so a pile that does not empty loses.
#pragma once

#include "tableau.hpp"

namespace dealsweep::fast_black_hole::DEALSWEEP_VARIANT {

inline bool closure_empties(const Tableau& tableau) {
  Heights heights = tableau.start;
  u32 arc = 1u << tableau.foundation;
  for (bool changed = true; changed && !heights.empty();) {
    changed = false;
    const u32 next = (arc | arc << 1 | arc >> 1 | arc << (kCircle - 1) | arc >> (kCircle - 1)) & kAllRanks;
    for (u32 ranks = next; ranks != 0; ranks &= ranks - 1) {
      const u32 played = tableau.tops(heights, lowest(ranks));
      if (played == 0) continue;
      const u32 lo = heights.lo;
      heights = {lo ^ played, heights.hi ^ (played & ~lo)};
      arc |= ranks & -ranks;
      changed = true;
    }
  }
  return heights.empty();
}

}  // namespace dealsweep::fast_black_hole::DEALSWEEP_VARIANT
