// What four cards in a row say: which are alike, and where each one goes.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace dealsweep::motion {

// The six pairs of four cards, in the order of the bits of `Alike`.
inline constexpr std::array<std::array<int, 2>, 6> kPairs{{{0, 1}, {1, 2}, {2, 3}, {0, 3}, {0, 2}, {1, 3}}};

using Alike = unsigned;  // bit i: the two cards of kPairs[i] are equal

inline constexpr Alike kAllAlike = 63;

// Four cards in the bytes of a word, card 0 lowest; each below 128. Six differences side by side; 128 less
// a difference keeps its top bit just where the difference is zero, and borrows from no neighbour. Not zero
// if any two are equal. All without branches, which nothing could predict here.
inline std::uint64_t equal_pairs(std::uint32_t four) {
  constexpr std::uint64_t kTops = 0x8080'8080'8080;
  const std::uint64_t differences = (four ^ std::rotr(four, 8)) | std::uint64_t{(four ^ four >> 16) & 0xffff}
                                                                      << 32;
  return (kTops - differences) & kTops;
}

// The product gathers the six top bits.
inline Alike gathered(std::uint64_t equal) {
  return static_cast<Alike>((equal >> 7) * 0x0001'0204'0810'2040 >> 48 & 63);
}

inline Alike alike(std::uint32_t four) { return gathered(equal_pairs(four)); }

// Card i of four goes to the first card that equals it, itself if there is none before.
constexpr int destination(Alike pairs, int card) {
  int first = card;
  for (int p = 0; p < 6; ++p)
    if (kPairs[p][1] == card && (pairs >> p & 1) && kPairs[p][0] < first) first = kPairs[p][0];
  return first;
}

// How many of four cards go to each place: byte p is the number of cards whose destination is p.
constexpr std::uint32_t counts_of(Alike pairs) {
  std::uint32_t counts = 0;
  for (int card = 0; card < 4; ++card) counts += 1u << (8 * destination(pairs, card));
  return counts;
}

inline constexpr auto kCounts = [] {
  std::array<std::uint32_t, 64> table{};
  for (Alike pairs = 0; pairs < 64; ++pairs) table[pairs] = counts_of(pairs);
  return table;
}();

// The six pairs, weighed so that the sums of the 15 possible likenesses differ modulo 16.
inline constexpr std::array<int, 6> kWeights{1, 2, 12, 8, 3, 11};

constexpr int dense(Alike pairs) {
  int sum = 0;
  for (int p = 0; p < 6; ++p)
    if (pairs >> p & 1) sum += kWeights[p];
  return sum % 16;
}

// Whether equality is transitive here: four cards can be alike in this way.
constexpr bool possible(Alike pairs) {
  std::array<int, 4> first{};
  for (int card = 0; card < 4; ++card) first[card] = destination(pairs, card);
  for (int p = 0; p < 6; ++p)
    if ((pairs >> p & 1) != (first[kPairs[p][0]] == first[kPairs[p][1]])) return false;
  return true;
}

}  // namespace dealsweep::motion
