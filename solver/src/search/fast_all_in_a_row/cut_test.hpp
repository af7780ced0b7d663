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
//
// Where every edge is crossed the pairs need no enumeration. Count places of ranks upwards from t. For
// three cards of a pile, a above b above c, some pair of edges separates {a, c} as B from {t, b} as A iff
// b lies outside the interval of a and c, one of the edges between the interval and the nearer of b and
// t below it, and the other between the interval and the nearer of b and t above it. The edge sets X and
// Y of the two conditions are independent of each other: one OR over the edges crossed once gives the
// triples with such an edge in X and those with one in Y, and the intersection is lost. With a fourth
// card d below c, which belongs to A as b does, so for one edge crossed once and one crossed twice.
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
    layout_ = &layout;
    pairs_made_ = paths_made_ = 0;
  }

  // `edges` are e for some end, or F, which is at least e for every end and so forbids less.
  DEALSWEEP_HOT u64 lost_places(const Crossings& edges, int rank) {
    return edges.by_count[0] == 0 ? lost_to_pairs(edges, rank) : lost_on_path(edges, rank);
  }

 private:
  // What an edge contributes where all are crossed: the triples of cards with the edge in X, and in Y;
  // the piles of four, likewise, by whether it is crossed once or twice. A triple has the pile's bit in a
  // lane of its own: the cards at heights 4, 3, 2; at 4, 3, 1; at 3, 2, 1; at 4, 2, 1.
  struct PairEdge {
    u64 x, y, fours_once, fours_twice;
  };

  DEALSWEEP_HOT u64 lost_to_pairs(const Crossings& edges, int rank) {
    const u32 once = edges.by_count[1], twice = edges.by_count[2];
    if (once == 0) return 0;
    if (!(pairs_made_ >> rank & 1)) [[unlikely]]
      make_pairs(rank);
    PairEdge sum{};
    for (u32 rest = once | twice; rest != 0; rest &= rest - 1) {
      const int edge = lowest(rest);
      const PairEdge& one = pairs_[rank][edge][twice >> edge & 1];
      sum.x |= one.x, sum.y |= one.y;
      sum.fours_once |= one.fours_once, sum.fours_twice |= one.fours_twice;
    }
    constexpr u64 kLaneMask = (u64{1} << kLane) - 1;
    constexpr int kThird = 2 * kLane, kTop = 3 * kLane;
    const u64 triples = sum.x & sum.y;
    const u64 fours =
        (sum.fours_once & sum.fours_twice >> kLane) | (sum.fours_twice & sum.fours_once >> kLane);
    const u64 below_top = triples | triples >> kLane | fours;  // lanes 0 and 1, and the piles of four
    return (triples & ~u64{0} << kThird) | (below_top & kLaneMask) << kTop;
  }

  DEALSWEEP_HOT u64 lost_on_path(const Crossings& edges, int rank) {
    const int gap = lowest(edges.by_count[0]);
    if (!(paths_made_ >> gap & 1)) [[unlikely]]
      make_path(gap);
    // The arc from the gap to an edge holds t if just one of them is before t; then the rest is part B.
    const u32 before = (u32{1} << rank) - 1, rest_is_b = before >> gap & 1 ? ~before : before;
    const u32 twice = edges.by_count[2], thrice = edges.by_count[3];
    u64 lost = 0;
    for (u32 rest = edges.by_count[1] | twice | thrice; rest != 0; rest &= rest - 1) {
      const int y = lowest(rest);
      lost |= path_[gap][y][rest_is_b >> y & 1].times[(twice >> y & 1) + 2 * (thrice >> y & 1)];
    }
    return lost;
  }

  DEALSWEEP_COLD void make_path(int gap) {
    const auto lost_to = [](u64 b) { return PathEdge{{begins_ba(b), begins_bab(b), begins_baba(b)}}; };
    for (int y = 0; y < kCircle; ++y) {
      const u64 arc = layout_->up_to[gap] ^ layout_->up_to[y];
      path_[gap][y][0] = lost_to(arc & layout_->start);
      path_[gap][y][1] = lost_to(~arc & layout_->start);
    }
    paths_made_ |= 1u << gap;
  }

  // Walks upwards from t; seen: the places of the ranks met so far.
  DEALSWEEP_COLD void make_pairs(int rank) {
    u64 seen[kCircle], before = 0, after = 0;  // triples with b below the interval, and above it
    u64 fours[4] = {};                         // the same for piles of four, of b and of d
    u64 all = 0;
    for (int i = 0, edge = rank; i < kCircle; ++i, edge = rank_above(edge)) {
      seen[i] = all |= layout_->of_rank[edge];
      const Triples at(all);
      before |= at.b & ~(at.a | at.c);
      after |= at.a & at.c & ~at.b;
      const u64 a = all >> (3 * kLane), b = all >> (2 * kLane), c = all >> kLane, d = all;
      fours[0] |= b & ~(a | c), fours[1] |= a & c & ~b;
      fours[2] |= d & ~(a | c), fours[3] |= a & c & ~d;
    }
    constexpr u64 kLaneMask = (u64{1} << kMaxPiles) - 1;
    for (int i = 0, edge = rank; i < kCircle; ++i, edge = rank_above(edge)) {
      const Triples at(seen[i]);
      const u64 x = ~(at.a | at.c) & (at.b | after), y = at.a & at.c & (~at.b | before);
      const u64 a = seen[i] >> (3 * kLane), b = seen[i] >> (2 * kLane), c = seen[i] >> kLane, d = seen[i];
      const u64 x4 = ~(a | c) & (b | fours[1]) & (d | fours[3]) & kLaneMask;
      const u64 y4 = a & c & (~b | fours[0]) & (~d | fours[2]) & kLaneMask;
      pairs_[rank][edge][0] = {x, y, x4 | y4 << kLane, 0};
      pairs_[rank][edge][1] = {0, 0, 0, x4 | y4 << kLane};
    }
    pairs_made_ |= 1u << rank;
  }

  // The places of a set of ranks, seen as triples.
  struct Triples {
    u64 a, b, c;

    explicit Triples(u64 places) {
      constexpr u64 kLaneMask = (u64{1} << kLane) - 1;
      const u64 first = places & kLaneMask, second = places >> kLane & kLaneMask;
      const u64 third = places >> (2 * kLane) & kLaneMask, fourth = places >> (3 * kLane);
      a = fourth | fourth << kLane | third << (2 * kLane) | fourth << (3 * kLane);
      b = third | third << kLane | second << (2 * kLane) | second << (3 * kLane);
      c = second | first << kLane | first << (2 * kLane) | first << (3 * kLane);
    }
  };

  // The places lost where the gap and an edge are crossed once, twice or three times together.
  struct PathEdge {
    u64 times[3];
  };

  const Layout* layout_ = nullptr;
  u32 pairs_made_ = 0, paths_made_ = 0;  // the ranks and gaps whose tables are made, on demand
  PairEdge pairs_[kCircle][kCircle][2];  // by the rank t, the edge, and whether it is crossed twice
  PathEdge path_[kCircle][kCircle][2];   // by the gap, the edge, and whether t lies in the arc between
};

}  // namespace dealsweep::fast_all_in_a_row::DEALSWEEP_VARIANT
