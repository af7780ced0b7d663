// A card, and the two facts of it that every game asks for.
#pragma once

#include <array>
#include <cstdint>

namespace dealsweep {

// 13*suit + (rank-1), suits in the order C S H D, ranks A..K = 1..13; the ace of spades is 13.
using Card = std::uint8_t;

inline constexpr int kRanks = 13;
inline constexpr int kSuits = 4;
inline constexpr int kDeckSize = kRanks * kSuits;

enum Suit : std::uint8_t { kClubs, kSpades, kHearts, kDiamonds };

constexpr int rank_of(Card card) { return card % kRanks + 1; }
constexpr int suit_of(Card card) { return card / kRanks; }
constexpr Card make_card(int rank, int suit) { return static_cast<Card>(kRanks * suit + rank - 1); }

}  // namespace dealsweep
