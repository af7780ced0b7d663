// Sets of cards in one word.
#pragma once

#include <bit>
#include <cstdint>

#include "../../card.hpp"

namespace dealsweep::bisley {

// Sixteen bits a suit, rank r at bit r. Bits 0, 14 and 15 of a suit stay clear, so that a shift
// or a carry by one never reaches a card of another suit.
using Cells = std::uint64_t;

inline constexpr int kCells = 64;
inline constexpr Cells kLane = 0xffff;

constexpr int cell_of(Card card) { return 16 * suit_of(card) + rank_of(card); }
constexpr Cells bit(int cell) { return Cells{1} << cell; }
constexpr Cells lane_of(int cell) { return kLane << (cell & 48); }

}  // namespace dealsweep::bisley
