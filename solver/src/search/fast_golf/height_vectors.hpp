// The tableau of Golf as a number: the heights of seven piles, digits of base 6, the first three apart.
#pragma once

#include <array>
#include <cstdint>

#include "../../game.hpp"

namespace dealsweep::fast_golf {

inline constexpr int kPiles = 7, kHeight = 5, kRadix = kHeight + 1;
inline constexpr std::uint32_t kVectors = 279936;  // 6^7
// Tables over whole vectors would be large: what adds up over piles is kept for three parts of them.
// The first has eight bits of its own, as taking a vector apart by divisions takes long.
inline constexpr int kParts = 3;
inline constexpr std::array<int, kParts + 1> kPartPiles{0, 3, 5, 7};
inline constexpr std::array<std::uint32_t, kParts> kPartSize{216, 36, 36};
inline constexpr std::array<std::uint32_t, kPiles> kPlace{1, 6, 36, 256, 256 * 6, 256 * 36, 256 * 216};
inline constexpr std::uint32_t kVectorsEnd = 256 * 1296;  // all are below

struct PartIndex {
  std::uint32_t part[kParts];

  explicit PartIndex(std::uint32_t vector)
      : part{vector % 256, vector / 256 % kPartSize[1], vector / 256 / kPartSize[1]} {}
};

inline constexpr int kMostCards = kPiles * kHeight;
inline constexpr int kMostStock = kDeckSize;

inline int height_of(std::uint32_t vector, int pile) {
  const std::uint32_t part = pile < kPartPiles[1] ? vector % 256 : vector;
  return static_cast<int>(part / kPlace[pile] % kRadix);
}

inline int cards_of(std::uint32_t vector) {
  int cards = 0;
  for (int pile = 0; pile < kPiles; ++pile) cards += height_of(vector, pile);
  return cards;
}

// The vector of a board's piles. Throws BadRequest where the board is no Golf tableau.
inline std::uint32_t vector_of(const Board& board) {
  if (board.pile_count > kPiles) throw BadRequest("Golf has at most 7 piles");
  if (board.stock_count > kMostStock) throw BadRequest("a stock holds at most 52 cards");
  std::uint32_t vector = 0;
  for (int p = 0; p < board.pile_count; ++p) {
    if (board.height(p) > kHeight) throw BadRequest("a pile of Golf holds at most 5 cards");
    vector += kPlace[p] * static_cast<std::uint32_t>(board.height(p));
  }
  return vector;
}

}  // namespace dealsweep::fast_golf
