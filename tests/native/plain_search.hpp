// The oracle of the Black Hole family: depth-first search over positions with a library's set, no
// pruning unless asked, nothing clever. Its counts are those of the published search order.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_set>
#include <vector>

#include "board.hpp"

namespace dealsweep::plain {

struct Rules {
  bool wrap = true;            // king and ace are neighbours
  bool queens_on_kings = true;  // a king may be covered, by a queen (and an ace, with wrap)
  bool rank_reach = false;      // prune states whose ranks left cannot all be walked to
};

struct Result {
  bool solved = false, exhausted = false;
  std::uint64_t iterations = 0, generated = 0;
};

struct State {
  std::vector<std::uint8_t> heights;
  int taken = 0, foundation = 0;  // foundation rank 1..13; 0 is empty

  std::uint64_t key() const {
    std::uint64_t k = 0;
    for (auto h : heights) k = k * 6 + h;
    return (k * 64 + taken) * 14 + foundation;
  }
};

inline bool fits(int foundation, int rank, Rules rules) {
  if (foundation == 0) return true;
  if (foundation == 13 && !rules.queens_on_kings && !rules.wrap) return false;
  const int distance = foundation > rank ? foundation - rank : rank - foundation;
  return distance == 1 || (rules.wrap && distance == 12);
}

// Walks from the foundation around the circle, through ranks that are left in the piles. The
// foundation's own rank counts as reached.
inline bool reaches_all_ranks(const Board& board, const State& state) {
  if (state.foundation == 0) return true;
  std::vector<bool> left(13), reached(13);
  for (int p = 0; p < board.pile_count; ++p)
    for (int i = 0; i < state.heights[p]; ++i) left[rank_of(board.pile(p)[i]) - 1] = true;
  for (int step : {1, 12})
    for (int rank = (state.foundation - 1 + step) % 13; left[rank] && !reached[rank]; rank = (rank + step) % 13)
      reached[rank] = true;
  reached[state.foundation - 1] = left[state.foundation - 1];
  return left == reached;
}

// Boards whose key fits 64 bits: 6^piles * 64 * 14 (17 piles do).
inline Result search(const Board& board, Rules rules, std::uint64_t limit = ~std::uint64_t{0}) {
  State start;
  for (int p = 0; p < board.pile_count; ++p) start.heights.push_back(static_cast<std::uint8_t>(board.height(p)));
  start.foundation = board.foundation_count ? rank_of(board.foundations[0]) : 0;
  Result result;
  result.generated = 1;
  std::vector<State> stack{start};
  std::unordered_set<std::uint64_t> seen{start.key()};
  const auto push = [&](const State& state) {
    if (!seen.insert(state.key()).second) return;
    ++result.generated;
    stack.push_back(state);
  };
  while (!stack.empty()) {
    const State state = stack.back();
    stack.pop_back();
    if (rules.rank_reach && !reaches_all_ranks(board, state)) continue;
    ++result.iterations;
    bool none = true;
    if (state.taken < board.stock_count) {
      State child = state;
      child.foundation = rank_of(board.stock()[child.taken++]);
      push(child);
    }
    const bool open = rules.wrap || rules.queens_on_kings || state.foundation != 13;
    for (int p = 0; p < board.pile_count; ++p) {
      if (state.heights[p] == 0) continue;
      none = false;
      const int rank = rank_of(board.pile(p)[state.heights[p] - 1]);
      if (!open || !fits(state.foundation, rank, rules)) continue;
      State child = state;
      --child.heights[p];
      child.foundation = rank;
      push(child);
    }
    if (none) return result.solved = true, result;
    if (result.iterations >= limit) return result.exhausted = true, result;
  }
  return result;
}

}  // namespace dealsweep::plain
