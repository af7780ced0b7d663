// One deal of Bisley decided, and its line checked.
#pragma once

#include "../../outcome.hpp"
#include "deal.hpp"
#include "settings.hpp"

namespace dealsweep::bisley {

using Decide = Decision (*)(const Board&, const Deal&, const Bounds&, Scratch&);

// Throws std::invalid_argument for a board that no game of Bisley has, Stopped, and
// std::logic_error should a line not win.
Outcome solve_by(Decide decide, const Deal& deal, const Board& board, const Bounds& bounds, bool solution,
                 Scratch& scratch);

// With all rules, by the engine for this CPU.
Outcome solve(const Board& board, const Bounds& bounds, bool solution, Scratch& scratch);

}  // namespace dealsweep::bisley
