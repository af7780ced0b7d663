// One deal of Bisley decided: root closure, a greedy dive, the complete search, the line checked.
#pragma once

#include "../../outcome.hpp"
#include "depth_first.hpp"
#include "dive.hpp"
#include "playback.hpp"
#include "replay.hpp"

namespace dealsweep::bisley {

// Kept from deal to deal for its memory alone.
struct Scratch {
  StateSet seen;
  std::vector<std::uint8_t> line, moves;
};

struct Bounds {
  std::uint64_t limit = kNoLimit, memory_cap = kNoLimit;
  StopCheck stop = nullptr;
};

namespace detail {

template <Rules kRules>
inline Found decide(const Deal& deal, const Bounds& bounds, Scratch& scratch, Outcome& outcome) {
  outcome.generated = 1;
  scratch.line.clear();
  const Position root = settled<kRules>(deal, deal.start);
  if (root.won()) return Found::kWon;
  if (kRules.closure && lost_by_closure(deal, root, {})) return Found::kLost;
  if (kRules.dive && dive<kRules>(deal, root, scratch.line, outcome.generated)) return Found::kWon;
  DepthFirst<kRules> search(deal, scratch.seen, bounds.limit, bounds.memory_cap, bounds.stop);
  const Found found = search.search(root);
  outcome.iterations = search.iterations();
  outcome.generated += search.generated();
  if (found == Found::kWon) scratch.line = search.line();
  return found;
}

}  // namespace detail

template <Rules kRules = Rules{}>
inline Outcome solve(const Board& board, const Bounds& bounds, bool solution, Scratch& scratch) {
  const Deal deal(board, kRules.same_position);
  Outcome outcome;
  switch (detail::decide<kRules>(deal, bounds, scratch, outcome)) {
    case Found::kWon:
      play_back<kRules>(deal, board, scratch.line, scratch.moves);
      if (!line_wins(board, scratch.moves)) throw std::logic_error("a won deal of Bisley does not replay");
      outcome.verdict = Verdict::kWon;
      if (solution) outcome.solution = scratch.moves;
      break;
    case Found::kLost: outcome.verdict = Verdict::kLost; break;
    case Found::kLimit: outcome.reason = Reason::kLimit; break;
    case Found::kMemory: outcome.reason = Reason::kMemory; break;
  }
  return outcome;
}

}  // namespace dealsweep::bisley
