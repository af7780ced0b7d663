// Moves and the order in which they are tried: by falling score, equal ones as they came.
#pragma once

#include "ordering.hpp"
#include "walk_graph.hpp"

namespace dealsweep::fast_black_hole::DEALSWEEP_VARIANT {

struct Move {
  int score;
  u32 pile;
  Walk* walk;  // after the move
};

// Puts a move among the first `count`, which are in order.
DEALSWEEP_HOT void insert_by_score(const Move& move, Move* moves, int count) {
  int at = count;
  for (; at > 0 && moves[at - 1].score < move.score; --at) moves[at] = moves[at - 1];
  moves[at] = move;
}

constexpr int at_most(int most, int value) { return value < most ? value : most; }
inline u32 in_all(int bit) { return -static_cast<u32>(bit); }

// The part of a step's score that the walk before it decides alone.
inline int score_of_step(const Weights& weights, const Walk& walk, int rank, int edge) {
  return weights.left[walk.cards_left(rank)] + weights.crossings[at_most(9, walk.edges.of(edge))];
}

// The rest, which depends on the piles: `tops` are those before the move.
DEALSWEEP_HOT int score_of_pile(const Weights& weights, const Tableau& tableau, const Walk& walk,
                                const Walk& next, const Heights& heights, const u32 (&tops)[kRanksHeld],
                                u32 mask) {
  const int pile = lowest(mask), height = heights.of(pile), under = tableau.rank[pile][height - 1];
  const int rank = next.rank, above = rank_above(rank), below = rank_below(rank);
  const bool up = next.open >> kUp & 1, down = next.open >> kDown & 1;
  int moves = size_of(tops[above] & in_all(up)) + size_of(tops[below] & in_all(down));
  int score = weights.height[height] + weights.tops[at_most(5, size_of(tops[rank]))];
  if (under == kNoRank) {
    score += weights.left_under[0];
  } else {
    score += weights.left_under[walk.cards_left(under)];
    if (under == above || under == below) score += weights.adjacent;
    if (under == above) moves += up;
    if (under == below) moves += down;
    if (tops[under] == 0) score += weights.fresh;
  }
  return score + weights.moves[at_most(5, moves)];
}

}  // namespace dealsweep::fast_black_hole::DEALSWEEP_VARIANT
