// Moves of a state by masks: which tops are one rank above the foundation, and which one below.
#pragma once

#include "../golf_rules.hpp"
#include "shapes.hpp"

namespace dealsweep::reference {

// The game of one board as tables: nothing in the search asks the board again.
template <typename Shape>
struct Plan {
  // The piles whose l-th card has a wanted rank, at the piles' bits: [l - 1]. Heights are tested for all
  // piles at once, even ones (2, 4) and what an odd one (1, 3, 5) adds to that, so those for l = 3 and 5
  // are kept as differences, from l = 1 and from l - 1.
  using Tops = std::array<std::uint64_t, Shape::kHeight>;
  struct alignas(64) Row {  // of a foundation rank
    Tops up{}, all{};  // up; up or down
    std::uint64_t up_rank = 0, down_rank = 0;  // the rank a move leaves on the foundation, in its field
  };
  using Rows = std::array<Row, kRanks + 1>;

  Rows rows;
  std::array<std::uint64_t, 64> drop{};              // index step of the pile at a bit
  std::array<std::uint16_t, Shape::kStock + 1> stock{};  // ranks in their field, in stock order
  int stock_count = 0;
};

// The state in the search's registers. One word serves where radix and bits agree.
template <typename Shape, bool kOneWord = Shape::kOneWord>
struct State {
  std::uint64_t index = 0;
  std::uint64_t heights_word = 0;

  [[gnu::always_inline]] std::uint64_t heights() const { return heights_word; }
  [[gnu::always_inline]] State without_rank() const { return {index & ~kRankField, heights_word}; }
  [[gnu::always_inline]] State without_top(std::uint64_t bit, const Plan<Shape>& plan) const {
    return {index - plan.drop[__builtin_ctzll(bit)], heights_word - bit};
  }
  [[gnu::always_inline]] State take_stock(std::uint64_t rank) const {
    return {index + rank + kIndexOfStock<Shape>, heights_word + (std::uint64_t{1} << kTakenShift)};
  }
};

template <typename Shape>
struct State<Shape, true> {
  std::uint64_t index = 0;

  [[gnu::always_inline]] std::uint64_t heights() const { return index; }
  [[gnu::always_inline]] State without_rank() const { return {index & ~kRankField}; }
  [[gnu::always_inline]] State without_top(std::uint64_t bit, const Plan<Shape>&) const {
    return {index - bit};
  }
};

// What a state has beside its index.
template <typename Shape, bool kOneWord = Shape::kOneWord>
struct Heights {
  std::uint64_t word;

