// The winning line of a solved deal, read backwards out of the rows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "rows.hpp"

namespace dealsweep::fast_golf {

// A row's value at a rank came by a play from a vector of one card more, or from the row's own least
// value by dealing. Every stored value is truly reached, and values only fall, so each step finds an
// origin that takes no more stock than asked. It may take less, as a value may have fallen after its
// children were made; so the reading notes to which stock position to deal, not how many cards.
template <int kWidth>
class LineReader {
 public:
  LineReader(const Rows& rows, const DealTables<kWidth>& tables, const Board& board, GolfRules rules)
      : rows_(rows), tables_(tables), board_(board), rules_(rules) {}

  std::vector<std::uint8_t> line_to_empty() const {
    const std::uint32_t start = vector_of(board_);
    std::vector<Step> steps;
    std::uint32_t vector = 0;
    int lane = lane_of_least(0);
    while (true) {
      if (dealt(vector, lane) < rows_.taken(vector)[lane]) {
        steps.push_back({kStockMove, dealt(vector, lane)});
        lane = lane_of_least(vector);
      }
      if (vector == start) break;
      const Origin origin = origin_of(vector, lane);
      steps.push_back({static_cast<std::uint8_t>(origin.pile), 0});
      vector += kPlace[origin.pile];
      lane = origin.lane;
    }
    return forwards(steps);
  }

 private:
  struct Origin {
    int pile, lane;
  };
  struct Step {
    std::uint8_t move, position;  // a pile; or kStockMove, dealing up to a stock position
  };

  static std::vector<std::uint8_t> forwards(const std::vector<Step>& steps) {
    std::vector<std::uint8_t> line;
    int taken = 0;
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
      if (step->move != kStockMove) line.push_back(step->move);
      for (; taken < step->position; ++taken) line.push_back(kStockMove);
    }
    return line;
  }

  int lane_of_least(std::uint32_t vector) const {
    const std::uint8_t* taken = rows_.taken(vector);
    return static_cast<int>(std::min_element(taken, taken + kRanks) - taken);
  }

  // The stock cards taken at a rank when it is dealt from the row's least value.
  std::uint8_t dealt(std::uint32_t vector, int lane) const {
    const std::uint8_t least = rows_.taken(vector)[lane_of_least(vector)];
    return least == kNever ? kNever : tables_.after[least][lane];
  }

  Origin origin_of(std::uint32_t vector, int lane) const {
    const std::uint8_t taken = rows_.taken(vector)[lane];
    for (int p = 0; p < board_.pile_count; ++p) {
      const int height = height_of(vector, p);
      if (height == board_.height(p) || rank_of(board_.pile(p)[height]) - 1 != lane) continue;
      const std::uint32_t parent = vector + kPlace[p];
      for (int from = 0; from < kRanks; ++from) {
        if (fits(from + 1, lane + 1, rules_) &&
            std::min(rows_.taken(parent)[from], dealt(parent, from)) <= taken)
          return {p, from};
      }
    }
    throw std::logic_error("a row of Golf has no origin");
  }

  const Rows& rows_;
  const DealTables<kWidth>& tables_;
  const Board& board_;
  GolfRules rules_;
};

}  // namespace dealsweep::fast_golf
