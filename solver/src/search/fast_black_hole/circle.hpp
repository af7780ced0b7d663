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
  u16 odd[kCircle] = {};           // odd[r]: the z with (r - z) mod 13 odd
  u16 from[kCircle][kCircle] = {};  // from[a][b]: a, a+1, ... b-1 around the circle; empty for a = b

  constexpr CircleTables() {
    for (int z = 0; z < kCircle; ++z)
      for (int r = 0; r < kCircle; ++r)
        if (((r - z + kCircle) % kCircle) % 2 == 0) even[z] = static_cast<u16>(even[z] | 1u << r);
        else odd[r] = static_cast<u16>(odd[r] | 1u << z);
    for (int a = 0; a < kCircle; ++a)
      for (int b = 0; b < kCircle; ++b)
        for (int r = a; r != b; r = rank_above(r)) from[a][b] = static_cast<u16>(from[a][b] | 1u << r);
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
