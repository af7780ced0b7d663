// The order in which moves are tried: a sum of small integers, and noise that differs from restart
// to restart, more of it early in the game, where a wrong move costs most.
#pragma once

#include "tableau.hpp"

namespace dealsweep::fast_all_in_a_row::DEALSWEEP_VARIANT {

inline constexpr int kHeightScore[5] = {-716, 310, 99, 673, 673};          // of the pile
inline constexpr int kLeftScore[6] = {-307, 908, 1660, 2521, 3200, 4202};  // cards left of the rank played
inline constexpr int kCrossingScore[10] = {-660, -915, -250, -543, 686, 370, -136, -271, -380, -291};
inline constexpr int kMovesScore[6] = {-700, -46, 208, 195, -1, 438};          // the moves that follow
inline constexpr int kTopsScore[6] = {25, -110, -21, 408, 574, 87};            // piles that show the rank
inline constexpr int kLeftUnderScore[6] = {-640, 981, -257, -142, -18, -214};  // of the rank uncovered
inline constexpr int kAdjacentScore = -193;  // the uncovered card can follow
inline constexpr int kFreshScore = 543;      // its rank is shown by no other pile

// The width of the noise with `left` cards left.
constexpr u32 noise_width(int left) {
  const int early = left > 37 ? left - 37 : 0;
  return static_cast<u32>(405 * (1500 + 320 * early) / 1500);
}

// A linear congruential generator (Knuth's constants), seeded by the deal's own board.
struct Noise {
  u64 state = 0;

  u32 below(u32 width) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<u32>((state >> 32) * width >> 32);
  }
};

inline u64 hash_of(const Layout& layout) {
  u64 hash = 0xcbf29ce484222325u;
  for (const u64 places : layout.of_rank) {
    hash = (hash ^ places) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  return hash;
}

}  // namespace dealsweep::fast_all_in_a_row::DEALSWEEP_VARIANT
