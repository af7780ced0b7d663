// A position with all its safe releases made, and its score.

struct Position {
  State state;
  Cells buried;
  Pieces pieces;
  Cells moves;  // releases worth a try
  int score;

  bool won() const { return buried == 0; }
};

// Makes the safe releases of `state`, all that there are at a time: each leaves the others safe.
// `released` is told the sets.
//
// Bottom rule: a card with nothing in place below it is released only when that is safe. Proof: let Q be a
// position, D some tops of it that expose nothing, and Q' be Q with D released. Whatever may be released in
// Q' may be in Q, after safe releases of cards in D if need be: a piece of Q lies in one of Q', so it
// is free if that one is; a target in D, moved in Q', is in Q a top in a free piece; and a card that
// is an end in Q' but not in Q has beyond it only cards of D, tops in free pieces, which are safe from the
// outermost on. Both expose the same. So Q wins if Q' does.
template <Rules kRules, typename Released>
static inline Position settle(const Deal& deal, State state, Released released) {
  for (;;) {
    const Pieces pieces(state.in_place);
    const Cells buried = state.buried(), tainted = pieces.tainted(buried), free = state.tops & ~tainted;
    const Cells safe = pieces.safe(free);
    if (kRules.safe_releases && safe != 0 && buried != 0) {
      released(safe);
      state = deal.after(state, safe);
      continue;
    }
    Cells moves = pieces.legal(free);
    if (kRules.bottom_rule) moves &= ~deal.bottoms() | safe;
    const int score = __builtin_popcountll(moves) - 2 * __builtin_popcountll(state.tops & tainted) -
                      4 * __builtin_popcountll(buried);
    return {state, buried, pieces, moves, score};
  }
}

template <Rules kRules>
static inline Position settled(const Deal& deal, const State& state) {
  return settle<kRules>(deal, state, [](Cells) {});
}
