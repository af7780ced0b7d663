// Deal numbers to decks, numbered as PySolFC and pysol-cards number them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>

#include "card.hpp"
#include "random.hpp"

namespace dealsweep {

using Deck = std::array<Card, kDeckSize>;  // in dealing order

__extension__ using DealNumber = unsigned __int128;

inline constexpr std::uint64_t kLastLcgDeal = 32000;  // pysol-cards' seam; PySolFC's window puts 32000 beyond it
inline constexpr DealNumber kLastDeal = DealNumber{10'000'000'000} * 10'000'000'000;  // 10^20

// The name of this numbering, for records.
inline constexpr const char* kDealerName = "pysol-cards";

// A deck's size. Card i of it has rank i mod ranks + 1 and suit i / ranks, which is written as one of the four
// suits in turn: the games with other decks than the standard one ignore suits.
struct DeckShape {
  int ranks = kRanks;
  int suits = kSuits;

  constexpr int cards() const { return ranks * suits; }
  constexpr bool is_standard() const { return ranks == kRanks && suits == kSuits; }
};

namespace detail {

// Fisher-Yates from the back; the last of the shuffled list is dealt first. Cards beyond `count` stay.
template <typename Generator>
Deck shuffled(Deck deck, Generator generator, int count = kDeckSize) {
  for (int k = count - 1; k > 0; --k) std::swap(deck[k], deck[generator.pick(k)]);
  std::reverse(deck.begin(), deck.begin() + count);
  return deck;
}

// Before an LCG shuffle the cards lie rank by rank, in Microsoft's suit order C D H S.
inline Deck lcg_order() {
  Deck deck;
  int at = 0;
  for (int rank = 1; rank <= kRanks; ++rank)
    for (int suit : {kClubs, kDiamonds, kHearts, kSpades}) deck[at++] = make_card(rank, suit);
  return deck;
}

inline Deck plain_order(DeckShape shape = {}) {
  Deck deck{};
  for (int i = 0; i < shape.cards(); ++i) deck[i] = make_card(i % shape.ranks + 1, i / shape.ranks % kSuits);
  return deck;
}

}  // namespace detail

// The deck of one deal, 1..10^20: its first shape.cards() cards, at most 52. Only a standard deck is put in
// Microsoft's order before an LCG shuffle, as pysol-cards does it. Throws std::out_of_range.
inline Deck deal_deck(DealNumber number, DeckShape shape = {}) {
  if (number == 0 || number > kLastDeal) throw std::out_of_range("deal numbers run from 1 to 10^20");
  const Deck plain = detail::plain_order(shape);
  if (number <= kLastLcgDeal)
    return detail::shuffled(shape.is_standard() ? detail::lcg_order() : plain,
                            Lcg(static_cast<std::uint32_t>(number)), shape.cards());
  std::array<std::uint32_t, 3> words;
  std::size_t count = 0;
  for (; number != 0; number >>= 32) words[count++] = static_cast<std::uint32_t>(number);
  return detail::shuffled(plain, MersenneTwister({words.data(), count}), shape.cards());
}

// The decks of consecutive deals first, first+1, ..., standard ones many at a time. Throws std::out_of_range.
void deal_decks(std::uint64_t first, std::span<Deck> decks, DeckShape shape = {});

}  // namespace dealsweep
