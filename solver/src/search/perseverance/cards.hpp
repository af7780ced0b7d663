// Cards as bits, and the rules that the searches of the Perseverance family tell apart.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "../../card.hpp"

namespace dealsweep::perseverance {

// A set of cards, 16 bits a suit: the king is bit 0 of its lane, the ace bit 12, bits 13..15 stay
// clear. The card one rank higher of the suit (the parent) is `>> 1`, the one lower `<< 1`.
using Mask = std::uint64_t;
// A card as its bit's number.
using Bit = std::uint8_t;

inline constexpr Mask kAll = 0x1fff'1fff'1fff'1fffu;
inline constexpr Mask kAces = 0x1000'1000'1000'1000u;

constexpr Bit bit_of(Card card) { return static_cast<Bit>(16 * suit_of(card) + kRanks - rank_of(card)); }
constexpr Card card_of(Bit bit) { return make_card(kRanks - bit % 16, bit / 16); }
constexpr Mask mask_of(int bit) { return Mask{1} << bit; }
// std::popcount without the instruction is a call.
constexpr int count(Mask set) {
  set -= set >> 1 & 0x5555'5555'5555'5555u;
  set = (set & 0x3333'3333'3333'3333u) + (set >> 2 & 0x3333'3333'3333'3333u);
  return static_cast<int>(((set + (set >> 4)) & 0x0f0f'0f0f'0f0f'0f0fu) * 0x0101'0101'0101'0101u >> 56);
}
constexpr Mask lane_of(Mask card) { return Mask{0x1fff} << (std::countr_zero(card) & 48); }
// The lowest card of each suit that is not in `up`, where `up` holds the lowest cards of each suit.
constexpr Mask next_of(Mask up) { return (up >> 1 | kAces) & ~up & kAll; }

inline constexpr unsigned kUnlimited = ~0u;

struct Rules {
  bool top_first = false;  // pick-up of each pile from its top, else from its bottom
  bool single = false;     // one card moves at a time, else the whole run
  bool exhausted = false;  // redeal only when nothing can move, else at any time
  unsigned redeals = 2;    // kUnlimited for no bound
  int pile_size = 4;       // cards a pile at a redeal

  bool unlimited() const { return redeals == kUnlimited; }
};

constexpr unsigned one_less(unsigned redeals) { return redeals == kUnlimited ? redeals : redeals - 1; }

// The cards in pick-up order: pile by pile, each bottom to top, or top to bottom under top-first.
struct Sequence {
  // Room behind the cards, for careless writes.
  static constexpr int kRoom = 56;

  std::uint8_t size = 0;
  std::array<Bit, kRoom> cards;

  void add(int bit) { cards[size++] = static_cast<Bit>(bit); }
  Mask mask() const {
    Mask set = 0;
    for (int i = 0; i < size; ++i) set |= mask_of(cards[i]);
    return set;
  }
  bool operator==(const Sequence& other) const {
    if (size != other.size) return false;
    for (int i = 0; i < size; ++i)
      if (cards[i] != other.cards[i]) return false;
    return true;
  }
};

// Where a sequence is cut into piles: pile p is start[p] .. start[p+1].
struct Cut {
  int count = 0;
  std::array<std::uint8_t, kDeckSize + 1> start{};

  // Piles of `size` cards; the last may be short.
  static Cut even(int cards, int size) {
    Cut cut;
    while (cut.count * size < cards) {
      cut.start[cut.count] = static_cast<std::uint8_t>(cut.count * size);
      ++cut.count;
    }
    cut.start[cut.count] = static_cast<std::uint8_t>(cards);
    return cut;
  }
};

}  // namespace dealsweep::perseverance
