// One greedy line, without a table: it finds most wins.
#pragma once

#include <vector>

#include "position.hpp"

namespace dealsweep::bisley {

// Takes the release with the best score until the deal is won or nothing can be released; true when won. The
// line is appended to `line`, the positions looked at are added to `generated`.
template <Rules kRules>
inline bool dive(const Deal& deal, Position position, std::vector<std::uint8_t>& line, std::uint64_t& generated) {
  while (!position.won()) {
    if (position.moves == 0) return false;
    Position best;
    int best_cell = -1;
    for_each(position.moves, [&](int cell) {
      ++generated;
      const Position next = after<kRules>(deal, position, cell);
      if (best_cell >= 0 && next.score <= best.score) return;
      best = next;
      best_cell = cell;
    });
    line.push_back(static_cast<std::uint8_t>(best_cell));
    position = best;
  }
  return true;
}

}  // namespace dealsweep::bisley
