// The cut test: piles against pairs of cut edges. Cutting the edges x and y splits the circle of
// ranks into a part A that holds the foundation's rank t and a part B, and the rest of the game
// changes sides exactly k = e_x + e_y times, beginning in A. A pile is played from the top down, so
//
//   k = 1 (A then B):          no card of B may lie above a card of A;
//   k = 2 (A, then B, then A): no card of B above a card of A above a card of B.
//
// (k = 0 is the walk test's connection; for larger k no pile of three cards is in the way.) Testing
// only some pairs, or numbers k that are too large, weakens the test and keeps it sound.
//
// Two kinds of pairs are tested. Where an edge x is never crossed the walk lies on a path, and each
// edge y crossed once or twice is paired with x. Where every edge is crossed, k = 2 comes of two
// edges crossed once. There the pairs need no enumeration: with the ranks of a pile of three at
// places a, b, c counted upwards from t, b in the middle of the pile, some pair of edges separates
// {a, c} as B from {t, b} as A iff b lies outside the interval of a and c, some edge crossed once
// lies between that interval and b on b's side, and another between the interval and t on the
// other side. The edge sets X and Y of the two conditions are independent of each other. So
// one OR over the edges crossed once gives both sets of piles, and their intersection is lost.
#pragma once

#include "walk_test.hpp"

namespace dealsweep::fast_black_hole::DEALSWEEP_VARIANT {

// The piles that lose the game at height 3, and those that lose it at height 2 or 3.
struct LostPiles {
  u32 at_three = 0, from_two = 0;

  u32 among(const Heights& heights) const { return (at_three & heights.three()) | (from_two & heights.hi); }
};

class CutTest {
 public:
  void lay_out(const Tableau& tableau) {
    tableau_ = &tableau;
    pairs_made_ = paths_made_ = 0;
  }

  // `edges` are e for some end, or F, which is at least e for every end and so forbids less.
  DEALSWEEP_HOT LostPiles lost_piles(const EdgeSets& edges, int rank) {
    return edges.none == 0 ? lost_to_pairs(edges.once, rank) : lost_on_path(edges, rank);
  }

 private:
  static constexpr int kHalf = 32;

  DEALSWEEP_HOT LostPiles lost_to_pairs(u32 once, int rank) {
    if ((once & (once - 1)) == 0) return {};
    if (!(pairs_made_ >> rank & 1)) [[unlikely]]
      make_pairs(rank);
    const PairSums& sums = pairs_[rank];
    const u64 both = sums.low[once & 15] | sums.middle[once >> 4 & 15] | sums.high[once >> 8];
    return {static_cast<u32>(both & both >> kHalf), 0};
  }

  DEALSWEEP_HOT LostPiles lost_on_path(const EdgeSets& edges, int rank) {
    const int gap = lowest(edges.none);
    if (!(paths_made_ >> gap & 1)) [[unlikely]]
      make_path(gap);
    const PathEdge* const path = path_[gap];
    const u32 lower = ~u32{kCircleTables.from[rank][gap]};  // edges beyond which B is the lower part
    u64 lost = 0;
    for (u32 rest = edges.once | edges.twice; rest != 0; rest &= rest - 1) {
      const int edge = lowest(rest);
      lost |= path[edge].lost[lower >> edge & 1] >> (edges.twice >> edge & 1 ? 2 * kMaxPiles : 0);
    }
    constexpr u64 kPiles = (u64{1} << kMaxPiles) - 1;
    return {static_cast<u32>(lost & kPiles), static_cast<u32>(lost >> kMaxPiles & kPiles)};
  }

  // For an edge, the piles with the edge in X, and 32 bits higher those with the edge in Y. With
  // P_h the piles whose card at height h has a place up to the edge's, and with the piles told
  // apart by b below or above the interval:
  //   b below: X = [b, lower end), Y = [upper end, t);   b above: X = [t, lower end), Y = [upper end, b).
  DEALSWEEP_COLD void make_pairs(int rank) {
    u32 upto[4][kCircle] = {};
    u32 seen[4] = {}, middle_below = 0, middle_above = 0;
    for (int i = 0, edge = rank; i < kCircle; ++i, edge = rank_above(edge)) {
      for (int h = 1; h <= kMaxHeight; ++h) upto[h][i] = seen[h] |= tableau_->level[h][edge];
      middle_below |= seen[2] & ~seen[1] & ~seen[3];
      middle_above |= seen[1] & seen[3] & ~seen[2];
    }
    u64 pairs[kCircle];
    for (int i = 0, edge = rank; i < kCircle; ++i, edge = rank_above(edge)) {
      const u32 x = ~(upto[1][i] | upto[3][i]) & (upto[2][i] | middle_above);
      const u32 y = upto[1][i] & upto[3][i] & (~upto[2][i] | middle_below);
      pairs[edge] = u64{x} | u64{y} << kHalf;
    }
    sum_up(pairs_[rank].low, pairs, 4);
    sum_up(pairs_[rank].middle, pairs + 4, 4);
    sum_up(pairs_[rank].high, pairs + 8, 5);
    pairs_made_ |= 1u << rank;
  }

  // sums[set]: the union over a set of the first edges.
  static void sum_up(u64* sums, const u64* pairs, int edges) {
    sums[0] = 0;
    for (int e = 0; e < edges; ++e)
      for (int set = 0; set < 1 << e; ++set) sums[(1 << e) + set] = sums[set] | pairs[e];
  }

  // path_[gap][edge]: what is lost if the part above the edge is B, and if the part below is. Each
  // holds three sets of piles: crossed once, at height 3 and from height 2; crossed twice, at 3.
  DEALSWEEP_COLD void make_path(int gap) {
    u32 seen[4] = {};
    for (int edge = rank_above(gap); edge != gap; edge = rank_above(edge)) {
      for (int h = 1; h <= kMaxHeight; ++h) seen[h] |= tableau_->level[h][edge];
      const u32 a1 = seen[1], a2 = seen[2], a3 = seen[3];
      path_[gap][edge].lost[0] = three_sets(~a3 & (a2 | a1), ~a2 & a1, ~a3 & a2 & ~a1);
      path_[gap][edge].lost[1] = three_sets(a3 & ~(a2 & a1), a2 & ~a1, a3 & ~a2 & a1);
    }
    paths_made_ |= 1u << gap;
  }

  static u64 three_sets(u32 once_at_three, u32 once_from_two, u32 twice_at_three) {
    constexpr u32 kPiles = (1u << kMaxPiles) - 1;
    return u64{once_at_three & kPiles} | u64{once_from_two & kPiles} << kMaxPiles |
           u64{twice_at_three & kPiles} << (2 * kMaxPiles);
  }

  // Unions over sets of the edges 0..3, 4..7 and 8..12.
  struct PairSums {
    u64 low[16], middle[16], high[32];
  };

  struct PathEdge {
    u64 lost[2];  // B above the edge, below it
  };

  const Tableau* tableau_ = nullptr;
  u32 pairs_made_ = 0, paths_made_ = 0;  // the ranks and gaps whose tables are made, on demand
  PairSums pairs_[kCircle];
  PathEdge path_[kCircle][kCircle];
};

}  // namespace dealsweep::fast_black_hole::DEALSWEEP_VARIANT
