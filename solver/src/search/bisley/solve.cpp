#include "solve.hpp"

#include "engine.hpp"
#include "replay.hpp"

namespace dealsweep::bisley {

Outcome solve_by(Decide decide, const Deal& deal, const Board& board, const Bounds& bounds, bool solution,
                 Scratch& scratch) {
  const Decision decision = decide(board, deal, bounds, scratch);
  Outcome outcome;
  outcome.iterations = decision.iterations;
  outcome.generated = decision.generated;
  switch (decision.found) {
    case Found::kWon: {
      const std::span<const std::uint8_t> moves{scratch.moves.bytes.data(), scratch.moves.size};
      if (!line_wins(board, moves)) throw std::logic_error("a won deal of Bisley does not replay");
      outcome.verdict = Verdict::kWon;
      if (solution) outcome.solution.assign(moves.begin(), moves.end());
      break;
    }
    case Found::kLost: outcome.verdict = Verdict::kLost; break;
    case Found::kLimit: outcome.reason = Reason::kLimit; break;
    case Found::kMemory: outcome.reason = Reason::kMemory; break;
  }
  return outcome;
}

Outcome solve(const Board& board, const Bounds& bounds, bool solution, Scratch& scratch) {
  static const Decide decide = decide_here<Rules{}>();
  return solve_by(decide, Deal(board), board, bounds, solution, scratch);
}

}  // namespace dealsweep::bisley
