// The search of one deal, compiled once for each instruction set inside a namespace of its own.

#include "pieces.inl"

#include "position.inl"

#include "regions.inl"

#include "closure.inl"

#include "depth_first.inl"
#include "dive.inl"
#include "playback.inl"

template <Rules kRules>
static inline Decision search(const Deal& deal, const Bounds& bounds, Scratch& scratch) {
  const Position root = settled<kRules>(deal, deal.start());
  FrozenRegions none;
  none.count = 0;
  scratch.line.length = 0;
  Decision decision{Found::kWon, 0, 1};
  if (root.won()) return decision;
  if (kRules.closure && lost_by_closure(deal, root, none)) return decision.found = Found::kLost, decision;
  if (kRules.dive && dive<kRules>(deal, root, scratch.line, decision.generated)) return decision;
  DepthFirst<kRules> depth_first(deal, bounds, scratch.seen, scratch.line);
  decision.found = depth_first.search(root);
  decision.iterations = depth_first.iterations();
  decision.generated += depth_first.generated();
  return decision;
}

// Root closure, greedy dive, complete search; the moves of a win.
template <Rules kRules>
static Decision decide(const Board& board, const Deal& deal, const Bounds& bounds, Scratch& scratch) {
  const Decision decision = search<kRules>(deal, bounds, scratch);
  if (decision.found == Found::kWon) play_back<kRules>(deal, board, scratch.line, scratch.moves);
  return decision;
}
