// What could ever be exposed.
//
// The cards stay in place and the tops grow by what each legal release exposes, until nothing more does. No
// line exposes a card that this closure does not. Proof: let a line have released the cards R
// from P, all of them tops of the closure, and release y next. Pieces of P with the closure's tops lie in pieces of
// P less R, so y's is free; a moved target is moved in P too, or a top of the closure in a free
// piece; if y is an end only because all beyond it is released, all that is tops of the closure, so y's neighbour
// there is moved or a top in a free piece. So y is legal in the closure as well. Nor are releases in frozen
// regions needed, as long as the closure has not opened a bound.
#pragma once

#include "regions.hpp"

namespace dealsweep::bisley {

namespace detail {

// Lets the tops grow until `enough(buried)` or the end; the cards still buried.
template <typename Blocked, typename Enough>
inline Cells closure(const Deal& deal, const Position& position, Blocked blocked, Enough enough) {
  const Pieces& pieces = position.pieces;
  const Cells in_place = position.state.in_place;
  Cells tops = position.state.tops, made = deal.bottoms;
  for (;;) {
    const Cells buried = in_place & ~tops;
    if (enough(buried)) return buried;
    const Cells free = tops & ~pieces.tainted(buried);
    const Cells fresh = pieces.legal(free) & ~made & ~blocked(buried);
    if (fresh == 0) return buried;
    made |= fresh;
    for_each(fresh, [&](int cell) { tops |= deal.removes[cell] | deal.exposes[cell]; });
  }
}

}  // namespace detail

// True when some card can never be exposed: the position is lost.
inline bool lost_by_closure(const Deal& deal, const Position& position, const FrozenRegions& frozen) {
  return detail::closure(
             deal, position, [&](Cells buried) { return frozen.cells(buried); },
             [](Cells buried) { return buried == 0; }) != 0;
}

// True when no releases but the region's own can open it. Then every winning line makes one of them while
// the region is shut, and could have made it first: no other release need be tried.
inline bool opened_only_by_itself(const Deal& deal, const Position& position, const FrozenRegions& frozen,
                                  const Region& region) {
  if (region.bounds == 0) return false;
  const Cells left = detail::closure(
      deal, position, [&](Cells buried) { return frozen.cells(buried) | region.cells; },
      [&](Cells buried) { return !region.shut(buried); });
  return region.shut(left);
}

}  // namespace dealsweep::bisley
