// The packed tableau: heights of up to 17 piles as two masks, tops of a rank by three lookups.
#pragma once

#include "circle.hpp"

namespace dealsweep::fast_black_hole::DEALSWEEP_VARIANT {

// The two bits of every pile's height.
struct Heights {
  u32 lo = 0, hi = 0;

  u32 one() const { return lo & ~hi; }
  u32 two() const { return hi & ~lo; }
  u32 three() const { return lo & hi; }
  bool empty() const { return (lo | hi) == 0; }
  int cards() const { return size_of(lo) + 2 * size_of(hi); }
  int of(int pile) const { return static_cast<int>((lo >> pile & 1) | (hi >> pile & 1) << 1); }

  // The heights after a card of `pile` (a mask of one pile that is not empty).
  Heights without(u32 pile) const { return {lo ^ pile, hi ^ (pile & ~lo)}; }

  u64 key() const { return lo | u64{hi} << kMaxPiles; }
};

inline constexpr int kNoRank = kCircle;
inline constexpr int kRanksHeld = 16;  // a power of two, for whole vectors

// The cards of a deal, seen from one end of the piles.
struct Tableau {
  u32 level[4][kRanksHeld] = {};  // level[h][r]: the piles whose card at height h (1 = bottom) has rank r
  u8 rank[kMaxPiles][4] = {};   // rank[p][h]; kNoRank for h = 0: what an empty pile shows
  Heights start;
  int piles = 0, foundation = 0;

  DEALSWEEP_HOT u32 tops(const Heights& heights, int rank_shown) const {
    return (level[3][rank_shown] & heights.three()) | (level[2][rank_shown] & heights.two()) |
           (level[1][rank_shown] & heights.one());
  }

  // The piles that show each rank.
  DEALSWEEP_HOT void all_tops(const Heights& heights, u32 (&tops)[kRanksHeld]) const {
    const u32 three = heights.three(), two = heights.two(), one = heights.one();
    for (int r = 0; r < kRanksHeld; ++r)
      tops[r] = (level[3][r] & three) | (level[2][r] & two) | (level[1][r] & one);
  }

  // `flipped`: the bottom cards are played first.
  void lay_out(const Deal& deal, bool flipped) {
    std::memset(level, 0, sizeof level);
    start = {};
    piles = deal.piles;
    foundation = deal.foundation;
    for (int p = 0; p < piles; ++p) {
      const int height = deal.height[p];
      start.lo |= static_cast<u32>(height & 1) << p;
      start.hi |= static_cast<u32>(height >> 1) << p;
      rank[p][0] = kNoRank;
      for (int h = 1; h <= height; ++h) {
        const int r = deal.rank[p][flipped ? height - h : h - 1];
        rank[p][h] = static_cast<u8>(r);
        level[h][r] |= 1u << p;
      }
    }
  }
};

}  // namespace dealsweep::fast_black_hole::DEALSWEEP_VARIANT
