// Why the cards in place are a whole state, and which of them may leave.
//
// A moved card that is not on a foundation hangs, as part of a run, on the top card in place of
// some pile, for empty piles stay empty; the run on a top leads away from it, up or down its suit, and
// there is none on buried cards. Foundation moves are made as soon as they can be: whoever could use
// the card played as a target may follow it to the foundation instead. So in a suit the moved cards
// below the lowest card in place, and those above the highest, are gone.
//
// Between two cards in place that follow each other in rank order, with moved cards between them, each of
// these hangs on one of the two. Call the cards in place vertices, such intervals edges, and the connected
// parts of a suit pieces: paths of n vertices and n-1 edges, every edge carried by one of its ends (or
// split between both), every vertex carrying for one edge at most and a buried vertex for none. So a piece
// has one buried card at most, and then every other vertex carries: the piece is tainted and cannot
// change. Without one it is free: one vertex is bare, the run next to it can be moved card by card onto
// it, which bares its old carrier, and back again. Hence all positions with the same cards in place reach
// each other, and any vertex of a free piece can be bared.
//
// A top leaves its place - is released - only when bare, so its piece must be free. It goes to a
// foundation if it is an end of what is left of its suit; onto a moved neighbour, which is the top of the
// other carrier's run when this vertex is bare; or onto a neighbour in place, which must be a top that can be
// bared (its piece is another one, so both can be bare at once). No other move changes the cards in place.
// With nothing buried all pieces are free and the ends of the suits go up one by one: won.

// Every rank of a suit between the lowest and the highest of `set`, both included.
static inline Cells span_of(Cells set) {
  constexpr Cells kTopBits = 0x8000'8000'8000'8000;
  const Cells from_lowest = set | (kTopBits - set);  // two's complement in fifteen bits
  Cells to_highest = set;
  to_highest |= to_highest >> 1;
  to_highest |= to_highest >> 2 & 0x3fff'3fff'3fff'3fff;
  to_highest |= to_highest >> 4 & 0x0fff'0fff'0fff'0fff;
  to_highest |= to_highest >> 8 & 0x00ff'00ff'00ff'00ff;
  return from_lowest & to_highest & ~kTopBits;
}

// The pieces of one set of cards in place, whichever of them are buried.
struct Pieces {
  Cells beside_moved;   // cells with a moved neighbour
  Cells between_moved;  // cells with two
  Cells ends;           // cards in place that are the lowest or the highest left of their suit
  // Cells of one piece with the cell below (above) them; with the 2, 4, 8 cells above them.
  Cells up, down, down2, down4, down8;

  Pieces() = default;
  explicit Pieces(Cells in_place) {
    const Cells left = span_of(in_place), moved = left & ~in_place;
    beside_moved = moved << 1 | moved >> 1;
    between_moved = moved << 1 & moved >> 1;
    ends = in_place & (~(left << 1) | ~(left >> 1));
    up = left & left << 1 & ~(in_place & in_place << 1);
    down = up >> 1;
    down2 = down & down >> 1;
    down4 = down2 & down2 >> 2;
    down8 = down4 & down4 >> 4;
  }

  // All cells of pieces with a buried card. A piece has one at most, so no carry meets another.
  Cells tainted(Cells buried) const {
    const Cells above = up & ~(up + (buried << 1 & up));
    Cells below = buried | (down & buried >> 1);
    below |= down2 & below >> 2;
    below |= down4 & below >> 4;
    below |= down8 & below >> 8;
    return above | below;
  }

  // Of the tops that can be bared, those that may be released.
  Cells legal(Cells free) const { return free & (ends | beside_moved | free << 1 | free >> 1); }

  // Of the tops that can be bared, those whose release loses nothing: ends of a suit, and tops between two
  // moved cards. Proof: let x be such a top. With x released, every other release that was legal still is:
  // pieces lose a vertex, or an end with its edge, so none becomes tainted; nobody's neighbour in place is
  // lost but an end's, who is then an end himself; and what x exposes only helps. So whichever line wins, it
  // also wins with x released first.
  Cells safe(Cells free) const { return free & (ends | between_moved); }
};
