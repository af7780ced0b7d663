// One pass through the stock under any rules, card by card: the plain path, and the oracle of the others.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

#include "four.hpp"
#include "rules.hpp"

namespace dealsweep::motion {

// The cards of four piles. A mark lies below each, different from the others, so that an empty pile
// equals nothing, and something else below the mark, so that an empty pile has no run either.
struct Table {
  static constexpr int kBottom = 8;
  static constexpr int kMark = 100;

  Table() {
    for (int p = 0; p < 4; ++p) {
      pile[p][kBottom - 2] = 0;
      pile[p][kBottom - 1] = static_cast<std::uint8_t>(kMark + p);
    }
  }

  std::array<std::array<std::uint8_t, kBottom + Stock::kMost + 8>, 4> pile;
};

// Four piles of ranks, as the places where their next cards go; the cards lie apart, so that a compiler
// may keep the places in registers. What goes to a pile together is equal: a push writes four copies of
// one rank and counts as many as are meant.
class Piles {
 public:
  explicit Piles(Table& table)
      : end0_(&table.pile[0][Table::kBottom]),
        end1_(&table.pile[1][Table::kBottom]),
        end2_(&table.pile[2][Table::kBottom]),
        end3_(&table.pile[3][Table::kBottom]) {}

  // Card p of the four goes to pile p in as many copies as `pairs`, their likeness, sends there.
  void push(std::uint32_t four, Alike pairs) {
    const std::uint32_t counts = kCounts[pairs];
    end0_ = push(end0_, four, counts);
    end1_ = push(end1_, four >> 8, counts >> 8);
    end2_ = push(end2_, four >> 16, counts >> 16);
    end3_ = push(end3_, four >> 24, counts >> 24);
  }

  // All moves between equal tops, until no two tops are equal. Those of one round are made together:
  // their targets are not moved themselves, so they are single moves in some order, and which of
  // several single moves comes first makes no difference in the end.
  void cascade() {
    for (;;) {
      const std::uint32_t tops =
          end0_[-1] | end1_[-1] << 8 | end2_[-1] << 16 | static_cast<std::uint32_t>(end3_[-1]) << 24;
      const Alike pairs = alike(tops);
      if (pairs == 0) return;
      --end0_, --end1_, --end2_, --end3_;  // every top is lifted, and laid down where it belongs
      push(tops, pairs);
    }
  }

  // Takes four equal cards off the top of each pile that has them; true if any pile had.
  bool discard_runs() {
    const std::array<int, 4> runs{run(end0_), run(end1_), run(end2_), run(end3_)};
    end0_ -= runs[0], end1_ -= runs[1], end2_ -= runs[2], end3_ -= runs[3];
    return runs[0] + runs[1] + runs[2] + runs[3] != 0;
  }

  std::array<const std::uint8_t*, 4> ends() const { return {end0_, end1_, end2_, end3_}; }

 private:
  static std::uint8_t* push(std::uint8_t* end, std::uint32_t cards, std::uint32_t counts) {
    const std::uint32_t copies = (cards & 0xff) * 0x01010101u;
    std::memcpy(end, &copies, 4);
    return end + (counts & 0xff);
  }

  // 4 if the four topmost cards are equal, else 0.
  static int run(const std::uint8_t* end) {
    return 4 * (end[-1] == end[-2] && end[-1] == end[-3] && end[-1] == end[-4]);
  }

  std::uint8_t *end0_, *end1_, *end2_, *end3_;
};

inline void join(const Table& table, const Piles& piles, bool last_first, bool top_to_bottom, Stock& stock) {
  const auto ends = piles.ends();
  std::uint8_t* to = stock.rank.data();
  for (int i = 0; i < 4; ++i) {
    const int p = last_first ? 3 - i : i;
    const std::uint8_t *bottom = &table.pile[p][Table::kBottom], *end = ends[p];
    // Copies more than there is, which is faster than to count: what is too much is written over.
    std::memcpy(to, bottom, Stock::kMost);
    if (top_to_bottom) std::reverse_copy(bottom, end, to);
    to += end - bottom;
  }
  stock.count = static_cast<int>(to - stock.rank.data());
}

// Plays one pass; `recursive` and `pile4` are those of the rules.
template <bool recursive, bool pile4>
void play_pass(Stock& stock, const Rules& rules) {
  Table table;
  Piles piles(table);
  for (int at = 0; at < stock.count; at += 4) {
    const std::uint8_t* card = &stock.rank[at];
    std::uint32_t four = card[0] | card[1] << 8 | card[2] << 16 | card[3] << 24;
    // To the right is to the left in a mirror: the four cards and the piles change sides.
    if (rules.right) four = __builtin_bswap32(four);
    const Alike pairs = alike(four);
    if (pairs == kAllAlike) continue;  // discarded as dealt
    piles.push(four, pairs);
    if constexpr (recursive) piles.cascade();
    if constexpr (pile4)
      while (piles.discard_runs() && recursive) piles.cascade();
  }
  join(table, piles, rules.last_first != rules.right, rules.top_to_bottom, stock);
}

using PlayPass = void (*)(Stock&, const Rules&);

inline PlayPass pass_of(const Rules& rules) {
  if (rules.recursive) return rules.pile4 ? play_pass<true, true> : play_pass<true, false>;
  return rules.pile4 ? play_pass<false, true> : play_pass<false, false>;
}

}  // namespace dealsweep::motion
