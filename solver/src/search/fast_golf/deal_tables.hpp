// What the search looks up for one deal: the bound's sums, the tops of the piles, the stock ahead.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include "hall_bound.hpp"
#include "height_vectors.hpp"

namespace dealsweep::fast_golf {

// The lane of a rank is rank-1; the least number of stock cards taken, or kNever.
inline constexpr std::uint8_t kNever = 255;
inline constexpr std::uint8_t kNoLane = 15;  // the lane read for an empty pile: always kNever

// to = a + b, byte by byte, eight at a time: a carry out of a byte is kept from the next one.
template <int kWidth>
inline void add(std::int8_t* to, const std::int8_t* a, const std::int8_t* b) {
  constexpr std::uint64_t kLow7 = 0x7f7f7f7f7f7f7f7f;
  for (int i = 0; i < kWidth; i += 8) {
    std::uint64_t x, y;
    std::memcpy(&x, a + i, 8);
    std::memcpy(&y, b + i, 8);
    x = ((x & kLow7) + (y & kLow7)) ^ ((x ^ y) & ~kLow7);
    std::memcpy(to + i, &x, 8);
  }
}

// The tops of a vector's piles: byte p is the lane of pile p's top card, or kNoLane; byte 7 has a bit
// for each pile that holds exactly one card.
struct Tops {
  std::uint64_t bytes;

  int lane(int pile) const { return static_cast<int>(bytes >> (8 * pile) & 255); }
  unsigned singles() const { return static_cast<unsigned>(bytes >> 56); }
};

// What adds up over piles, for one part of them.
template <int kWidth, int kPart>
struct PartTables {
  static constexpr std::uint32_t kSize = kPartSize[kPart];
  alignas(32) std::int8_t need[kSize][kWidth];  // the bound's left side
  std::uint64_t tops[kSize];
  std::uint16_t playable[kSize];  // the lanes that one of the tops may be played on

  // Rows in rising order: row v + place*h is row v plus the lowest h cards of a pile.
  void build(const Board& board, const RunWeights<kWidth>& weights) {
    constexpr int kFirst = kPartPiles[kPart], kEnd = kPartPiles[kPart + 1];
    std::memset(need[0], 0, kWidth);
    tops[0] = 0;
    playable[0] = 0;
    for (int p = kFirst; p < kEnd; ++p) tops[0] |= std::uint64_t{kNoLane} << (8 * p);
    std::uint32_t place = 1;
    for (int p = kFirst; p < kEnd; ++p, place *= kRadix) {
      const int height = p < board.pile_count ? board.height(p) : 0;
      for (int h = 1; h <= height; ++h) {
        const int lane = rank_of(board.pile(p)[h - 1]) - 1;
        const std::uint64_t bits = std::uint64_t(lane ^ kNoLane) << (8 * p) | std::uint64_t(h == 1)
                                                                                  << (56 + p);
        const std::int8_t* weight = weights.tableau[lane];
        for (std::uint32_t v = 0; v < place; ++v) {
          const std::uint32_t to = v + place * h, from = to - place;
          add<kWidth>(need[to], need[from], weight);
          tops[to] = tops[v] ^ bits;
          playable[to] = playable[v] | weights.covers[lane];
        }
      }
    }
  }
};

template <int kWidth>
struct DealTables {
  PartTables<kWidth, 0> low;
  PartTables<kWidth, 1> middle;
  PartTables<kWidth, 2> high;
  // The bound's right side is a sum: by stock cards taken, and by the foundation's lane.
  alignas(32) std::int8_t stock_left[kMostStock + 1][kWidth];
  alignas(32) std::int8_t foundation[kRanks][kWidth];
  // after[s][lane]: stock cards taken when the first card past s of that rank is dealt, or kNever.
  alignas(16) std::uint8_t after[kMostStock + 1][16];

  void build(const Board& board, const RunWeights<kWidth>& weights) {
    low.build(board, weights);
    middle.build(board, weights);
    high.build(board, weights);
    build_stock(board, weights);
  }

  Tops tops(const PartIndex& at) const {
    return {low.tops[at.part[0]] | middle.tops[at.part[1]] | high.tops[at.part[2]]};
  }

  unsigned playable(const PartIndex& at) const {
    return low.playable[at.part[0]] | middle.playable[at.part[1]] | high.playable[at.part[2]];
  }

 private:
  void build_stock(const Board& board, const RunWeights<kWidth>& weights) {
    std::memcpy(foundation, weights.predecessor, sizeof foundation);
    const int stock = board.stock_count;
    std::memset(stock_left[stock], 0, kWidth);
    std::memset(after[stock], kNever, 16);
    for (int s = stock; s > 0; --s) {
      const int lane = rank_of(board.stock()[s - 1]) - 1;
      add<kWidth>(stock_left[s - 1], stock_left[s], weights.predecessor[lane]);
      std::memcpy(after[s - 1], after[s], 16);
      after[s - 1][lane] = static_cast<std::uint8_t>(s);
    }
  }
};

}  // namespace dealsweep::fast_golf
