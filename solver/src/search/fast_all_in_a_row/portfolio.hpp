// Both directions in turn, with doubling budgets: deals that are hard in one direction are often easy
// in the other, and either can prove a deal unsolvable.
#pragma once

#include "depth_first.hpp"

namespace dealsweep::fast_all_in_a_row::DEALSWEEP_VARIANT {

class Portfolio final : public Engine {
 public:
  Portfolio(const Limits& limits, const Pruning& pruning)
      : pruning_(pruning),
        meter_(limits),
        forward_(meter_, pruning, false, table_bytes(limits)),
        reverse_(meter_, pruning, true, table_bytes(limits)) {}

  void decide(const Deal& deal, Decision& decision) override {
    meter_.start_deal();
    meter_.generated = 1;
    decision = {};
    search(deal, decision);
    decision.iterations = meter_.iterations;
    decision.generated = meter_.generated;
  }

 private:
  static constexpr u64 kFirstBudget = 200;

  // Of each direction's table, and as much again for what it outgrew.
  static u64 table_bytes(const Limits& limits) {
    return limits.memory_bytes > 2 * kMemoBytes ? (limits.memory_bytes - 2 * kMemoBytes) / 4 : 0;
  }

  void search(const Deal& deal, Decision& decision) {
    forward_.start_deal(deal);
    if (forward_.cards() == 0) {
      meter_.count();
      decision.verdict = Verdict::kWon;
      return;
    }
    // A line that begins on a card of the foundation has an end given in reverse: forward only.
    const bool both = deal.foundation == kEmptyFoundation && pruning_.reverse;
    bool reverse_started = false;
    for (u64 budget = kFirstBudget;; budget *= 2) {
      if ((pruning_.forward || !both) && run_ends(forward_, budget, decision)) return;
      if (!both) continue;
      if (!reverse_started) reverse_.start_deal(deal);
      reverse_started = true;
      if (run_ends(reverse_, budget, decision)) return;
    }
  }

  // True if the deal is done with after one run.
  bool run_ends(DepthFirst& search, u64 budget, Decision& decision) {
    switch (search.run(budget)) {
      case Result::kWon:
        decision.verdict = Verdict::kWon;
        search.line(decision);
        return true;
      case Result::kDead:
        decision.verdict = Verdict::kLost;
        return true;
      case Result::kCutShort:
        break;
    }
    if (meter_.at_limit()) return decision.reason = Reason::kLimit, true;
    // Without room for dead states a hard deal could take longer than anyone waits.
    if (search.table_full()) return decision.reason = Reason::kMemory, true;
    return false;
  }

  Pruning pruning_;
  Meter meter_;
  DepthFirst forward_, reverse_;
};

}  // namespace dealsweep::fast_all_in_a_row::DEALSWEEP_VARIANT
