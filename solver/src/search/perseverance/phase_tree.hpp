// Every configuration that a phase with runs can end in, each once, by a tree of decisions.
//
// At a node one available move is taken now, or never in this phase. "Never" for a merge means that
// the head stays where it is; for a card going up, that its foundation takes no more cards. That is
// complete and free of repeats: no move disables another, so a card that leaves its pile in the end
// may merge at once (going up from there later), and a foundation that grows in the end may at once;
// and the two branches differ in a card in place, or in a foundation's height.
//
// Nodes are cut whose next deal is certain to begin with a dead prefix (dead_prefix.hpp): a pile
// that, under the bans, nothing can leave or join any more is what it will be.
#pragma once

#include "dead_prefix.hpp"
#include "effort.hpp"

namespace dealsweep::perseverance {

class PhaseTree {
 public:
  explicit PhaseTree(const Rules& rules) : rules_(rules), dead_(rules) {}

  bool cut_dead_prefixes = true;  // off in tests

  // Calls leaf(configuration) for each; a leaf that says false ends the walk. `left`: redeals left
  // after the one that ends the phase. False if the walk was ended, by a leaf or by the effort.
  template <typename Leaf>
  bool operator()(const Phase& phase, unsigned left, Effort& effort, Leaf&& leaf) {
    phase_ = &phase;
    left_ = left;
    effort_ = &effort;
    return visit(phase.start(), {}, 0, leaf);
  }

  // The cards that will begin the next deal whatever happens under `bans`.
  static void certain_prefix(const Rules& rules, const Phase& phase, const Configuration& at, const Bans& bans,
                             const Reach& reach, Sequence& prefix) {
    const Mask insertable = reach.reached & ~at.up & ~bans.staying;
    const Mask gone = at.hanging | at.up;
    const Mask tops = at.tops();
    prefix.size = 0;
    for (int p = 0; p < phase.cut().count; ++p) {
      const int first = phase.cut().start[p], last = phase.cut().start[p + 1];
      Mask pile = 0;
      for (int i = first; i < last; ++i) pile |= mask_of(phase.sequence().cards[i]);
      const Mask head = pile & at.heads, stuck = pile & reach.stuck;
      if (!head) continue;  // empty
      bool whole = head == stuck;
      if (whole) {
        int top = std::countr_zero(head);
        while (!(tops >> top & 1)) ++top;
        whole = !((reach.rising | insertable >> 1) >> top & 1);
      }
      if (!whole && (rules.top_first || !stuck)) return;
      for (int i = first; i < last; ++i) {
        const int card = phase.sequence().cards[i];
        if (gone >> card & 1) continue;
        int end = card;
        while (at.hanging >> (end + 1) & 1) ++end;
        if (rules.top_first) {
          for (; end >= card; --end) prefix.add(end);
          continue;
        }
        // The run on a head that stays is certain unless its top may go up.
        const bool at_stuck = stuck >> card & 1;
        if (at_stuck && reach.rising >> end & 1) end = card;
        for (int c = card; c <= end; ++c) prefix.add(c);
        if (at_stuck && !whole) return;
      }
    }
  }

 private:
  template <typename Leaf>
  bool visit(Configuration at, Bans bans, int parents_prefix, Leaf& leaf) {
    for (;;) {
      if (!effort_->spend()) return false;
      const Mask merges = Phase::merges(at, false) & ~bans.staying;
      const Mask ups = Phase::ups(at) & ~bans.closed & ~bans.staying;
      if (cut_dead_prefixes) {
        const Reach reached = reach(*phase_, at, bans, false);
        certain_prefix(rules_, *phase_, at, bans, reached, prefix_);
        if (prefix_.size > parents_prefix && dead_(prefix_.cards.data(), prefix_.size, at.up, left_)) return true;
        parents_prefix = prefix_.size;
      }
      if (!(merges | ups)) return leaf(at);
      // The frontmost pile first, so that the certain prefix grows early.
      Mask move = 0;
      int front = 1 << 8;
      for (Mask m = merges | ups; m; m &= m - 1) {
        int head = std::countr_zero(m);
        while (at.hanging >> head & 1) --head;
        if (phase_->pile(head) < front) front = phase_->pile(head), move = m & -m;
      }
      Configuration now = at;
      if (merges & move)
        phase_->merge(now, move);
      else
        phase_->move_up(now, move);
      if (!visit(now, bans, parents_prefix, leaf)) return false;
      if (merges & move)
        bans.staying |= move;
      else
        bans.closed |= lane_of(move);
    }
  }

  Rules rules_;
  DeadPrefix dead_;
  const Phase* phase_ = nullptr;
  unsigned left_ = 0;
  Effort* effort_ = nullptr;
  Sequence prefix_;
};

}  // namespace dealsweep::perseverance
