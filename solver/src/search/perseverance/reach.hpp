// The cards that can be exposed in what is left of a phase.
//
// Runs: no move disables another. A card is only ever covered by its one child, a covered head moves
// with its run, and a card goes up only after all that could stand on it. So one fixpoint gives
// exactly what can be exposed: a head leaves its pile once its parent has been exposed, or once it
// and all lower cards of its suit have been. When every head leaves, all cards go up.
// Single cards: a card that has been covered cannot go onto its parent, so the fixpoint is an upper
// bound.
#pragma once

#include <bit>

#include "phase.hpp"

namespace dealsweep::perseverance {

// What may not happen for the rest of the phase.
struct Bans {
  Mask staying = 0;    // heads that stay where they are
  Mask closed = 0;     // cards that do not go up
};

struct Reach {
  Mask reached = 0;  // on a foundation, or exposed at some time
  Mask stuck = 0;    // in each pile the first card that cannot leave
  Mask rising = 0;   // may go to a foundation
};

// The fixpoint. `beneath(card)` is exposed when `card` leaves, `revealed(card)` all that is exposed then.
template <typename Beneath, typename Revealed>
inline Reach close(Reach at, Mask next, const Bans& bans, Beneath beneath, Revealed revealed) {
  const Mask free = ~(bans.staying | bans.closed);
  // Two cards a turn, the same one twice if there is no other: how many there are is hard to predict.
  const auto leave = [&](Mask leaving) {
    const Mask first = leaving & -leaving, others = leaving ^ first, second = others & -others;
    const int a = std::countr_zero(first);
    const int b = std::countr_zero(second ? second : first);
    at.stuck = (at.stuck ^ (first | second)) | beneath(a) | beneath(b);
    at.reached |= revealed(a) | revealed(b);
  };
  for (;;) {
    while (const Mask leaving = at.stuck & ~bans.staying & at.reached << 1) leave(leaving);
    while (const Mask risen = next & at.reached & free) {
      at.rising |= risen;
      next = (next ^ risen) | (risen >> 1 & kAll);
    }
    const Mask leaving = at.stuck & ~bans.staying & at.rising;
    if (!leaving) return at;
    leave(leaving);
  }
}

inline Reach reach(const Phase& phase, const Configuration& at, const Bans& bans, bool single) {
  if (single) {
    const Mask tops = at.tops();
    // Under a card put on its parent lies the parent; under any other the last of the run dealt there.
    const auto beneath = [&](int card) {
      return at.hanging >> card & 1 ? mask_of(static_cast<Bit>(card - 1))
                                    : std::bit_floor(phase.revealed(card));
    };
    return close({at.up | tops, tops, 0}, at.next, bans, beneath, beneath);
  }
  return close({at.up | at.exposed(), at.heads, 0}, at.next, bans,
               [&](int card) { return phase.beneath(card); }, [&](int card) { return phase.revealed(card); });
}

}  // namespace dealsweep::perseverance
