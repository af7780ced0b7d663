// Parts of a suit that have nothing to do with the rest while the cards that bound them stay buried.
//
// A region is what lies strictly between two buried cards of a suit that follow each other in rank order, or
// beyond the outermost one. Cards in it are free or tainted, and have targets, by what stands in the region
// and by its bounds alone, and their release changes no cell outside it but for what it exposes.

struct Region {
  Cells cells, bounds;

  // Two regions taken together; shut while both are.
  Region operator|(const Region& other) const { return {cells | other.cells, bounds | other.bounds}; }

  bool shut(Cells buried) const { return (bounds & ~buried) == 0; }
};

static inline Region region_of(int cell, Cells buried) {
  const Cells lane = lane_of(cell), lower = bit(cell) - 1;
  const Cells below = buried & lane & lower, above = buried & lane & ~lower;
  const Cells low = below ? bit(63 - __builtin_clzll(below)) : 0, high = above & (~above + 1);
  const Cells from = ~(low | (low - (low != 0))), to = high - 1;  // no bound: all cells
  return {lane & from & to, low | high};
}

// Frozen regions: all their releases are proved lost while they are shut. Since a region and the rest do not
// meet, a winning line that made one of these releases, before a bound opens, could make it first; so no
// winning line does. That holds for every position reached from this one, until a bound opens.
struct FrozenRegions {
  Region list[Board::kMaxPiles];  // each holds a top of its own
  int count;

  void add(const Region& region) { list[count++] = region; }

  // Becomes those of `other` that stay frozen after releases elsewhere.
  void take_shut(const FrozenRegions& other, Cells buried) {
    count = 0;
    for (int i = 0; i < other.count; ++i)
      if (other.list[i].shut(buried)) add(other.list[i]);
  }
  Cells cells(Cells buried) const {
    Cells all = 0;
    for (int i = 0; i < count; ++i)
      if (list[i].shut(buried)) all |= list[i].cells;
    return all;
  }
};
