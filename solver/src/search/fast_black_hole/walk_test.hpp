// The walk test. The rest of the game is a walk on the circle of ranks: from the foundation's rank
// t one step a card, visiting each rank r as often as cards n_r of it are left, ending on some rank
// z. Count how often each edge is crossed, e_r for edge r. Each visit of r enters and leaves it,
// but the last visit of z only enters and the start at t only leaves:
//
//   e_{r-1} + e_r = 2 n_r + [r = t] - [r = z].
//
// Thirteen is odd, so for a given z these equations have one solution: 2 e_r is the alternating
// sum of the right sides from r downwards. With ev(d) = 1 where d mod 13 is even, else 0, and f_r
// the sum of 2 ev(r-q) - 1 over the cards left, q being a card's rank:
//
//   e_r = F_r - ev(r-z),   F_r = f_r + ev(r-t).
//
// A step from t over an edge takes 1 from F of that edge and changes no other F: the step's card
// takes 2 ev(r-t') - 1 and ev(r-t') replaces ev(r-t), in sum ev(r-t') + ev(r-t) - 1, which is 1 on
// the crossed edge and 0 elsewhere, since ev of neighbours differs but for ev(0) = ev(12) = 1.
//
// So a state is lost unless for some z with n_z > 0 no e_r is negative and every rank left can be
// reached from t over edges with e_r > 0. The test is exact for a tableau of single cards, where
// the crossed edges form an Euler path.
#pragma once

#include "tableau.hpp"

namespace dealsweep::fast_black_hole::DEALSWEEP_VARIANT {

// A number 0..15 for each edge, as four bit planes of 16 bits.
struct EdgeCounts {
  u64 planes;

  u32 plane(int i) const { return static_cast<u32>(planes >> (16 * i)) & 0xffff; }
  u32 positive() const {
    const u64 two = planes | planes >> 32;
    return static_cast<u32>(two | two >> 16) & 0xffff;
  }
  int of(int edge) const {
    const u64 bits = planes >> edge;
    return static_cast<int>((bits & 1) | (bits >> 15 & 2) | (bits >> 30 & 4) | (bits >> 45 & 8));
  }
  void set(int edge, int count) {
    for (int i = 0; i < 4; ++i) planes |= u64{static_cast<u32>(count) >> i & 1} << (16 * i + edge);
  }

  // One crossing less of an edge with at least one: subtraction with borrow, plane by plane.
  DEALSWEEP_HOT EdgeCounts crossed(int edge) const {
    u64 result = planes, borrow = u64{1} << edge;
    for (int i = 0; i < 3; ++i) {
      result ^= borrow;
      borrow = (borrow & ~planes) << 16;
    }
    return {result ^ borrow};
  }
};

// The edges crossed never, once, twice and three times.
struct EdgeSets {
  u32 none, once, twice, thrice;

  DEALSWEEP_HOT explicit EdgeSets(EdgeCounts counts) {
    const u32 b0 = counts.plane(0), b1 = counts.plane(1), few = kAllRanks & ~(counts.plane(2) | counts.plane(3));
    none = few & ~(b0 | b1);
    once = few & b0 & ~b1;
    twice = few & b1 & ~b0;
    thrice = few & b0 & b1;
  }

  // The sets of e = F - ev(r-z), these being the sets of F; only for an end z that `ends` allows.
  DEALSWEEP_HOT EdgeSets ending_at(int z) const {
    const u32 even = kCircleTables.even[z];
    EdgeSets sets = *this;
    sets.none = none | (once & even);
    sets.once = (once & ~even) | (twice & even);
    sets.twice = (twice & ~even) | (thrice & even);
    return sets;
  }
};

// The ranks z with a card left for which no e_r is negative, `never` being the edges with F = 0.
DEALSWEEP_HOT u32 possible_ends(u32 ranks_left, u32 never) {
  return ranks_left & kCircleTables.all_odd_low[never & 127] & kCircleTables.all_odd_high[never >> 7];
}

// True if every rank left is reached from `rank` over the edges outside `closed`. A circle with
// one closed edge is still connected.
DEALSWEEP_HOT bool connected(int rank, u32 ranks_left, u32 closed) {
  return (closed & (closed - 1)) == 0 || (ranks_left & ~reach(rank, closed)) == 0;
}

// The cards left of each rank, a nibble a rank, and the set of ranks with any.
struct RankCounts {
  u64 nibbles;
  u32 ranks;

  int of(int rank) const { return static_cast<int>(nibbles >> (4 * rank) & 15); }
  void add(int rank) { nibbles += u64{1} << (4 * rank), ranks |= 1u << rank; }
  DEALSWEEP_HOT RankCounts without(int rank) const {
    const u64 rest = nibbles - (u64{1} << (4 * rank));
    return {rest, ranks ^ static_cast<u32>((rest >> (4 * rank) & 15) == 0) << rank};
  }
};

// F of a state, or e itself for a fixed end z (kNoRank: no fixed end). False if some number is
// negative: no walk exists. Otherwise each is at most 12, as two neighbours add up to at most that.
inline bool edge_counts(const RankCounts& left, int from, int end, EdgeCounts& counts) {
  counts = {};
  // The last edge's number is summed up and the others follow. For F the equations of the walk read
  // F_{r-1} + F_r = 2 n_r + [r = t] + 1, since ev(r-1-z) + ev(r-z) = 1 + [r = z].
  int count = 0;
  for (int q = 0; q < kCircle; ++q) count += (q % 2 == 0 ? 1 : -1) * left.of(q);
  count += kCircleTables.even[from] >> (kCircle - 1) & 1;
  if (end != kNoRank) count -= kCircleTables.even[end] >> (kCircle - 1) & 1;
  bool exists = true;
  for (int r = 0; r < kCircle; ++r) {
    count = 2 * left.of(r) + (r == from) + (end == kNoRank ? 1 : -(r == end)) - count;
    exists = exists && count >= 0;
    if (count > 0) counts.set(r, count);
  }
  return exists;
}

}  // namespace dealsweep::fast_black_hole::DEALSWEEP_VARIANT
