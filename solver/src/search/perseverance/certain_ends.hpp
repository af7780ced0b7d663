// What is certain of the next deal in the middle of a phase's decisions: how it begins, and how it ends.
#pragma once

#include "reach.hpp"

namespace dealsweep::perseverance {

// What will have happened by the end of the phase.
struct Promises {
  Mask left = 0;  // these cards leave their places
  Mask up = 0;    // these go to the foundations
};

// A decision to be made: a card leaves its place, or it goes up. None: 0.
struct Choice {
  Mask leaves = 0, rises = 0;
  explicit operator bool() const { return (leaves | rises) != 0; }
};

// One end of the next deal. What can happen under the decisions so far decides most cards: those
// promised to leave, and those that no longer can.
class CertainEnd {
 public:
  // `back`: the last cards, from the last one on; else the first ones.
  CertainEnd(const Rules& rules, bool back) : back_(back), descending_(rules.top_first != back) {}

  // How far the end is certain. A later decision only adds to it.
  struct Mark {
    int place = 0;    // place in this deal where it goes on
    int cards = 0;    // of the next deal, up to there
    int certain = 0;  // with those of the run at `place` that are certain
  };
  Mark begin(const Phase& phase) const { return {back_ ? phase.sequence().size - 1 : 0, 0, 0}; }
  // From the end on. Valid up to the mark that was advanced last.
  const Bit* cards() const { return cards_.data(); }

  // Goes on to the first card that is not decided, and says what to decide.
  Choice advance(Mark& mark, const Phase& phase, const Promises& promised, const Reach& may) {
    const Mask up = phase.start().up | promised.up;
    const Mask gone = phase.start().hanging | up | promised.left;
    const Mask leaving = may.reached & ~may.stuck & ~gone;
    const Sequence& deal = phase.sequence();
    for (const int step = back_ ? -1 : 1; mark.place >= 0 && mark.place < deal.size; mark.place += step) {
      const int head = deal.cards[mark.place];
      if (gone >> head & 1) continue;
      if (leaving >> head & 1) return {mask_of(head), 0};
      int last = head;
      for (;; ++last) {
        const Mask child = mask_of(last + 1);
        if (up & child) break;
        const bool may_rise = gone & may.rising & child;
        if (may_rise || leaving & child) {
          if (!descending_) mark.certain = write(mark.cards, head, last);
          return may_rise ? rise(child, up) : Choice{child, 0};
        }
        if (!(gone & child)) break;
      }
      mark.cards = mark.certain = write(mark.cards, head, last);
    }
    return {};
  }

  // The suit of `card` grows next.
  static Choice rise(Mask card, Mask up) { return {0, next_of(up) & lane_of(card)}; }

 private:
  // Appends the run head..last; where the cards end.
  int write(int at, int head, int last) {
    for (int card = head; card <= last; ++card)
      cards_[at++] = static_cast<Bit>(descending_ ? head + last - card : card);
    return at;
  }

  bool back_, descending_;  // whether a run comes last card first
  std::array<Bit, kDeckSize> cards_;
};

}  // namespace dealsweep::perseverance
