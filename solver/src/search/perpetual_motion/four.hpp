// What four cards in a row say: which are alike, and where each one goes.
#pragma once

#include <array>
#include <cstdint>

namespace dealsweep::motion {

// The six pairs of four cards, in the order of the bits of `Alike`.
inline constexpr std::array<std::array<int, 2>, 6> kPairs{{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};

using Alike = unsigned;  // bit i: the two cards of kPairs[i] are equal

inline constexpr Alike kAllAlike = 63;

template <typename Rank>
Alike alike(Rank a, Rank b, Rank c, Rank d) {
  return static_cast<Alike>(a == b) | static_cast<Alike>(a == c) << 1 | static_cast<Alike>(a == d) << 2 |
         static_cast<Alike>(b == c) << 3 | static_cast<Alike>(b == d) << 4 | static_cast<Alike>(c == d) << 5;
}

// Card i of four goes to the first card that equals it, itself if there is none before.
constexpr int destination(Alike pairs, int card) {
  for (int p = 0; p < 6; ++p)
    if (kPairs[p][1] == card && (pairs >> p & 1)) return kPairs[p][0];
  return card;
}

inline constexpr auto kDestinations = [] {
  std::array<std::array<std::uint8_t, 4>, 64> table{};
  for (Alike pairs = 0; pairs < 64; ++pairs)
    for (int card = 0; card < 4; ++card) table[pairs][card] = static_cast<std::uint8_t>(destination(pairs, card));
  return table;
}();

}  // namespace dealsweep::motion
