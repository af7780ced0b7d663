// The rules on plain piles: does a line of moves win? Shares nothing with the search.
#pragma once

#include <span>

#include "../../board.hpp"

namespace dealsweep::bisley {

// Two bytes a move: from pile, to pile; 0xFE is the ace foundation of the card's suit, 0xFD the king's.
class Table {
 public:
  explicit Table(const Board& board) : piles_(board.pile_count) {
    ace_top_.fill(kRanks);
    king_top_.fill(0);
    for (int p = 0; p < piles_; ++p)
      for (Card card : board.pile(p)) {
        put(card, p);
        ++cards_left_;
        const int suit = suit_of(card), rank = rank_of(card);
        if (rank <= ace_top_[suit]) ace_top_[suit] = rank - 1;
        if (rank >= king_top_[suit]) king_top_[suit] = rank + 1;
      }
  }

  bool move(int from, int to) {
    if (from >= piles_ || top_[from] == kNone) return false;
    const Card card = top_[from];
    const int suit = suit_of(card), rank = rank_of(card);
    if (to == 0xfe) {
      if (rank != ace_top_[suit] + 1) return false;
      ++ace_top_[suit];
    } else if (to == 0xfd) {
      if (rank != king_top_[suit] - 1) return false;
      --king_top_[suit];
    } else {
      if (to >= piles_ || top_[to] == kNone || suit_of(top_[to]) != suit) return false;
      const int distance = rank_of(top_[to]) - rank;
      if (distance != 1 && distance != -1) return false;
    }
    top_[from] = under_[card];
    if (to < piles_) put(card, to);
    else --cards_left_;
    return true;
  }

  bool won() const { return cards_left_ == 0; }

 private:
  static constexpr Card kNone = 0xff;

  void put(Card card, int pile) {
    under_[card] = top_[pile];
    top_[pile] = card;
  }

  static constexpr std::array<Card, Board::kMaxPiles> nothing() {
    std::array<Card, Board::kMaxPiles> tops{};
    tops.fill(kNone);
    return tops;
  }

  int piles_, cards_left_ = 0;
  std::array<Card, Board::kMaxPiles> top_ = nothing();
  std::array<Card, kDeckSize> under_{};
  std::array<int, kSuits> ace_top_{}, king_top_{};  // the next card to play is one up, one down
};

inline bool line_wins(const Board& board, std::span<const std::uint8_t> moves) {
  Table table(board);
  for (std::size_t i = 0; i + 1 < moves.size(); i += 2)
    if (!table.move(moves[i], moves[i + 1])) return false;
  return moves.size() % 2 == 0 && table.won();
}

}  // namespace dealsweep::bisley
