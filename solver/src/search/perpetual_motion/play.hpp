// A whole game, pass after pass, on one stock: the simple way, for games that the faster paths leave to it.
#pragma once

#include "ending.hpp"
#include "pass.hpp"

namespace dealsweep::motion {

// Throws Stopped.
inline Outcome play(const Stock& start, const Rules& rules, std::uint64_t limit, StopCheck stop) {
  constexpr std::uint64_t kPollPasses = 4096;
  const auto pass = [&rules, play_pass = pass_of(rules)](Stock& stock) { play_pass(stock, rules); };
  Position now{start}, last{start};
  if (start.count == 0) return won(0, 0);
  Stock waypoint = start;
  for (std::uint64_t due = next_waypoint(0); now.passes < limit;) {
    now.deals += now.stock.count / 4;
    pass(now.stock);
    ++now.passes;
    if (now.stock.count == 0) return won(now.passes, now.deals);
    if (now.stock.count != last.stock.count)
      last = now;
    else if (now.stock == waypoint)
      break;
    if (now.passes >= due) {
      waypoint = now.stock;
      due = next_waypoint(now.passes);
    }
    if (now.passes % kPollPasses == 0 && stop && stop()) throw Stopped();
  }
  return ending(last, limit, pass, stop);
}

}  // namespace dealsweep::motion
