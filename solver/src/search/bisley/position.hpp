// A position with all its safe releases made, and its score.
#pragma once

#include "pieces.hpp"

namespace dealsweep::bisley {

// Which of the proved rules are in force; a test takes each of them away.
struct Rules {
  bool same_position = true;
  bool safe_releases = true;
  bool bottom_rule = true;
  bool closure = true;
  bool regions = true;
  bool freezing = true;
  bool dive = true;
};

struct Position {
  State state;
  Cells buried = 0;
  Pieces pieces;
  Cells moves = 0;  // releases worth a try
  int score = 0;

  bool won() const { return buried == 0; }
};

// Makes the safe releases of `state`, all that there are at a time: each leaves the others safe.
// `released` is told of every one of them.
//
// Bottom rule: a card with nothing in place below it is released only when that is safe. Proof: let
// Q be a position and D some tops of it that expose nothing, and let Q' be Q with D released.
// Whatever may be released in Q' may be in Q, after safe releases of cards in D if need be: a
// piece of Q lies in one of Q', so it is free if that one is; a target in D, moved in Q', is in Q a top
// in a free piece; and a card that is an end in Q' but not in Q has beyond it only cards of D, tops in free
// pieces, which are safe from the outermost on. Both expose the same. So Q wins if Q' does.
template <Rules kRules, typename Released>
inline void settle(const Deal& deal, Position& position, Released released) {
  State& state = position.state;
  Cells free;
  for (;;) {
    position.buried = state.buried();
    position.pieces = Pieces(state.in_place);
    free = state.tops & ~position.pieces.tainted(position.buried);
    if (position.buried == 0 || !kRules.safe_releases) break;
    const Cells safe = position.pieces.safe(free);
    if (safe == 0) break;
    for_each(safe, [&](int cell) {
      released(cell);
      deal.release(state, cell);
    });
  }
  position.moves = position.pieces.legal(free);
  const int stuck = std::popcount(state.tops & ~free);
  position.score = std::popcount(position.moves) - 2 * stuck - 4 * std::popcount(position.buried);
  if (!kRules.bottom_rule) return;
  position.moves &= ~deal.bottoms | position.pieces.safe(free);
}

template <Rules kRules>
inline Position settled(const Deal& deal, const State& state) {
  Position position;
  position.state = state;
  settle<kRules>(deal, position, [](int) {});
  return position;
}

template <Rules kRules>
inline Position after(const Deal& deal, const Position& position, int cell) {
  State state = position.state;
  deal.release(state, cell);
  return settled<kRules>(deal, state);
}

}  // namespace dealsweep::bisley
