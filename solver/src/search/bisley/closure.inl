// What could ever be exposed.
//
// The cards stay in place and the tops grow by what each legal release exposes, until nothing more does. No
// line exposes a card that this closure does not. Proof: let a line have released the cards R from P, all of
// them tops of the closure, and release y next. The pieces of P lie in pieces of P less R, so y's, with the
// closure's tops, is free; a moved target is moved in P too, or a top of the closure in a free piece; if
// y is an end only because all beyond it is released, all that is tops of the closure, so y's neighbour there
// is moved or a top in a free piece. So y is legal in the closure as well. Nor are releases in
// frozen regions needed, as long as the closure has not opened a bound.

// Lets the tops grow until `enough(buried)` or the end; the cards still buried.
template <typename Blocked, typename Enough>
static inline Cells close(const Deal& deal, const Position& position, Blocked blocked, Enough enough) {
  const Cells in_place = position.state.in_place;
  Cells tops = position.state.tops | deal.reveals(position.moves & ~blocked(position.buried));
  for (;;) {
    const Cells buried = in_place & ~tops;
    if (enough(buried)) return buried;
    const Cells open = position.pieces.legal(tops & ~position.pieces.tainted(buried));
    const Cells grown = tops | deal.reveals(open & ~blocked(buried));
    if (grown == tops) return buried;
    tops = grown;
  }
}

// True when some card can never be exposed: the position is lost.
static inline bool lost_by_closure(const Deal& deal, const Position& position, const FrozenRegions& frozen) {
  const auto all = [](Cells buried) { return buried == 0; };
  if (frozen.count == 0) return close(deal, position, [](Cells) { return Cells{0}; }, all) != 0;
  return close(deal, position, [&](Cells buried) { return frozen.cells(buried); }, all) != 0;
}

// True when no releases but those in the region, or in these regions taken together, can open any of them.
// Then every winning line makes one of those while they are all shut, and could have made it first: no
// other release need be tried.
static inline bool opened_only_from_within(const Deal& deal, const Position& position,
                                         const FrozenRegions& frozen, const Region& region) {
  if (region.bounds == 0) return false;
  const Cells left = close(
      deal, position, [&](Cells buried) { return frozen.cells(buried) | region.cells; },
      [&](Cells buried) { return !region.shut(buried); });
  return region.shut(left);
}
