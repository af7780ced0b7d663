// Sets of cards in one word, and what a deal says of them.
//
// A card is *in place* until it first leaves the pile it was dealt to. The cards in place are the
// whole state of a game of Bisley: pieces.hpp says why.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <stdexcept>

#include "../../board.hpp"

namespace dealsweep::bisley {

// Sixteen bits a suit, rank r at bit r. Bits 0, 14 and 15 of a suit stay clear, so that a shift
// or a carry by one never reaches a card of another suit.
using Cells = std::uint64_t;

inline constexpr int kCells = 64;
inline constexpr Cells kLane = 0xffff;

constexpr int cell_of(Card card) { return 16 * suit_of(card) + rank_of(card); }
constexpr Card card_at(int cell) { return make_card(cell & 15, cell >> 4); }
constexpr Cells bit(int cell) { return Cells{1} << cell; }
constexpr Cells lane_of(int cell) { return kLane << (cell & 48); }

// The lowest cell of a set that is not empty.
inline int first(Cells set) { return std::countr_zero(set); }

template <typename Visit>
void for_each(Cells set, Visit visit) {
  for (; set != 0; set &= set - 1) visit(first(set));
}

// A position: buried cards are in place under others that are in place.
struct State {
  Cells in_place = 0;
  Cells tops = 0;  // the uppermost card in place of each pile

  Cells buried() const { return in_place & ~tops; }
};

// The board of one deal, as releases see it.
//
// Same position: a card in place that is exposed on its neighbour in suit lies there as if it had been
// moved there, and so does the run on it, which leads away from the neighbour. With such cards
// called moved the position has the same moves, so they are, at once, and the neighbour is the top.
struct Deal {
  // Releasing a cell takes `removes` out of place (the cell and neighbours below it in the sense
  // above) and makes `exposes` the pile's top; nothing for the last card of its pile.
  std::array<Cells, kCells> removes{}, exposes{};
  Cells bottoms = 0;  // cards that expose nothing
  State start;

  Deal() = default;

  // Throws std::invalid_argument for a board that no game of Bisley has.
  explicit Deal(const Board& board, bool same_position = true) {
    for (int p = 0; p < board.pile_count; ++p) {
      const std::span<const Card> pile = board.pile(p);
      Cells top = 0, run = 0;  // what lies below the card at hand, when that card is taken away
      for (std::size_t i = 0; i < pile.size(); ++i) {
        const int cell = cell_of(pile[i]);
        if (start.in_place & bit(cell)) throw std::invalid_argument("a card stands twice on the board");
        start.in_place |= bit(cell);
        removes[cell] = bit(cell) | run;
        exposes[cell] = top;
        if (top == 0) bottoms |= bit(cell);
        if (same_position && i > 0 && neighbours(pile[i - 1], pile[i])) {
          run |= bit(cell);
        } else {
          run = 0;
          top = bit(cell);
        }
      }
      start.tops |= top;
      moved_at_start |= run;
    }
    start.in_place &= ~moved_at_start;
    check_suits(start.in_place | moved_at_start);
  }

  void release(State& state, int cell) const {
    state.in_place &= ~removes[cell];
    state.tops = (state.tops & ~bit(cell)) | exposes[cell];
  }

  Cells moved_at_start = 0;  // dealt as a run on a neighbour in suit

 private:
  static bool neighbours(Card a, Card b) { return (a + 1 == b || b + 1 == a) && suit_of(a) == suit_of(b); }

  // Foundations grow from both ends of a suit, so the cards not yet on them have no gap.
  static void check_suits(Cells cards) {
    for (int suit = 0; suit < kSuits; ++suit) {
      const unsigned lane = static_cast<unsigned>(cards >> (16 * suit) & kLane);
      const unsigned without_first = lane & (lane - 1);
      if (lane & (lane + (lane ^ without_first)))
        throw std::invalid_argument("cards on the foundations must be the ends of a suit");
    }
  }
};

}  // namespace dealsweep::bisley
