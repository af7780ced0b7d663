// How the reference search packs the states of each game.
//
// The index of a state names it completely:
//     group << 16 | rank of the foundation (0: empty) << 12 | local heights
// The local heights are those of the first piles, the group the heights of the others and the
// stock cards taken; both are numbers of the game's radix. States that differ in a move or two
// are mostly in one group, which is what keeps the seen table in the caches.
//
// Moves are masks with one bit a pile. The heights word has the height of a pile at its bit.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "../../game.hpp"

namespace dealsweep {

// 2 bits a pile; heights and index are one word, as radix 4 is two bits.
struct BlackHoleShape {
  static constexpr int kPiles = 17, kHeight = 3, kStock = 0;
  static constexpr int kLocalPiles = 6, kHeightBits = 2;
  static constexpr bool kOneWord = true;
  static constexpr std::uint32_t kGroups = 1u << 22;
  static constexpr int bit(int pile) { return pile < kLocalPiles ? 2 * pile : 2 * pile + 4; }
};

struct AllInARowShape {
  static constexpr int kPiles = 13, kHeight = 4, kStock = 0;
  static constexpr int kLocalPiles = 5, kHeightBits = 3;
  static constexpr bool kOneWord = false;
  static constexpr std::uint32_t kGroups = 390'625;  // 5^8
  static constexpr int bit(int pile) { return 3 * pile; }
};

// Bit 0 of a mask is the next stock card; the cards taken are counted above the heights.
struct GolfShape {
  static constexpr int kPiles = 7, kHeight = 5, kStock = 16;
  static constexpr int kLocalPiles = 4, kHeightBits = 3;
  static constexpr bool kOneWord = false;
  static constexpr std::uint32_t kGroups = 216 * 17;  // 6^3, stock cards taken 0..16
  static constexpr int bit(int pile) { return 3 * pile + 1; }
};

namespace reference {

inline constexpr std::uint64_t kStockBit = 1;
inline constexpr int kTakenShift = 24;  // in the heights word
inline constexpr int kRankShift = 12, kGroupShift = 16;
inline constexpr std::uint64_t kRankField = 0xf000;

template <typename Shape>
constexpr std::uint64_t power(int exponent) {
  std::uint64_t value = 1;
  for (; exponent > 0; --exponent) value *= Shape::kHeight + 1;
  return value;
}

// What one card of `pile` adds to the index.
template <typename Shape>
constexpr std::uint64_t index_step(int pile) {
  return pile < Shape::kLocalPiles ? power<Shape>(pile)
                                   : power<Shape>(pile - Shape::kLocalPiles) << kGroupShift;
}

// What one stock card taken adds to the index.
template <typename Shape>
inline constexpr std::uint64_t kIndexOfStock =
    power<Shape>(Shape::kPiles - Shape::kLocalPiles) << kGroupShift;

// One bit at the lowest bit of every pile.
template <typename Shape>
constexpr std::uint64_t every_pile() {
  std::uint64_t mask = 0;
  for (int p = 0; p < Shape::kPiles; ++p) mask |= std::uint64_t{1} << Shape::bit(p);
  return mask;
}

// Refuses a board that the packed state does not hold, saying what it holds. Throws BadRequest.
template <typename Shape>
void check_fits(const Board& board) {
  const auto refuse = [](const char* what, int held, int found) {
    throw BadRequest("the reference search of this game holds at most " + std::to_string(held) + " " + what +
                     ", not " + std::to_string(found));
  };
  if (board.pile_count > Shape::kPiles) refuse("piles", Shape::kPiles, board.pile_count);
  for (int p = 0; p < board.pile_count; ++p)
    if (board.height(p) > Shape::kHeight) refuse("cards in a pile", Shape::kHeight, board.height(p));
  if (board.stock_count > Shape::kStock) refuse("cards in the stock", Shape::kStock, board.stock_count);
  if (board.foundation_count > 1) refuse("foundations", 1, board.foundation_count);
}

}  // namespace reference
}  // namespace dealsweep
