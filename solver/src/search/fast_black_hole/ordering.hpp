// The order in which moves are tried: a sum of small integers found by tuning, and noise that
// differs from restart to restart, more of it early in the game, where a wrong move costs most.
#pragma once

#include "walk_test.hpp"

namespace dealsweep::fast_black_hole::DEALSWEEP_VARIANT {

struct Weights {
  int height[4];       // of the pile
  int left[6];         // cards left of the rank that is played
  int crossings[10];   // of the edge that is crossed
  int moves[6];        // the moves that follow
  int tops[6];         // piles that show the rank
  int left_under[6];   // cards left of the rank that is uncovered
  int adjacent;        // the uncovered card can follow
  int fresh;           // the uncovered rank is not shown by another pile
  int noise, noise_slope, noise_from;  // noise * (1 + slope / 1500 * (cards left - from))
};

inline constexpr Weights kForwardWeights{
    {-716, 310, 99, 673},
    {-307, 908, 1660, 2521, 3200, 4202},
    {-660, -915, -250, -543, 686, 370, -136, -271, -380, -291},
    {-700, -46, 208, 195, -1, 438},
    {25, -110, -21, 408, 574, 87},
    {-640, 981, -257, -142, -18, -214},
    -193, 543, 405, 320, 37};

inline constexpr Weights kReverseWeights{
    {11, 493, 548, 673},
    {-562, 1076, 1992, 2453, 3071, 4076},
    {45, -182, -41, -370, 518, 505, -32, 87, 400, -243},
    {-359, -283, 208, 281, -20, -11},
    {551, -5, -87, 165, -9, 214},
    {-271, 310, 0, 0, -18, -449},
    -252, 262, 401, 400, 36};

// The width of the noise with `left` cards left.
constexpr u32 noise_width(const Weights& weights, int left) {
  const int early = left > weights.noise_from ? left - weights.noise_from : 0;
  return static_cast<u32>(weights.noise * (1500 + weights.noise_slope * early) / 1500);
}

// A linear congruential generator (Knuth's constants), seeded by the deal's own board.
struct Noise {
  u64 state = 0;

  u32 below(u32 width) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<u32>((state >> 32) * width >> 32);
  }
};

inline u64 board_hash(const Deal& deal) {
  u64 hash = 0xcbf29ce484222325u ^ deal.foundation;
  for (int p = 0; p < deal.piles; ++p) {
    u64 column = deal.height[p];
    for (int h = 0; h < deal.height[p]; ++h) column = column << 8 | deal.rank[p][h];
    hash = (hash ^ column) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  return hash;
}

}  // namespace dealsweep::fast_black_hole::DEALSWEEP_VARIANT
