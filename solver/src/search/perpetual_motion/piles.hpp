// A pass on four piles of bytes, with no instructions but those of every CPU.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "four.hpp"
#include "rules.hpp"

namespace dealsweep::motion::portable {

// What a deal of four or a round of moves does, by how the four cards or tops are alike.
struct alignas(64) Effect {
  std::array<std::int64_t, 4> gain{};  // cards by which each pile grows
  std::uint32_t changed = 0;           // bytes of the tops that become others
};

inline constexpr auto kDeals = [] {
  std::array<Effect, 64> table{};
  for (Alike pairs = 0; pairs < kAllAlike; ++pairs)  // four alike are discarded
    for (int p = 0; p < 4; ++p) {
      const std::uint32_t count = counts_of(pairs) >> (8 * p) & 0xff;
      table[pairs].gain[p] = count;
      if (count != 0) table[pairs].changed |= 0xffu << (8 * p);
    }
  return table;
}();

// Every top is lifted, and laid down where it belongs.
inline constexpr auto kMoves = [] {
  std::array<Effect, 64> table{};
  for (Alike pairs = 0; pairs < 64; ++pairs)
    for (int p = 0; p < 4; ++p) {
      const std::uint32_t count = counts_of(pairs) >> (8 * p) & 0xff;
      table[pairs].gain[p] = static_cast<std::int64_t>(count) - 1;
      if (count == 0) table[pairs].changed |= 0xffu << (8 * p);
    }
  return table;
}();

// Per four of a stock, the place of its entry in kDeals. Reads whole vectors.
template <bool right>
void find_deals(const std::uint8_t* stock, int count, std::uint32_t* deals) {
  using Bytes = std::uint8_t __attribute__((vector_size(16)));
  using Words = std::uint32_t __attribute__((vector_size(16)));
  // Bits of the pairs (0,1), (1,2), (2,3), (0,3) and (0,2), (1,3); for piles on the right those of the
  // mirror.
  constexpr Words kNext = Words{} + (right ? 0x08'01'02'04u : 0x08'04'02'01u);
  constexpr Words kOver = Words{} + (right ? 0x10'20u : 0x20'10u);
  static_assert(sizeof(Effect) == 64);
  for (int at = 0; at < count; at += 16, deals += 4) {
    Words x;
    std::memcpy(&x, stock + at, 16);
    const auto equal = [x](Words y) {
      return reinterpret_cast<Words>(reinterpret_cast<Bytes>(x) == reinterpret_cast<Bytes>(y));
    };
    Words pairs = (equal(x >> 8 | x << 24) & kNext) | (equal(x >> 16) & kOver);
    pairs |= pairs >> 16;
    pairs |= pairs >> 8;
    pairs = (pairs & 63u) << 6;
    std::memcpy(deals, &pairs, 16);
  }
}

// The piles are remembered as the places where their next cards go. What goes to a pile together is equal:
// four copies of a card are written and as many count as are meant. Below each pile lies a mark, different
// from the others, so that an empty pile equals nothing, and something else below the mark, so that an empty
// pile has no run either.
//
// The four tops are kept in a word as well. A deal changes it without looking at the piles, so that the CPU
// need not wait for a card to be written before it knows whether the next deal has cards to move; and what
// lies below the tops is read before it is known which of them move.
template <bool recursive, bool pile4, bool right>
class Piles {
 public:
  static constexpr std::size_t kLanes = 4;

  Piles() {
    std::memset(cards_, 0, sizeof cards_);
    for (int p = 0; p < 4; ++p) cards_[p][kBottom - 1] = static_cast<std::uint8_t>(kMarks >> (8 * p));
  }