  [[gnu::always_inline]] static Heights of(State<Shape> state) { return {state.heights_word}; }
  [[gnu::always_inline]] State<Shape> state(std::uint64_t index) const { return {index, word}; }
};

template <typename Shape>
struct Heights<Shape, true> {
  [[gnu::always_inline]] static Heights of(State<Shape>) { return {}; }
  [[gnu::always_inline]] State<Shape> state(std::uint64_t index) const { return {index}; }
};

template <typename Shape>
[[gnu::always_inline]] inline int rank_in(State<Shape> state) {
  return static_cast<int>((state.index & kRankField) >> kRankShift);
}

// Whether no card is left in the piles.
template <typename Shape>
[[gnu::always_inline]] inline bool is_cleared(State<Shape> state) {
  constexpr std::uint64_t kAll = every_pile<Shape>() * ((1u << Shape::kHeightBits) - 1);
  return (state.heights() & kAll) == 0;
}

// Whether one card is left in the piles, and `moves` plays it.
template <typename Shape>
[[gnu::always_inline]] inline bool is_single_card(State<Shape> without_rank, std::uint64_t moves) {
  std::uint64_t heights = without_rank.heights();
  if constexpr (Shape::kStock > 0) {
    heights &= (std::uint64_t{1} << kTakenShift) - 1;
    moves &= ~kStockBit;
  }
  return heights == moves && (moves & (moves - 1)) == 0;
}

// The row of the foundation's rank, whose field is scaled to its place in one step.
template <typename Shape, typename Rows>
[[gnu::always_inline]] inline const typename Plan<Shape>::Row& row_of(const Rows& rows, State<Shape> state) {
  using Row = typename Plan<Shape>::Row;
  static_assert(sizeof(Row) % 64 == 0);
  const std::uint64_t offset = (state.index & kRankField) * sizeof(Row) >> kRankShift;
  return *reinterpret_cast<const Row*>(reinterpret_cast<const char*>(rows.data()) + offset);
}

// Tops have bits of piles alone, so what lies between the lowest bits of the piles does not count.
template <typename Shape>
[[gnu::always_inline]] inline std::uint64_t matching(std::uint64_t heights,
                                                     const typename Plan<Shape>::Tops& tops) {
  const std::uint64_t bit1 = heights >> 1, bit2 = heights >> 2;
  std::uint64_t even = bit1 & tops[1], odd_or_even = tops[0] ^ (bit1 & tops[2]);
  if constexpr (Shape::kHeight > 3) even ^= bit2 & tops[3];
  if constexpr (Shape::kHeight > 4) odd_or_even ^= bit2 & tops[4];
  return even ^ (heights & odd_or_even);
}

// A state with an empty foundation is the start at most, and is not asked about here.
template <typename Shape>
[[gnu::always_inline]] inline std::uint64_t all_moves(State<Shape> state,
                                                      const typename Plan<Shape>::Row& row,
                                                      const Plan<Shape>& plan) {
  std::uint64_t all = matching<Shape>(state.heights(), row.all);
  if constexpr (Shape::kStock > 0) all |= static_cast<int>(state.heights() >> kTakenShift) < plan.stock_count;
  return all;
}

template <typename Shape>
[[gnu::always_inline]] inline std::uint64_t up_moves(State<Shape> state,
                                                     const typename Plan<Shape>::Row& row) {
  return matching<Shape>(state.heights(), row.up);
}

// The masks of the piles whose l-th card has `rank`.
template <typename Shape>
typename Plan<Shape>::Tops tops_of_rank(const Board& board, int rank) {
  typename Plan<Shape>::Tops tops{};
  for (int p = 0; p < board.pile_count; ++p)
    for (int l = 0; l < board.height(p); ++l)
      if (rank_of(board.pile(p)[l]) == rank) tops[l] |= std::uint64_t{1} << Shape::bit(p);
  for (int l = 2; l < Shape::kHeight; l += 2) tops[l] ^= tops[0] ^ tops[l - 1];
  return tops;
}

template <typename Shape>
Plan<Shape> plan_of(const Board& board, GolfRules rules) {
  Plan<Shape> plan;
  for (int rank = 1; rank <= kRanks; ++rank) {
    auto& row = plan.rows[rank];
    const int up = rank % kRanks + 1, down = (rank + kRanks - 2) % kRanks + 1;
    row.up_rank = static_cast<std::uint64_t>(up) << kRankShift;
    row.down_rank = static_cast<std::uint64_t>(down) << kRankShift;
    if (fits(rank, up, rules)) row.up = tops_of_rank<Shape>(board, up);
    row.all = row.up;
    if (!fits(rank, down, rules)) continue;
    const auto below = tops_of_rank<Shape>(board, down);
    for (int l = 0; l < Shape::kHeight; ++l) row.all[l] ^= below[l];  // no card has both ranks
  }
  for (int p = 0; p < Shape::kPiles; ++p) plan.drop[Shape::bit(p)] = index_step<Shape>(p);
  for (int i = 0; i < board.stock_count; ++i)
    plan.stock[i] = static_cast<std::uint16_t>(rank_of(board.stock()[i]) << kRankShift);
  plan.stock_count = board.stock_count;
  return plan;
}

// A state from its parts.
template <typename Shape>
State<Shape> pack(std::span<const int> heights, int taken, int rank) {
  State<Shape> state;
  state.index = std::uint64_t(rank) << kRankShift;
  for (std::size_t p = 0; p < heights.size(); ++p)
    state.index += heights[p] * index_step<Shape>(static_cast<int>(p));
  if constexpr (!Shape::kOneWord) {
    for (std::size_t p = 0; p < heights.size(); ++p)
      state.heights_word += std::uint64_t(heights[p]) << Shape::bit(static_cast<int>(p));
    state.index += taken * kIndexOfStock<Shape>;
    state.heights_word += std::uint64_t(taken) << kTakenShift;
  }
  return state;
}

}  // namespace dealsweep::reference
