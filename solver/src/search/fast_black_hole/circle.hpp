// The thirteen ranks as a circle: edge r joins rank r and the next rank; king and ace are joined.
// Sets of ranks and sets of edges are 13-bit masks.
#pragma once

#include "variant.hpp"

namespace dealsweep::fast_black_hole::DEALSWEEP_VARIANT {

inline constexpr int kCircle = 13;
inline constexpr u32 kAllRanks = (1u << kCircle) - 1;

constexpr int rank_above(int rank) { return rank == kCircle - 1 ? 0 : rank + 1; }
constexpr int rank_below(int rank) { return rank == 0 ? kCircle - 1 : rank - 1; }
constexpr bool adjacent(int a, int b) { return rank_above(a) == b || rank_below(a) == b; }

struct CircleTables {
  u16 even[kCircle] = {};          // even[z]: the r with (r - z) mod 13 even
  // For a set of edges, the z with (r - z) mod 13 odd for every edge r of the set: a table for the
  // edges 0..6 and one for 7..12, whose intersection it is.
  u16 all_odd_low[128] = {}, all_odd_high[64] = {};
  u16 from[kCircle][kCircle] = {};  // from[a][b]: a, a+1, ... b-1 around the circle; empty for a = b

  constexpr CircleTables() {
    for (int z = 0; z < kCircle; ++z)
      for (int r = 0; r < kCircle; ++r)
        if (((r - z + kCircle) % kCircle) % 2 == 0) even[z] = static_cast<u16>(even[z] | 1u << r);
    for (u32 set = 0; set < 128; ++set) all_odd_low[set] = all_odd(set);
    for (u32 set = 0; set < 64; ++set) all_odd_high[set] = all_odd(set << 7);
    for (int a = 0; a < kCircle; ++a)
      for (int b = 0; b < kCircle; ++b)
        for (int r = a; r != b; r = rank_above(r)) from[a][b] = static_cast<u16>(from[a][b] | 1u << r);
  }

  constexpr u16 all_odd(u32 edges) const {
    u32 ends = 0;
    for (int z = 0; z < kCircle; ++z)
      if ((edges & even[z]) == 0) ends |= 1u << z;
    return static_cast<u16>(ends);
  }
};
inline constexpr CircleTables kCircleTables;

// The ranks that can be reached from `rank` when the edges of `closed` are not crossed.
inline u32 reach(int rank, u32 closed) {
  if (closed == 0) return kAllRanks;
  const u32 twice = closed | closed << kCircle;
  const int up = __builtin_ctz(twice >> rank);                     // edges crossed upwards
  const int down = __builtin_clz(twice << (32 - kCircle - rank));  // and downwards
  if (up + down >= kCircle) return kAllRanks;
  const u64 arc = ((u64{1} << (up + down + 1)) - 1) << (rank + kCircle - down);  // over three turns
  return static_cast<u32>(arc | arc >> kCircle | arc >> (2 * kCircle)) & kAllRanks;
}

}  // namespace dealsweep::fast_black_hole::DEALSWEEP_VARIANT