  // Deals a stock of `count` cards, which has room for vectors behind it.
  [[gnu::noinline]] void play(const std::uint8_t* stock, int count, std::uint8_t*) {
    alignas(16) std::array<std::uint32_t, Stock::kMost / 4> deals;
    find_deals<right>(stock, count, deals.data());
    Ends ends{cards_[0] + kBottom, cards_[1] + kBottom, cards_[2] + kBottom, cards_[3] + kBottom};
    std::uint32_t tops = kMarks;
    const std::uint32_t* deal = deals.data();
    for (const std::uint8_t *card = stock, *end = stock + count; card != end; card += 4, ++deal) {
      std::uint32_t four = word(card);
      // To the right is to the left in a mirror: the four cards and the piles change sides.
      if constexpr (right) four = __builtin_bswap32(four);
      const char* const effects = reinterpret_cast<const char*>(kDeals.data());
      const Effect& effect = *reinterpret_cast<const Effect*>(effects + *deal);
      ends.push(four, effect);
      if constexpr (recursive) {
        tops ^= (tops ^ four) & effect.changed;
        cascade(ends, tops);
      }
      if constexpr (pile4)
        while (ends.discard_runs() && recursive) {
          tops = ends.tops(1);
          cascade(ends, tops);
        }
    }
    ends_ = {ends.end0, ends.end1, ends.end2, ends.end3};
  }

  // The next stock, to `out`; the number of its cards. Copies more than there is, which is faster than to
  // count: what is too much is written over.
  int finish(const Rules& rules, std::uint8_t* out) const {
    std::uint8_t* to = out;
    const int first = rules.last_first != right ? 3 : 0;
    for (int i = 0; i < 4; ++i) {
      const std::uint8_t *bottom = cards_[i ^ first] + kBottom, *end = ends_[i ^ first];
      std::memcpy(to, bottom, 32);
      if (end - bottom > 32) [[unlikely]]
        std::memcpy(to + 32, bottom + 32, 32);
      if (rules.top_to_bottom) std::reverse_copy(bottom, end, to);
      to += end - bottom;
    }
    return static_cast<int>(to - out);
  }

 private:
  static constexpr int kBottom = 16;
  static constexpr std::uint32_t kMarks = 0x67'66'65'64;

  static std::uint32_t word(const std::uint8_t* at) {
    std::uint32_t word;
    std::memcpy(&word, at, 4);
    return word;
  }

  // Where the next cards go; apart from the cards, so that they live in registers.
  struct Ends {
    std::uint8_t *end0, *end1, *end2, *end3;

    void push(std::uint32_t four, const Effect& effect) {
      put(end0, four), put(end1, four >> 8), put(end2, four >> 16);
      *end3 = static_cast<std::uint8_t>(four >> 24);  // never more than one card
      end0 += effect.gain[0], end1 += effect.gain[1], end2 += effect.gain[2], end3 += effect.gain[3];
      // In general registers: a compiler that adds two at once has to take them apart for every use.
      __asm__("" : "+r"(end0), "+r"(end1), "+r"(end2), "+r"(end3));
    }

    static void put(std::uint8_t* end, std::uint32_t card) {
      const std::uint32_t copies = (card & 0xff) * 0x01010101u;
      std::memcpy(end, &copies, 4);
    }

    // The top cards, or the cards below them.
    std::uint32_t tops(int depth) const {
      return end0[-depth] | end1[-depth] << 8 | end2[-depth] << 16 |
             static_cast<std::uint32_t>(end3[-depth]) << 24;
    }

    // Takes four equal cards off the top of each pile that has them; true if any pile had.
    bool discard_runs() {
      const int run0 = run(end0), run1 = run(end1), run2 = run(end2), run3 = run(end3);
      end0 -= run0, end1 -= run1, end2 -= run2, end3 -= run3;
      return run0 + run1 + run2 + run3 != 0;
    }

    // 4 if the four topmost cards are equal, else 0.
    static int run(const std::uint8_t* end) {
      return 4 * (end[-1] == end[-2] && end[-1] == end[-3] && end[-1] == end[-4]);
    }
  };

  // All moves between equal tops, until no two tops are equal. Those of one round are made together:
  // their targets are not moved themselves, so they are single moves in some order, and which of
  // several single moves comes first makes no difference in the end.
  static void cascade(Ends& ends, std::uint32_t& tops) {
    for (std::uint64_t equal; (equal = equal_pairs(tops)) != 0;) {
      const std::uint32_t below = ends.tops(2);
      const Effect& effect = kMoves[gathered(equal)];
      ends.push(tops, effect);
      tops ^= (tops ^ below) & effect.changed;
    }
  }

  std::uint8_t cards_[4][kBottom + Stock::kMost + 48];  // with room for careless copies
  std::array<std::uint8_t*, 4> ends_{};
};

}  // namespace dealsweep::motion::portable
