// The rule that Black Hole, All in a Row and Golf share: what the one foundation takes; and the
// plain play of a line by it, the check behind every deal that is called solved.
#pragma once

#include <array>
#include <cstdlib>
#include <span>

#include "../board.hpp"

namespace dealsweep {

struct GolfRules {
  bool wrap = false;             // king and ace are neighbours; a king is covered then as well
  bool queens_on_kings = false;  // without it nothing goes on a king, unless by wrap
};

// Whether a card of `rank` goes on a foundation showing rank `foundation`; 0 is an empty one.
constexpr bool fits(int foundation, int rank, GolfRules rules) {
  if (foundation == 0) return true;
  if (foundation == kRanks && !rules.wrap && !rules.queens_on_kings) return false;
  const int distance = foundation > rank ? foundation - rank : rank - foundation;
  return distance == 1 || (rules.wrap && distance == kRanks - 1);
}

// A move in a line: the index of a pile whose top card goes to the foundation, or the next card
// of the stock.
inline constexpr std::uint8_t kStockMove = 255;

// Plays `line` card by card; true when every move is legal and all piles are empty at the end.
inline bool clears_all_piles(const Board& board, GolfRules rules, std::span<const std::uint8_t> line) {
  std::array<int, Board::kMaxPiles> height{};
  int cards = 0, taken = 0;
  for (int p = 0; p < board.pile_count; ++p) cards += height[p] = board.height(p);
  int foundation = board.foundation_count ? rank_of(board.foundations[0]) : 0;
  for (const std::uint8_t move : line) {
    if (move == kStockMove) {
      if (taken == board.stock_count) return false;
      foundation = rank_of(board.stock()[taken++]);
      continue;
    }
    if (move >= board.pile_count || height[move] == 0) return false;
    const int rank = rank_of(board.pile(move)[--height[move]]);
    if (!fits(foundation, rank, rules)) return false;
    foundation = rank;
    --cards;
  }
  return cards == 0;
}

}  // namespace dealsweep
