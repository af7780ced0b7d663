// What the AVX2 path looks up: the effect of four cards, by which of them are alike.
#pragma once

#include <array>
#include <cstdint>

#include "four.hpp"

namespace dealsweep::motion {

// For two fours side by side, by their likeness: where their cards go.
struct alignas(64) PairOfFours {
  std::array<std::uint8_t, 32> order;   // for a byte shuffle: pile p's cards first in the p-th eight bytes
  std::array<std::uint64_t, 4> counts;  // how many cards go to each pile
};

inline constexpr auto kPairsOfFours = [] {
  constexpr std::uint8_t kNothing = 0x80;
  std::array<PairOfFours, 256> table{};
  for (Alike a = 0; a < 64; ++a)
    for (Alike b = 0; b < 64; ++b) {
      if (!possible(a) || !possible(b)) continue;
      PairOfFours& entry = table[dense(a) + 16 * dense(b)];
      entry.order.fill(kNothing);
      entry.counts.fill(0);
      for (int card = 0; card < 8; ++card) {
        const Alike pairs = card < 4 ? a : b;
        if (pairs == kAllAlike) continue;  // discarded as dealt
        const int pile = destination(pairs, card % 4);
        entry.order[8 * pile + entry.counts[pile]++] = static_cast<std::uint8_t>(card);
      }
    }
  return table;
}();

}  // namespace dealsweep::motion
