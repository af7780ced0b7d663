// The cut test: piles against pairs of cut edges. Cutting the edges x and y splits the circle of
// ranks into a part A that holds the rank t of the card played last and a part B, and the rest of the
// game changes sides exactly k = e_x + e_y times, beginning in A. A pile is played from the top down,
// so none of its columns may hold, read downwards and with gaps allowed,
//   k = 1: B A;    k = 2: B A B;    k = 3: B A B A.
// (k = 0 is the walk test's connection; no pile of four cards is in the way of k >= 4.) Testing only
// some pairs, or numbers k that are too large, weakens the test and keeps it sound.
//
// With B as a word of places, each pattern gives the word of the places at which it begins; a state
// is lost if one of its cards lies there. Pairs tested: where some edge is never crossed, it with each
// edge crossed once, twice or three times; else two edges crossed once, and one once with one twice.
#pragma once

#include "tableau.hpp"

namespace dealsweep::fast_all_in_a_row::DEALSWEEP_VARIANT {

// The edges crossed never, once, ... four times.
struct Crossings {
  u32 by_count[5];

  explicit Crossings(EdgeCounts counts) {
    const u32 b0 = counts.plane(0), b1 = counts.plane(1), b2 = counts.plane(2);
    const u32 few = kAllRanks & ~(b2 | counts.plane(3));
    by_count[0] = few & ~(b0 | b1);
    by_count[1] = few & b0 & ~b1;
    by_count[2] = few & b1 & ~b0;
    by_count[3] = few & b0 & b1;
    by_count[4] = kAllRanks & b2 & ~(b0 | b1 | counts.plane(3));
  }

  // The sets of e = F - ev(r-z), these being the sets of F; only for an end z that is possible.
  Crossings ending_at(int z) const {
    const u32 even = kCircleTables.even[z];
    Crossings sets = *this;
    sets.by_count[0] = by_count[0] | (by_count[1] & even);
    for (int i = 1; i < 4; ++i) sets.by_count[i] = (by_count[i] & ~even) | (by_count[i + 1] & even);
    return sets;
  }
};

inline u64 begins_ba(u64 b) {
  const u64 all_b_below = (b << 16 | 0xffff) & (b << 32 | 0xffffffff) & (b << 48 | 0xffffffffffff);
  return b & ~all_b_below;
}

inline u64 begins_bab(u64 b) {
  const u64 ab = ~b & (b << 16 | b << 32 | b << 48);
  return b & (ab << 16 | ab << 32 | ab << 48);
}

inline u64 begins_baba(u64 b) {
  constexpr u64 kTopLane = u64{0xffff} << 48;
  return b & ~(b << 16) & (b << 32) & ~(b << 48) & kTopLane;
}

// The places whose cards lose the game.
class CutTest {
 public:
  void lay_out(const Layout& layout) {
    for (int t = 0; t < kCircle; ++t)
      for (int edge = 0; edge < kCircle; ++edge)
        side_[t][edge] = edge < t ? ~layout.up_to[edge] : layout.up_to[edge];
  }

  // Those of `cards` that lie on lost places; some are left out once there are two, which no play saves.
  // `edges` are e for some end, or F, which is at least e for every end and so forbids less.
  u64 lost_among(u64 cards, const Crossings& edges, int rank) const {
    const u64* const side = side_[rank];
    u64 lost = 0;
    const auto beyond_saving = [&] {
      lost &= cards;
      return (lost & (lost - 1)) != 0;
    };
    if (edges.by_count[0] != 0) {
      const u64 gap = side[lowest(edges.by_count[0])];
      for (u32 y = edges.by_count[1]; y != 0; y &= y - 1) lost |= begins_ba(gap ^ side[lowest(y)]);
      if (beyond_saving()) return lost;
      for (u32 y = edges.by_count[2]; y != 0; y &= y - 1) lost |= begins_bab(gap ^ side[lowest(y)]);
      if (beyond_saving()) return lost;
      for (u32 y = edges.by_count[3]; y != 0; y &= y - 1) lost |= begins_baba(gap ^ side[lowest(y)]);
      return lost & cards;
    }
    for (u32 x = edges.by_count[1]; x != 0; x &= x - 1) {
      const u64 first = side[lowest(x)];
      for (u32 y = x & (x - 1); y != 0; y &= y - 1) lost |= begins_bab(first ^ side[lowest(y)]);
      for (u32 y = edges.by_count[2]; y != 0; y &= y - 1) lost |= begins_baba(first ^ side[lowest(y)]);
      if (beyond_saving()) return lost;
    }
    return lost;
  }

 private:
  // side_[t][edge]: the places of ranks 0..edge, or of all others where t is among these: of two
  // edges the exclusive or is part B.
  u64 side_[kCircle][kCircle];
};

}  // namespace dealsweep::fast_all_in_a_row::DEALSWEEP_VARIANT
