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

namespace detail {

// Fisher-Yates from the back; the last of the shuffled list is dealt first.
template <typename Generator>
Deck shuffled(Deck deck, Generator generator) {
  for (int k = kDeckSize - 1; k > 0; --k) std::swap(deck[k], deck[generator.pick(k)]);
  std::reverse(deck.begin(), deck.end());
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

inline Deck plain_order() {
  Deck deck;
  for (int card = 0; card < kDeckSize; ++card) deck[card] = static_cast<Card>(card);
  return deck;
}

}  // namespace detail

// The deck of one deal, 1..10^20. Throws std::out_of_range.
inline Deck deal_deck(DealNumber number) {
  if (number == 0 || number > kLastDeal) throw std::out_of_range("deal numbers run from 1 to 10^20");
  if (number <= kLastLcgDeal) return detail::shuffled(detail::lcg_order(), Lcg(static_cast<std::uint32_t>(number)));
  std::array<std::uint32_t, 3> words;
  std::size_t count = 0;
  for (; number != 0; number >>= 32) words[count++] = static_cast<std::uint32_t>(number);
  return detail::shuffled(detail::plain_order(), MersenneTwister({words.data(), count}));
}

// The decks of consecutive deals first, first+1, ..., many at a time. Throws std::out_of_range.
void deal_decks(std::uint64_t first, std::span<Deck> decks);

}  // namespace dealsweep
