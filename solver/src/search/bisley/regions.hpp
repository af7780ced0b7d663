// Parts of a suit that have nothing to do with the rest while the cards that bound them stay buried.
//
// A region is what lies strictly between two buried cards of a suit that follow each other in rank order, or
// beyond the outermost one. Cards in it are free or tainted, and have targets, by what stands in the
// region and by its bounds alone, and their release changes no cell outside it but for what it exposes.
#pragma once

#include <array>

#include "position.hpp"

namespace dealsweep::bisley {

struct Region {
  Cells cells = 0, bounds = 0;

  bool shut(Cells buried) const { return (bounds & ~buried) == 0; }
};

inline Region region_of(int cell, Cells buried) {
  const Cells lane = lane_of(cell), here = bit(cell), below_mask = here - 1;
  const Cells below = buried & lane & below_mask, above = buried & lane & ~below_mask;
  const Cells low = below ? std::bit_floor(below) : 0, high = above & (~above + 1);
  const Cells from = low ? ~(low | (low - 1)) : ~Cells{0}, to = high ? high - 1 : ~Cells{0};
  return {lane & from & to, low | high};
}

// Frozen regions: all their releases are proved lost while they are shut. Since a region and the rest do not
// meet, a winning line that made one of these releases, before a bound opens, could make it first; so no
// winning line does. That holds for every position reached from this one, until a bound opens.
struct FrozenRegions {
  std::array<Region, Board::kMaxPiles> list;  // each holds a top of its own
  int count = 0;

  void add(const Region& region) { list[count++] = region; }

  // Those that stay frozen after releases elsewhere.
  FrozenRegions shut(Cells buried) const {
    FrozenRegions kept;
    for (int i = 0; i < count; ++i)
      if (list[i].shut(buried)) kept.add(list[i]);
    return kept;
  }
  Cells cells(Cells buried) const {
    Cells all = 0;
    for (int i = 0; i < count; ++i)
      if (list[i].shut(buried)) all |= list[i].cells;
    return all;
  }
};

}  // namespace dealsweep::bisley
