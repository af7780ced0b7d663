// From the ends of the phases on the way to a win to the moves between them.
#pragma once

#include <stdexcept>
#include <vector>

#include "line.hpp"
#include "path.hpp"
#include "sequence_table.hpp"

namespace dealsweep::perseverance {

// Plays one phase's steps on a plain board and writes them down by their piles.
inline void write_steps(PlainBoard& board, const std::vector<Step>& steps, std::vector<std::uint8_t>& line) {
  const auto pile_of = [&](int bit) {
    const Card card = card_of(static_cast<Bit>(bit));
    for (std::size_t p = 0; p < board.piles().size(); ++p)
      for (Card other : board.piles()[p])
        if (other == card) return static_cast<std::uint8_t>(p);
    throw std::logic_error("a winning line moves a card that is gone");
  };
  for (const Step& step : steps) {
    const std::uint8_t from = pile_of(step.card);
    const std::uint8_t to = step.up ? kToFoundation : pile_of(step.card - 1);
    line.push_back(from);
    line.push_back(to);
    if (step.up ? !board.move_up(from) : !board.move(from, to))
      throw std::logic_error("a winning line breaks a rule");
  }
}

// The line that ends each phase but the last as `targets` say and wins in the last. Throws
// std::logic_error if there is none, and Stopped.
inline std::vector<std::uint8_t> winning_line(const Rules& rules, const Board& board, const Phase& root,
                                              const std::vector<Target>& targets, PathSearch& path,
                                              StopCheck stop) {
  Effort effort;
  effort.stop = stop;
  std::vector<std::uint8_t> line;
  PlainBoard plain(rules, board);
  Phase phase = root;
  for (std::size_t i = 0; i <= targets.size(); ++i) {
    const bool last = i == targets.size();
    const Target target = last ? Target{0, kAll} : targets[i];
    if (path(phase, phase.start(), target.hanging, target.up, effort) != PathSearch::End::kFound)
      throw std::logic_error("a winning line has a gap");
    write_steps(plain, path.steps(), line);
    if (last) break;
    if (!plain.redeal()) throw std::logic_error("a winning line redeals against the rules");
    line.push_back(kRedeal);
    Configuration end = phase.start();
    end.hanging = target.hanging;
    end.up = target.up;
    phase = Phase(rules, phase.redealt(rules, end));
  }
  return line;
}

}  // namespace dealsweep::perseverance
