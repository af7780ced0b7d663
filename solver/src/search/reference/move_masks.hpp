// Moves of a state by masks: which tops are one rank above the foundation, and which one below.
#pragma once

#include "../golf_rules.hpp"
#include "shapes.hpp"

namespace dealsweep::reference {

// The game of one board as tables: nothing in the search asks the board again.
template <typename Shape>
struct Plan {
  // For one direction: piles whose l-th card has the wanted rank, at the piles' bits. Bits of a
  // height are tested low bit first, so l = 3 and 5 are kept as differences from l = 1.
  struct Tops {
    std::uint64_t at1, at1_or_3, at2, at4, at1_or_5;
  };
  struct alignas(64) Row {  // of a foundation rank
    Tops up{}, down{};
    std::uint64_t up_rank = 0, down_rank = 0;  // the rank a move leaves on the foundation, in its field
  };
  struct BlackHoleTops;

  std::array<Row, kRanks + 1> rows;
  std::array<std::uint64_t, 64> drop{};              // index step of the pile at a bit
  std::array<std::uint64_t, Shape::kStock + 1> stock{};  // ranks in their field, in stock order
  int stock_count = 0;
};

// The state in the search's registers. One word serves where radix and bits agree.
template <typename Shape, bool kOneWord = Shape::kOneWord>
struct State {
  std::uint64_t index = 0;
  std::uint64_t heights_word = 0;

  std::uint64_t heights() const { return heights_word; }
  State without_rank() const { return {index & ~kRankField, heights_word}; }
  // From a state without rank: the pile at `bit` loses its top, and the foundation shows `rank`.
  State play(std::uint64_t bit, std::uint64_t rank, const Plan<Shape>& plan) const {
    return {index + rank - plan.drop[__builtin_ctzll(bit)], heights_word - bit};
  }
  State take_stock(std::uint64_t rank) const {
    return {index + rank + kIndexOfStock<Shape>, heights_word + (std::uint64_t{1} << kTakenShift)};
  }
};

template <typename Shape>
struct State<Shape, true> {
  std::uint64_t index = 0;

  std::uint64_t heights() const { return index; }
  State without_rank() const { return {index & ~kRankField}; }
  State play(std::uint64_t bit, std::uint64_t rank, const Plan<Shape>&) const { return {index + rank - bit}; }
};

template <typename Shape>
int rank_in(State<Shape> state) {
  return static_cast<int>((state.index & kRankField) >> kRankShift);
}

// Whether no card is left in the piles.
template <typename Shape>
bool is_cleared(State<Shape> state) {
  constexpr std::uint64_t kAll = every_pile<Shape>() * ((1u << Shape::kHeightBits) - 1);
  return (state.heights() & kAll) == 0;
}

struct Moves {
  std::uint64_t all, up;
};

template <typename Shape>
std::uint64_t matching(std::uint64_t heights, const typename Plan<Shape>::Tops& tops) {
  constexpr std::uint64_t kEvery = every_pile<Shape>();
  const std::uint64_t bit0 = heights & kEvery, bit1 = heights >> 1 & kEvery;
  std::uint64_t odd = tops.at1 ^ (bit1 & tops.at1_or_3), even = bit1 & tops.at2;
  if constexpr (Shape::kHeight > 3) even |= heights >> 2 & kEvery & tops.at4;
  if constexpr (Shape::kHeight > 4) odd ^= heights >> 2 & kEvery & tops.at1_or_5;
  return (bit0 & odd) | (~bit0 & even);
}

// A state with an empty foundation is the start at most, and is not asked about here.
template <typename Shape>
Moves moves_of(State<Shape> state, const Plan<Shape>& plan) {
  const auto& row = plan.rows[rank_in(state)];
  const std::uint64_t up = matching<Shape>(state.heights(), row.up);
  std::uint64_t all = up | matching<Shape>(state.heights(), row.down);
  if constexpr (Shape::kStock > 0) all |= static_cast<int>(state.heights() >> kTakenShift) < plan.stock_count;
  return {all, up};
}

// The masks of the piles whose l-th card has `rank`.
template <typename Shape>
typename Plan<Shape>::Tops tops_of_rank(const Board& board, int rank) {
  std::array<std::uint64_t, 6> at{};
  for (int p = 0; p < board.pile_count; ++p)
    for (int l = 1; l <= board.height(p); ++l)
      if (rank_of(board.pile(p)[l - 1]) == rank) at[l] |= std::uint64_t{1} << Shape::bit(p);
  return {at[1], at[1] ^ at[3], at[2], at[4], at[1] ^ at[5]};
}

template <typename Shape>
Plan<Shape> plan_of(const Board& board, GolfRules rules) {
  Plan<Shape> plan;
  for (int rank = 1; rank <= kRanks; ++rank) {
    auto& row = plan.rows[rank];
    const int up = rank % kRanks + 1, down = (rank + kRanks - 2) % kRanks + 1;
    if (fits(rank, up, rules)) row.up = tops_of_rank<Shape>(board, up);
    if (fits(rank, down, rules)) row.down = tops_of_rank<Shape>(board, down);
    row.up_rank = std::uint64_t(up) << kRankShift;
    row.down_rank = std::uint64_t(down) << kRankShift;
  }
  for (int p = 0; p < Shape::kPiles; ++p) plan.drop[Shape::bit(p)] = index_step<Shape>(p);
  for (int i = 0; i < board.stock_count; ++i) plan.stock[i] = std::uint64_t(rank_of(board.stock()[i])) << kRankShift;
  plan.stock_count = board.stock_count;
  return plan;
}

// A state from its parts.
template <typename Shape>
State<Shape> pack(std::span<const int> heights, int taken, int rank) {
  State<Shape> state;
  state.index = std::uint64_t(rank) << kRankShift;
  for (std::size_t p = 0; p < heights.size(); ++p) state.index += heights[p] * index_step<Shape>(static_cast<int>(p));
  if constexpr (!Shape::kOneWord) {
    for (std::size_t p = 0; p < heights.size(); ++p)
      state.heights_word += std::uint64_t(heights[p]) << Shape::bit(static_cast<int>(p));
    state.index += taken * kIndexOfStock<Shape>;
    state.heights_word += std::uint64_t(taken) << kTakenShift;
  }
  return state;
}

}  // namespace dealsweep::reference
