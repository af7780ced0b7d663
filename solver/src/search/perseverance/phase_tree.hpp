// Every configuration that a phase with runs can end in, each once, by a tree of decisions.
//
// At a node one available move is taken now, or never in this phase. "Never" for a merge means that
// the head stays where it is; for a card going up, that its foundation takes no more cards. That is
// complete and free of repeats: no move disables another, so a card that leaves its pile in the end
// may merge at once (going up from there later), and a foundation that grows in the end may at once;
// and the two branches differ in a card in place, or in a foundation's height.
//
// Nodes are cut whose next deal is certain to begin with cards that are proved lost, by dead_prefix.hpp
// or abstraction.hpp: a pile that, under the bans, nothing can leave or join any more is what it will be.
#pragma once

#include "abstraction.hpp"
#include "effort.hpp"

namespace dealsweep::perseverance {

class PhaseTree {
 public:
  explicit PhaseTree(const Rules& rules) : rules_(rules), dead_(rules) {}

  bool cut_dead_prefixes = true;
  Abstraction* abstraction = nullptr;  // none: only dead prefixes are cut
  static constexpr std::array<Abstraction::Level, 2> kTreeProofs{{{0, 4, 16, 200}, {1, 8, 16, 2000}}};

  // Calls leaf(configuration) for each; a leaf that says false ends the walk. `left`: redeals left
  // after the one that ends the phase. False if the walk was ended, by a leaf or by the effort.
  template <typename Leaf>
  bool operator()(const Phase& phase, unsigned left, Effort& effort, Leaf&& leaf) {
    phase_ = &phase;
    left_ = left;
    effort_ = &effort;
    return visit(phase.start(), {}, {}, leaf);
  }

  // The front of the next deal that is certain whatever happens under some bans.
  struct Certain {
    int piles = 0;  // piles that are certain as they are, from the first one on
    int cards = 0;  // the cards of these
    int known = 0;  // with the certain cards of the next pile
  };

  // Goes on from `front`, certain in an earlier node of this branch, whose cards are in `prefix`.
  static Certain certain_prefix(const Rules& rules, const Phase& phase, const Configuration& at,
                                const Bans& bans, const Reach& reach, Certain front, Bit* prefix) {
    // A top's child may still come onto it, or the top may go up.
    const Mask unsure = reach.rising | (reach.reached & ~at.up & ~bans.staying) >> 1;
    const Mask gone = at.hanging | at.up;
    int known = front.cards;
    for (int p = front.piles; p < phase.cut().count; ++p) {
      const Mask pile = phase.cards_of(p);
      const Mask head = pile & at.heads, stuck = pile & reach.stuck;
      bool whole = head == stuck;
      if (whole && head) {
        int top = std::countr_zero(head);
        while (at.hanging >> (top + 1) & 1) ++top;
        whole = !(unsure >> top & 1);
      }
      if (!whole && (rules.top_first || !stuck)) break;
      const int first = phase.cut().start[p], last = phase.cut().start[p + 1];
      for (int i = first; i < last; ++i) {
        const int card = phase.sequence().cards[i];
        if (gone >> card & 1) continue;
        int end = card;
        while (at.hanging >> (end + 1) & 1) ++end;
        if (rules.top_first) {
          for (; end >= card; --end) prefix[known++] = static_cast<Bit>(end);
          continue;
        }
        // The run on a head that stays is certain unless its top may go up.
        const bool at_stuck = stuck >> card & 1;
        if (at_stuck && reach.rising >> end & 1) end = card;
        for (int c = card; c <= end; ++c) prefix[known++] = static_cast<Bit>(c);
        if (at_stuck && !whole) break;
      }
      if (!whole) break;
      front.piles = p + 1;
      front.cards = known;
    }
    front.known = known;
    return front;
  }

 private:
  template <typename Leaf>
  bool visit(Configuration at, Bans bans, Certain front, Leaf& leaf) {
    for (;;) {
      if (!effort_->spend()) return false;
      const Mask merges = Phase::merges(at, false) & ~bans.staying;
      const Mask ups = Phase::ups(at) & ~bans.closed & ~bans.staying;
      if (cut_dead_prefixes) {
        const Reach reached = reach(*phase_, at, bans, false);
        const int before = front.known;
        front = certain_prefix(rules_, *phase_, at, bans, reached, front, prefix_.data());
        if (front.known > before && certainly_lost(front.known, at.up)) return true;
      }
      if (!(merges | ups)) return leaf(at);
      // The frontmost pile first, so that the certain prefix grows early.
      Mask move = 0;
      int frontmost = 1 << 8;
      for (Mask m = merges | ups; m; m &= m - 1) {
        int head = std::countr_zero(m);
        while (at.hanging >> head & 1) --head;
        if (phase_->pile(head) < frontmost) frontmost = phase_->pile(head), move = m & -m;
      }
      Configuration now = at;
      if (merges & move)
        phase_->merge(now, move);
      else
        phase_->move_up(now, move);
      if (!visit(now, bans, front, leaf)) return false;
      if (merges & move)
        bans.staying |= move;
      else
        bans.closed |= lane_of(move);
    }
  }

  bool certainly_lost(int known, Mask up) {
    if (dead_(prefix_.data(), known, up, left_)) return true;
    if (!abstraction) return false;
    for (const auto& level : kTreeProofs)
      if (abstraction->proves_lost(prefix_.data(), known, up, left_, level, *effort_)) return true;
    return false;
  }

  Rules rules_;
  DeadPrefix dead_;
  const Phase* phase_ = nullptr;
  unsigned left_ = 0;
  Effort* effort_ = nullptr;
  // The certain cards of the branch at hand: a node writes only behind what its parent is sure of.
  std::array<Bit, kDeckSize> prefix_;
};

}  // namespace dealsweep::perseverance
