// The packed tableau: one word of four lanes of 16 bits. Bit p of lane h-1 stands for the card at
// height h of pile p, and in a state it is set for the cards that still lie: the tops are the bits
// with nothing one lane higher, and a play clears a bit.
#pragma once

#include "../fast_black_hole/meter.hpp"
#include "../fast_black_hole/walk_test.hpp"
#include "engine.hpp"

namespace dealsweep::fast_all_in_a_row::DEALSWEEP_VARIANT {

// The circle of ranks, the walk test and the meter are those of Black Hole.
using namespace dealsweep::fast_black_hole::DEALSWEEP_VARIANT;
using fast_all_in_a_row::Deal;
using fast_all_in_a_row::Decision;
using fast_all_in_a_row::Engine;
using fast_all_in_a_row::kMemoBits;
using fast_all_in_a_row::kMemoBytes;
using fast_all_in_a_row::kMaxCards;
using fast_all_in_a_row::kMaxHeight;
using fast_all_in_a_row::kMaxPiles;
using fast_all_in_a_row::Pruning;

inline constexpr int kLane = 16;
inline int lowest64(u64 set) { return __builtin_ctzll(set); }
inline int size64(u64 set) { return __builtin_popcountll(set); }

inline u64 tops_of(u64 cards) { return cards & ~(cards >> kLane); }

// The cards of a deal, seen from one end of the piles.
struct Layout {
  u64 of_rank[kCircle] = {};  // the places of a rank's cards
  u64 up_to[kCircle] = {};    // the places of the ranks 0..r
  u8 rank_at[64] = {};        // kNoRank where no card lies
  u32 column[64] = {};        // the ranks from a place down, a byte each plus 1, the highest first
  u64 start = 0;

  // `flipped`: the bottom cards are played first.
  void lay_out(const Deal& deal, bool flipped) {
    *this = {};
    std::memset(rank_at, kNoRank, sizeof rank_at);
    for (int p = 0; p < deal.piles; ++p) {
      const int height = deal.height[p];
      u32 column_below = 0;
      for (int h = 0; h < height; ++h) {
        const int place = h * kLane + p, rank = deal.rank[p][flipped ? height - 1 - h : h];
        start |= u64{1} << place;
        of_rank[rank] |= u64{1} << place;
        rank_at[place] = static_cast<u8>(rank);
        column[place] = column_below = column_below >> 8 | static_cast<u32>(rank + 1) << 24;
      }
    }
    u64 seen = 0;
    for (int r = 0; r < kCircle; ++r) up_to[r] = seen |= of_rank[r];
  }

  int rank_under(int place) const { return place < kLane ? kNoRank : rank_at[place - kLane]; }
};

// Fifty-two places and the rank in the bits that no pile has.
inline u64 key_of(u64 cards, int rank) {
  return cards | static_cast<u64>(rank & 7) << kMaxPiles | static_cast<u64>(rank >> 3) << (kLane + kMaxPiles);
}

// Of the tops of one rank those worth playing. If p's column from its top down is a prefix of q's,
// playing q is at least as good: take a winning line that plays p now, and at each level of p's column
// give q's card the earlier and p's the later of the two times. The ranks of a level being equal, the
// line stays a walk; both columns stay in order, and q is played now. Of equal columns one is kept.
inline u64 undominated(const Layout& layout, u64 tops) {
  u64 kept = tops;
  for (u64 rest = tops; rest != 0;) {
    const int p = lowest64(rest), spare = 8 * (kMaxHeight - 1 - p / kLane);
    rest &= rest - 1;
    for (u64 others = rest; others != 0; others &= others - 1) {
      const int q = lowest64(others);  // as high as p, or higher
      if ((layout.column[p] ^ layout.column[q]) >> spare != 0) continue;
      kept &= ~(u64{1} << (q / kLane > p / kLane ? p : q));
    }
  }
  return kept;
}

}  // namespace dealsweep::fast_all_in_a_row::DEALSWEEP_VARIANT
