// A polynomial test for lost positions: no redeal ever changes the front of the sequence enough.
//
// Know only the first cards of a dealt sequence, and let every other card be free to take: the known
// cards' piles after any phase depend on the prefix alone, so what cannot happen to them here cannot
// happen in the game.
//  1. The fixpoint of reach.hpp over the known cards, all others counted as reached, bounds what can
//     leave. Everything leaves: not dead. Otherwise, with no redeal left: some card never goes up.
//  2. A pile that nothing leaves, and whose top's child is up or never exposed, is the same after
//     the phase. While the piles from the front on are so, they are the front of the next deal, cut
//     alike. Picked up from the bottom, the next pile adds its cards up to the first that cannot
//     leave and the run on that (a run's lower cards rise only if all below them are reached, but
//     then so is all below the head, which would leave). From the top, what leaves or comes on
//     shifts all cards behind it: nothing is added.
//  3. Repeat with that prefix and one redeal less. A prefix that does not shrink, cut as a redeal
//     cuts, is there after any number of redeals: lost.
// In the last pile of a prefix, cut short, the unknown cards lie above (bottom-first) or beneath
// (top-first); all of them may leave, so its last or first known card counts as exposed.
#pragma once

#include "reach.hpp"

namespace dealsweep::perseverance {

class DeadPrefix {
 public:
  explicit DeadPrefix(const Rules& rules) : rules_(rules) {}

  // True only if a position is lost whose dealt sequence begins with `known` cards of `cards`, cut
  // as `cut` (nothing beyond `known`), with the cards `up` on the foundations and so many redeals.
  bool operator()(const Bit* cards, int known, const Cut& cut, Mask up, unsigned redeals) {
    const Look look = at(cards, known, cut, up);
    if (look.certain < 0) return false;
    if (redeals == 0) return true;
    return look.certain != 0 && (*this)(cards, look.certain, up, one_less(redeals));
  }
  // The same, cut as a redeal cuts.
  bool operator()(const Bit* cards, int known, Mask up, unsigned redeals) {
    return follow(look(cards, known, up), cards, known, up, redeals);
  }

  // What one phase can do to a prefix.
  struct Look {
    int certain;   // how many of the known cards are certain to begin the next sequence; -1: all can leave
    Mask reached;  // the fixpoint's cards
  };
  Look look(const Bit* cards, int known, Mask up) {
    return at(cards, known, Cut::even(known, rules_.pile_size), up);
  }
  // The test when its first look, cut as a redeal cuts, has been taken already.
  bool follow(Look first, const Bit* cards, int known, Mask up, unsigned redeals) {
    for (int certain = first.certain;;) {
      if (certain < 0) return false;
      if (redeals == 0 || certain == known) return true;
      if (certain == 0) return false;
      known = certain;
      redeals = one_less(redeals);
      certain = look(cards, known, up).certain;
    }
  }

  // True if the fixpoint lets all known cards leave, cut as a redeal cuts.
  bool all_leave(const Bit* cards, int known, Mask up) {
    return look(cards, known, up).certain < 0;
  }

 private:
  // One code path a rule set: the switches are asked for every card.
  Look at(const Bit* cards, int known, const Cut& cut, Mask up) {
    if (rules_.top_first && rules_.single) return look_as<true, true>(cards, known, cut, up);
    if (rules_.top_first) return look_as<true, false>(cards, known, cut, up);
    if (rules_.single) return look_as<false, true>(cards, known, cut, up);
    return look_as<false, false>(cards, known, cut, up);
  }

  template <bool kTopFirst, bool kSingle>
  Look look_as(const Bit* cards, int known, const Cut& cut, Mask up) {
    Mask all = 0;
    Reach now{0, 0, 0};
    for (int p = 0; p < cut.count; ++p) {
      const int first = cut.start[p], last = cut.start[p + 1] - 1;
      Mask head = 0, run = 0;
      int before = -2;
      for (int i = first; i <= last; ++i) {
        const Bit card = cards[kTopFirst ? first + last - i : i];
        const Mask bit = mask_of(card);
        all |= bit;
        if (!kSingle && card == before + 1) {
          run |= bit;
        } else {
          under_[card] = {head, run};
          head = run = bit;
        }
        before = card;
      }
      now.stuck |= head;
      now.reached |= run;
    }
    now.reached |= kAll & ~all;
    const Mask heads = now.stuck;
    now = close(now, kAces, {}, [&](int card) { return under_[card].head; },
                [&](int card) { return under_[card].run; });
    if (!now.stuck) return {-1, now.reached};
    for (int p = 0; p < cut.count; ++p) {
      const int first = cut.start[p], last = cut.start[p + 1] - 1;
      const Mask insertable = now.reached & ~up;
      if (kTopFirst) {
        int head = first;
        while (!(heads >> cards[head] & 1)) ++head;
        const bool joined = insertable >> (cards[first] + 1) & 1;
        if (joined || !(now.stuck >> cards[head] & 1)) return {first, now.reached};
      } else {
        int stuck = last;
        while (stuck >= first && !(now.stuck >> cards[stuck] & 1)) --stuck;
        if (stuck < first) return {first, now.reached};
        int end = stuck;
        if (!kSingle)
          while (end < last && cards[end + 1] == cards[end] + 1) ++end;
        if (end != last || insertable >> (cards[last] + 1) & 1) return {end + 1, now.reached};
      }
    }
    return {known, now.reached};
  }

  // What a card that is no part of a run uncovers when it leaves: the head below, and its run.
  struct Under {
    Mask head, run;
  };

  Rules rules_;
  std::array<Under, 64> under_{};
};

}  // namespace dealsweep::perseverance
