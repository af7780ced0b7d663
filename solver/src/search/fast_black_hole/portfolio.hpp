// The engines in turn, run by run: deals that are hard in one direction are often easy in the
// other, so the next run goes to the engine that has had less than its share, and the shares
// follow what the runs so far tell of the deal. All in whole numbers, equal on every processor.
#pragma once

#include "closure.hpp"
#include "depth_first.hpp"

namespace dealsweep::fast_black_hole::DEALSWEEP_VARIANT {

// Fixed point with eight binary places.
inline constexpr int kOne = 256;

// Of two, rising linearly between the powers of two; x > 0.
inline int logarithm(u64 x) {
  const int whole = 63 - __builtin_clzll(x);
  return whole * kOne + static_cast<int>((x << (63 - whole) & ~(u64{1} << 63)) >> 55);
}

// What an engine has done on a deal. The budgets of its runs are a geometric sequence, in tenths of an
// iteration.
struct Effort {
  u64 used = 0;  // iterations

  Effort(u64 first_tenths, u64 growth_thousandths) : tenths_(first_tenths), growth_(growth_thousandths) {}

  u64 next_budget() {
    const u64 budget = tenths_ / 10;
    if (tenths_ < u64{1} << 50) tenths_ = tenths_ * growth_ / 1000;
    return budget;
  }

  void add(u64 iterations, u64 generated) {
    used += iterations;
    generated_ += generated;
    ++runs_;
  }

  // The moves of a run that its end left untried, in the mean of the runs.
  int untried_moves() const {
    return generated_ < used ? 0 : static_cast<int>((generated_ - used) * kOne / runs_);
  }

 private:
  u64 generated_ = 0, runs_ = 0;
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
    Effort forward(1300, 1110), reverse(1600, 1048);
    while (forward.used < 500)
      if (run(forward_, forward, decision)) return;
    reverse_.start_deal(deal);
    while (reverse.used < 200)
      if (run(reverse_, reverse, decision)) return;
    for (;;) {
      const int lead = logarithm(forward.used) - logarithm(reverse.used);
      const bool forwards = lead < fair_lead(forward, reverse);
      if (forwards ? run(forward_, forward, decision) : run(reverse_, reverse, decision)) return;
      // Without room for dead states a hard deal could take longer than anyone waits.
      if (forward_.table_full() && reverse_.table_full()) {
        decision.reason = Reason::kMemory;
        return;
      }
    }
  }

  // By how much, as a logarithm, the iterations of the forward engine should exceed those of the reverse
  // engine. A guess which of them has the smaller tree to search: the one whose runs, where they are
  // cut short, leave fewer moves untried, and that met fewer walks. Fitted to the iterations that each
  // engine needs by itself, whose ratio it foretells with a correlation of 0.6. No more than twenty
  // to one, since the guess may be wrong.
  int fair_lead(const Effort& forward, const Effort& reverse) const {
    constexpr int kMost = 43 * kOne / 10;
    const int untried = forward.untried_moves() - reverse.untried_moves();
    const int walks = logarithm(forward_.walks()) - logarithm(reverse_.walks());
    const int lead = -untried / 5 - 9 * walks / 5 - 3 * kOne / 5;
    return lead < -kMost ? -kMost : lead > kMost ? kMost : lead;
  }

  // One run of an engine. True if the deal is done with.
  template <typename Search>
  bool run(Search& search, Effort& effort, Decision& decision) {
    const u64 iterations = meter_.iterations, generated = meter_.generated;
    const Result result = search.run(effort.next_budget());
    effort.add(meter_.iterations - iterations, meter_.generated - generated);
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
    return false;
  }

  Meter meter_;
  Forward forward_;
  Reverse reverse_;
};

}  // namespace dealsweep::fast_black_hole::DEALSWEEP_VARIANT
