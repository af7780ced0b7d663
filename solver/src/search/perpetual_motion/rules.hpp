// The switches of Perpetual Motion, and the stock that every pass maps to the next.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "../../card.hpp"

namespace dealsweep::motion {

struct Rules {
  bool recursive = true;       // cards uncovered by a move are looked at again
  bool pile4 = false;          // four alike on top of one pile go too, not only four alike as dealt
  bool right = false;          // equal tops go to the rightmost of their piles, not the leftmost
  bool last_first = false;     // piles are joined 4, 3, 2, 1: pile 4 is dealt first in the next pass
  bool top_to_bottom = false;  // each pile is turned over as it is joined

  bool operator==(const Rules&) const = default;
};

// Ranks 1..13 in dealing order. Suits are left out: a pass reads ranks only, and suits never decide
// a verdict either. Where ranks repeat, the same moves repeat for ever without a discard; and
// a pass without a discard permutes the cards, so the cards themselves repeat in the end.
struct Stock {
  static constexpr int kMost = 64;

  std::array<std::uint8_t, 2 * kMost> rank;  // room behind the cards, for careless copies
  int count = 0;

  bool operator==(const Stock& other) const {
    return count == other.count && std::memcmp(rank.data(), other.rank.data(), 4) == 0 &&
           std::memcmp(rank.data(), other.rank.data(), count) == 0;
  }
};

// A division for each card would be too much.
inline constexpr auto kRankOf = [] {
  std::array<std::uint8_t, 256> ranks{};
  for (int card = 0; card < 256; ++card)
    ranks[card] = static_cast<std::uint8_t>(rank_of(static_cast<Card>(card)));
  return ranks;
}();

inline Stock to_stock(std::span<const Card> cards) {
  Stock stock;
  for (std::size_t i = 0; i < cards.size(); ++i) stock.rank[i] = kRankOf[cards[i]];
  stock.count = static_cast<int>(cards.size());
  return stock;
}

}  // namespace dealsweep::motion
