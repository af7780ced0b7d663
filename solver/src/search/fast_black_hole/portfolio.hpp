// The engines in turn: forward and reverse search share the work by growing budgets, since deals
// that are hard in one direction are often easy in the other.
#pragma once

#include "closure.hpp"
#include "depth_first.hpp"

namespace dealsweep::fast_black_hole::DEALSWEEP_VARIANT {

// Budgets of successive runs, a geometric sequence in whole numbers (tenths of an iteration).
class RunBudgets {
 public:
  RunBudgets(u64 first_tenths, u64 thousandths) : tenths_(first_tenths), growth_(thousandths) {}

  u64 next() {
    const u64 budget = tenths_ / 10;
    if (tenths_ < u64{1} << 50) tenths_ = tenths_ * growth_ / 1000;
    return budget;
  }

 private:
  u64 tenths_, growth_;
};

template <Pruning kPruning>
class Portfolio final : public Engine {
 public:
  explicit Portfolio(const Limits& limits)
      : meter_(limits), forward_(meter_, limits.memory_bytes / 2), reverse_(meter_, limits.memory_bytes / 2) {}

  void decide(const Deal& deal, Decision& decision) override {
    meter_.start_deal();
    decision = {};
    search(deal, decision);
    decision.iterations = meter_.iterations;
    decision.generated = meter_.generated;
  }

 private:
  using Forward = DepthFirst<false, kPruning>;
  using Reverse = DepthFirst<true, kPruning>;

  void search(const Deal& deal, Decision& decision) {
    forward_.start_deal(deal);
    meter_.generated = 1;
    const Tableau& tableau = forward_.tableau();
    if (tableau.start.empty()) {
      meter_.count();
      decision.verdict = Verdict::kWon;
      return;
    }
    if (kPruning.closure && !closure_empties(tableau)) {
      meter_.count();
      decision.verdict = Verdict::kLost;
      return;
    }
    RunBudgets forward_budgets(1045, 1110), reverse_budgets(1250, 1048);
    u64 forward_used = 0, reverse_used = 0;
    bool reverse_started = false;
    for (u64 round = 0, share = 600;; ++round, share = next_share(round, share)) {
      if (run_until(share, forward_, forward_budgets, forward_used, decision)) return;
      if (round == 0) continue;
      if (!reverse_started) reverse_.start_deal(deal);
      reverse_started = true;
      if (run_until(share, reverse_, reverse_budgets, reverse_used, decision)) return;
      // Without room for dead states a hard deal could take longer than anyone waits.
      if (forward_.table_full() && reverse_.table_full()) {
        decision.reason = Reason::kMemory;
        return;
      }
    }
  }

  // The iterations of each engine at the end of a round: 600, 1200, 4000, 8000 to 32000, then half
  // as many again each time.
  static u64 next_share(u64 round, u64 share) {
    return round == 1 ? 1200 : round == 2 ? 4000 : share < 32000 ? share * 2 : share + share / 2;
  }

  // Runs of one engine until it has used `share` iterations in all. True if the deal is done with.
  template <typename Search>
  bool run_until(u64 share, Search& search, RunBudgets& budgets, u64& used, Decision& decision) {
    while (used < share) {
      const u64 before = meter_.iterations;
      const Result result = search.run(budgets.next());
      used += meter_.iterations - before;
      if (result == Result::kWon) {
        decision.verdict = Verdict::kWon;
        search.line(decision);
        return true;
      }
      if (result == Result::kDead) {
        decision.verdict = Verdict::kLost;
        return true;
      }
      if (meter_.at_limit()) {
        decision.reason = Reason::kLimit;
        return true;
      }
    }
    return false;
  }

  Meter meter_;
  Forward forward_;
  Reverse reverse_;
};

}  // namespace dealsweep::fast_black_hole::DEALSWEEP_VARIANT
