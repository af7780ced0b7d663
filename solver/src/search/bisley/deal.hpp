// What a deal says of the cards: who lies on whom.
//
// A card is *in place* until it first leaves the pile it was dealt to. The cards in place are the
// whole state of a game of Bisley: pieces.inl says why.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <stdexcept>

#include "../../board.hpp"
#include "cells.hpp"

namespace dealsweep::bisley {

// A position: cards in place, and the uppermost of them on each pile; the others in place are buried.
struct State {
  Cells in_place, tops;

  Cells buried() const { return in_place & ~tops; }
};

// Same position: a card in place that is exposed on its neighbour in suit lies there as if it had been
// moved there, and so does the run on it, which leads away from the neighbour. With such a card
// called moved, the position has the same moves; so it is called moved at once, and the neighbour is a top.
class Deal {
 public:
  // Throws std::invalid_argument for a board that no game of Bisley has.
  explicit Deal(const Board& board, bool same_position = true) {
    if (board.stock_count != 0) throw std::invalid_argument("Bisley has no stock");
    Cells all = 0, moved = 0;
    start_.tops = 0;
    for (int p = 0; p < board.pile_count; ++p) {
      const std::span<const Card> pile = board.pile(p);
      Cells top = 0, run = 0;  // the top that is left without the card at hand, and the run on it
      for (std::size_t i = 0; i < pile.size(); ++i) {
        const Cells card = bit(cell_of(pile[i]));
        if (all & card) throw std::invalid_argument("a card stands twice on the board");
        all |= card;
        revealed_[cell_of(pile[i])] = top | run;
        if (same_position && i > 0 && neighbours(pile[i - 1], pile[i])) {
          linked_ |= card;
          run |= card;
        } else {
          run = 0;
          top = card;
        }
      }
      start_.tops |= top;
      moved |= run;
    }
    start_.in_place = all & ~moved;
    check(all);
    fill_tables();
    bottoms_ = 0;
    for (int p = 0; p < board.pile_count; ++p)
      if (board.height(p) > 0) bottoms_ |= bit(cell_of(board.pile(p)[0]));
  }

  const State& start() const { return start_; }
  Cells bottoms() const { return bottoms_; }  // the lowest card of each pile

  // What the release of some tops exposes: the card below each, and below that the cards that
  // count as moved at once, down to the new top.
  Cells reveals(Cells released) const {
    const auto of = [&](int group) {
      return tables_[group][released >> position_of(group) & (kGroupSize - 1)];
    };
    return ((of(0) | of(1)) | (of(2) | of(3))) | ((of(4) | of(5)) | (of(6) | of(7)));
  }

  State after(const State& state, Cells released) const { return after(state, released, reveals(released)); }
  State after_one(const State& state, int cell) const { return after(state, bit(cell), revealed_[cell]); }

 private:
  State after(const State& state, Cells released, Cells revealed) const {
    return {state.in_place & ~(released | (revealed & linked_)),
            (state.tops & ~released) | (revealed & ~linked_)};
  }

  // A suit's ranks 2..7 and 8..13 are a group each; a table holds what every subset reveals.
  static constexpr int kGroups = 8, kGroupBits = 6, kGroupSize = 1 << kGroupBits;

  static constexpr int position_of(int group) { return 16 * (group / 2) + 2 + kGroupBits * (group % 2); }
  static bool neighbours(Card a, Card b) { return (a + 1 == b || b + 1 == a) && suit_of(a) == suit_of(b); }

  // Aces start the foundations, and these grow from both ends of a suit: the cards not on them have no gap.
  static void check(Cells cards) {
    for (int suit = 0; suit < kSuits; ++suit) {
      const unsigned lane = static_cast<unsigned>(cards >> (16 * suit) & kLane);
      if (lane & 2) throw std::invalid_argument("an ace stands on a pile, not on its foundation");
      if (lane & (lane + (lane & (~lane + 1))))
        throw std::invalid_argument("cards on the foundations must be the ends of a suit");
    }
  }

  void fill_tables() {
    for (int g = 0; g < kGroups; ++g) {
      Cells* table = tables_[g].data();
      table[0] = 0;
#pragma GCC unroll 6
      for (int b = 0; b < kGroupBits; ++b) {
        const Cells more = revealed_[position_of(g) + b];
        for (int i = 0; i < 1 << b; ++i) table[(1 << b) + i] = table[i] | more;
      }
    }
  }

  std::array<Cells, kCells> revealed_{};
  std::array<std::array<Cells, kGroupSize>, kGroups> tables_;
  State start_;
  Cells linked_ = 0;  // cards dealt onto a neighbour in suit
  Cells bottoms_;
};

}  // namespace dealsweep::bisley
