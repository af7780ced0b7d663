// Boards for the tests of the Black Hole family: positions met by random play, of whole and of small decks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "board.hpp"
#include "search/golf_rules.hpp"

namespace dealsweep::random_states {

using Random = std::mt19937_64;

inline int below(Random& random, int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); }

// `cards` random cards of a deck of the ranks 1..ranks.
inline std::vector<Card> some_cards(Random& random, int ranks, int cards) {
  std::vector<Card> deck;
  for (int suit = 0; suit < kSuits; ++suit)
    for (int rank = 1; rank <= ranks; ++rank) deck.push_back(make_card(rank, suit));
  std::shuffle(deck.begin(), deck.end(), random);
  deck.resize(std::min<std::size_t>(deck.size(), static_cast<std::size_t>(cards)));
  return deck;
}

inline Board without(const Board& board, const std::vector<int>& heights, int taken, int foundation_card) {
  Board rest;
  for (int p = 0; p < board.pile_count; ++p)
    rest.add_pile(board.pile(p).first(static_cast<std::size_t>(heights[p])));
  rest.set_stock(board.stock().subspan(static_cast<std::size_t>(taken)));
  if (foundation_card >= 0) rest.add_foundation(static_cast<Card>(foundation_card));
  return rest;
}

// The position after up to `moves` random moves; dealing is one of the moves while there is stock.
inline Board after_random_play(const Board& board, GolfRules rules, int moves, Random& random) {
  std::vector<int> heights;
  for (int p = 0; p < board.pile_count; ++p) heights.push_back(board.height(p));
  int taken = 0, foundation = board.foundation_count ? board.foundations[0] : -1;
  for (; moves > 0; --moves) {
    std::vector<int> legal;
    for (int p = 0; p < board.pile_count; ++p)
      if (heights[p] > 0 && fits(foundation < 0 ? 0 : rank_of(static_cast<Card>(foundation)),
                                 rank_of(board.pile(p)[heights[p] - 1]), rules))
        legal.push_back(p);
    if (legal.empty() && taken < board.stock_count) legal.push_back(-1);
    if (legal.empty()) break;
    const int p = legal[below(random, static_cast<int>(legal.size()))];
    foundation = p < 0 ? board.stock()[taken++] : board.pile(p)[--heights[p]];
  }
  return without(board, heights, taken, foundation);
}

}  // namespace dealsweep::random_states
