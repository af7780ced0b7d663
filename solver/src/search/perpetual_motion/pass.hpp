// One pass through the stock under any rules, card by card: the plain path, and the oracle of the others.
#pragma once

#include <algorithm>
#include <utility>

#include "four.hpp"
#include "rules.hpp"

namespace dealsweep::motion {

class Piles {
 public:
  // A mark below each pile, different from the others: an empty pile equals nothing.
  Piles() {
    for (int p = 0; p < 4; ++p) pile_[p][0] = static_cast<std::uint8_t>(0xf0 + p);
  }

  std::uint8_t top(int p) const { return pile_[p][height_[p]]; }
  int height(int p) const { return height_[p]; }
  void push(int p, std::uint8_t rank) { pile_[p][++height_[p]] = rank; }
  void move(int from, int to) { push(to, pile_[from][height_[from]--]); }

  // Pushes four cards, each on the pile of the first one it equals.
  void push_joined(const std::uint8_t* four, const std::array<std::uint8_t, 4>& to) {
    for (int i = 0; i < 4; ++i) push(to[i], four[i]);
  }

  // All moves between equal tops, until no two tops are equal. Those of one round are made together:
  // their targets are not moved themselves, so they are single moves in some order, and which of
  // several single moves comes first makes no difference in the end.
  void cascade() {
    while (const Alike pairs = alike(top(0), top(1), top(2), top(3)))
      for (int p = 1; p < 4; ++p)
        if (const int to = kDestinations[pairs][p]; to != p) move(p, to);
  }

  // Takes four equal cards off the top of each pile that has them; true if any pile had.
  bool discard_runs() {
    bool any = false;
    for (int p = 0; p < 4; ++p) {
      const std::uint8_t* last = &pile_[p][height_[p]];
      if (height_[p] < 4 || last[0] != last[-1] || last[0] != last[-2] || last[0] != last[-3]) continue;
      height_[p] -= 4;
      any = true;
    }
    return any;
  }

  void join_to(Stock& stock, bool last_first, bool top_to_bottom) const {
    stock.count = 0;
    for (int i = 0; i < 4; ++i) {
      const int p = last_first ? 3 - i : i;
      const std::uint8_t* bottom = &pile_[p][1];
      std::uint8_t* to = &stock.rank[stock.count];
      if (top_to_bottom)
        std::reverse_copy(bottom, bottom + height_[p], to);
      else
        std::copy_n(bottom, height_[p], to);
      stock.count += height_[p];
    }
  }

 private:
  std::array<std::array<std::uint8_t, Stock::kMost + 1>, 4> pile_;
  std::array<int, 4> height_{};
};

// Plays one pass; `recursive` and `pile4` are those of the rules.
template <bool recursive, bool pile4>
void play_pass(Stock& stock, const Rules& rules) {
  Piles piles;
  for (int at = 0; at < stock.count; at += 4) {
    std::uint8_t four[4];
    std::memcpy(four, &stock.rank[at], 4);
    // To the right is to the left in a mirror: the four cards and the piles change sides.
    if (rules.right) std::reverse(four, four + 4);
    const Alike pairs = alike(four[0], four[1], four[2], four[3]);
    if (pairs == kAllAlike) continue;  // discarded as dealt
    piles.push_joined(four, kDestinations[pairs]);
    if (pairs == 0 && !pile4) continue;
    if constexpr (recursive) piles.cascade();
    if constexpr (pile4)
      while (piles.discard_runs() && recursive) piles.cascade();
  }
  piles.join_to(stock, rules.last_first != rules.right, rules.top_to_bottom);
}

using PlayPass = void (*)(Stock&, const Rules&);

inline PlayPass pass_of(const Rules& rules) {
  if (rules.recursive) return rules.pile4 ? play_pass<true, true> : play_pass<true, false>;
  return rules.pile4 ? play_pass<false, true> : play_pass<false, false>;
}

}  // namespace dealsweep::motion
