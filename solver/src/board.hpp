// A board as the games lay it out: piles bottom card first, foundations, stock.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <stdexcept>

#include "card.hpp"

namespace dealsweep {

// Plain data, copied by value. All cards stand in one array: pile 0 bottom to top, pile 1, ...,
// then the stock in the order it is dealt.
struct Board {
  static constexpr int kMaxPiles = 17;
  static constexpr int kMaxCards = 64;

  std::array<Card, kMaxCards> cards{};
  std::array<std::uint8_t, kMaxPiles + 1> start{};  // pile p is cards[start[p] .. start[p+1])
  std::uint8_t pile_count = 0;
  std::uint8_t stock_count = 0;
  std::array<Card, kSuits> foundations{};  // the top card of each foundation that is not empty
  std::uint8_t foundation_count = 0;

  std::span<const Card> pile(int p) const {
    return {cards.data() + start[p], static_cast<std::size_t>(start[p + 1] - start[p])};
  }
  std::span<const Card> stock() const { return {cards.data() + start[pile_count], stock_count}; }
  int height(int p) const { return start[p + 1] - start[p]; }

  // Appends a pile; piles come before the stock.
  void add_pile(std::span<const Card> pile) {
    if (pile_count == kMaxPiles) throw std::invalid_argument("a board holds at most 17 piles");
    append(pile, start[pile_count]);
    start[pile_count + 1] = static_cast<std::uint8_t>(start[pile_count] + pile.size());
    ++pile_count;
  }
  void set_stock(std::span<const Card> stock) {
    append(stock, start[pile_count]);
    stock_count = static_cast<std::uint8_t>(stock.size());
  }
  void add_foundation(Card top) {
    if (foundation_count == kSuits) throw std::invalid_argument("a board holds at most 4 foundations");
    foundations[foundation_count++] = top;
  }

 private:
  void append(std::span<const Card> from, int at) {
    if (at + from.size() > kMaxCards) throw std::invalid_argument("a board holds at most 64 cards");
    for (std::size_t i = 0; i < from.size(); ++i) cards[at + i] = from[i];
  }
};

// Deals `cards` to `piles` piles in turn: card i goes to pile i mod piles.
inline void deal_in_turn(Board& board, std::span<const Card> cards, int piles) {
  for (int p = 0; p < piles; ++p) {
    std::array<Card, Board::kMaxCards> pile;
    std::size_t n = 0;
    for (std::size_t i = p; i < cards.size(); i += piles) pile[n++] = cards[i];
    board.add_pile({pile.data(), n});
  }
}

}  // namespace dealsweep
