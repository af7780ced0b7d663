// Random boards of the Perseverance family, small enough for the oracle.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "board.hpp"
#include "random.hpp"

namespace dealsweep {

struct Small {
  int ranks, suits, pile_size;
};

// The highest `ranks` of so many suits, dealt at random; all lower cards are on the foundations.
inline Board small_board(Small deck, MersenneTwister& random) {
  std::vector<Card> cards;
  Board board;
  for (int suit = 0; suit < kSuits; ++suit) {
    const int ranks = suit < deck.suits ? deck.ranks : 0;
    if (ranks < kRanks) board.add_foundation(make_card(kRanks - ranks, suit));
    for (int rank = kRanks - ranks + 1; rank <= kRanks; ++rank) cards.push_back(make_card(rank, suit));
  }
  for (int k = static_cast<int>(cards.size()) - 1; k > 0; --k) std::swap(cards[k], cards[random.pick(k)]);
  for (std::size_t i = 0; i < cards.size(); i += deck.pile_size)
    board.add_pile({cards.data() + i, std::min<std::size_t>(deck.pile_size, cards.size() - i)});
  return board;
}

}  // namespace dealsweep
