// The winning line of a solved deal, found backwards through the stored states.
//
// Nothing is recorded for it while searching. Each stored state was reached from the start, so
// any stored predecessor lies on a line from the start; and each step back puts a card back, so
// the steps end there. Where several predecessors are stored, the first in a fixed order is taken.
#pragma once

#include <algorithm>
#include <vector>

#include "move_masks.hpp"
#include "seen_table.hpp"

namespace dealsweep::reference {

template <typename Shape>
class WinningLine {
 public:
  WinningLine(const Board& board, GolfRules rules, const SeenTable& seen)
      : board_(board), rules_(rules), seen_(seen) {}

  // The line to the state with no card in the piles, `taken` stock cards gone, and `rank` showing.
  std::vector<std::uint8_t> to_cleared(int taken, int rank) {
    heights_.fill(0);
    taken_ = taken;
    rank_ = rank;
    std::vector<std::uint8_t> line;
    while (!is_dealt()) line.push_back(step_back());
    std::reverse(line.begin(), line.end());
    return line;
  }

 private:
  bool is_dealt() const {
    int missing = taken_;
    for (int p = 0; p < board_.pile_count; ++p) missing += board_.height(p) - heights_[p];
    return missing == 0;
  }

  // With `heights_` and `taken_` as they were a move before.
  bool was_met(int rank) const {
    if (is_dealt()) return rank == (board_.foundation_count ? rank_of(board_.foundations[0]) : 0);
    const std::span<const int> heights(heights_.data(), board_.pile_count);
    return rank != 0 && seen_.contains(pack<Shape>(heights, taken_, rank).index);
  }

  std::uint8_t step_back() {
    for (int p = 0; p < board_.pile_count; ++p) {
      if (heights_[p] == board_.height(p) || rank_of(board_.pile(p)[heights_[p]]) != rank_) continue;
      ++heights_[p];
      for (int before = 0; before <= kRanks; ++before)
        if (fits(before, rank_, rules_) && was_met(before))
          return rank_ = before, static_cast<std::uint8_t>(p);
      --heights_[p];
    }
    if (taken_ > 0 && rank_of(board_.stock()[taken_ - 1]) == rank_) {
      --taken_;
      for (int before = 0; before <= kRanks; ++before)
        if (was_met(before)) return rank_ = before, kStockMove;
    }
    throw std::logic_error("a stored state has no stored predecessor");
  }

  const Board& board_;
  GolfRules rules_;
  const SeenTable& seen_;
  std::array<int, Board::kMaxPiles> heights_{};
  int taken_ = 0, rank_ = 0;
};

}  // namespace dealsweep::reference
