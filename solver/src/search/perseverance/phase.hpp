// A phase: what happens between two redeals.
//
// Within a phase a card can only ever be put on one card, its parent (next rank up, same suit), so a
// configuration is told by two sets: the cards that stand on their parent, and those on the
// foundations. All others are where they were dealt. A part of a run never moves: its head's only
// target lies beneath it already. Cards dealt on their parent count as standing on it.
#pragma once

#include <cstring>

#include "cards.hpp"

namespace dealsweep::perseverance {

struct Configuration {
  Mask heads = 0;    // in each pile the topmost card that does not stand on its parent
  Mask hanging = 0;  // the cards that stand on their parent
  Mask up = 0;       // the cards on the foundations
  Mask next = 0;     // the next card of each foundation

  // The top card of each pile: the last of the run on its head. The sum's carry runs from the card
  // after a head through the hanging ones behind it, and stops one past the last.
  Mask tops() const { return ((hanging + (heads << 1)) & ~hanging) >> 1; }
  // Heads and the runs on them.
  Mask exposed() const { return heads | (hanging & ~(hanging + (heads << 1))); }
  bool won() const { return up == kAll; }
};

class Phase {
 public:
  // `up`: the cards on the foundations, all those that `sequence` lacks.
  Phase(const Rules& rules, const Sequence& sequence, const Cut& cut) : sequence_(sequence), cut_(cut) {
    for (int p = 0; p < cut.count; ++p) {
      const int first = cut.start[p], last = cut.start[p + 1] - 1;
      Mask head = 0, run = 0, dealt = 0;
      int before = -2;
      for (int i = first; i <= last; ++i) {
        const Bit card = sequence.cards[rules.top_first ? first + last - i : i];
        const Mask bit = mask_of(card);
        dealt |= bit;
        pile_[card] = static_cast<std::uint8_t>(p);
        if (card == before + 1) {
          start_.hanging |= bit;
          run |= bit;
        } else {
          beneath_[card] = head;
          revealed_[card] = run;
          head = run = bit;
        }
        before = card;
      }
      start_.heads |= head;
      dealt_[p] = dealt;
    }
    start_.up = kAll & ~sequence.mask();
    start_.next = next_of(start_.up);
  }
  Phase(const Rules& rules, const Sequence& sequence)
      : Phase(rules, sequence, Cut::even(sequence.size, rules.pile_size)) {}

  const Configuration& start() const { return start_; }
  const Sequence& sequence() const { return sequence_; }
  const Cut& cut() const { return cut_; }

  // The pile where a card was dealt.
  int pile(int card) const { return pile_[card]; }
  // The cards dealt to a pile.
  Mask cards_of(int p) const { return dealt_[p]; }
  // The head exposed when head `card` leaves its pile, or none; the same with the run dealt on it.
  Mask beneath(int card) const { return beneath_[card]; }
  Mask revealed(int card) const { return revealed_[card]; }

  // The heads that can go onto their parent: with their runs, or only bare ones.
  static Mask merges(const Configuration& at, bool single) {
    const Mask tops = at.tops();
    return at.heads & (tops << 1) & (single ? tops : kAll);
  }
  // The cards that can go to their foundation.
  static Mask ups(const Configuration& at) { return at.tops() & at.next; }
  static bool stuck(const Configuration& at, bool single) { return !(merges(at, single) | ups(at)); }

  void merge(Configuration& at, Mask head) const {
    at.heads = (at.heads ^ head) | beneath_[std::countr_zero(head)];
    at.hanging |= head;
  }
  void move_up(Configuration& at, Mask top) const {
    if (at.heads & top)
      at.heads = (at.heads ^ top) | beneath_[std::countr_zero(top)];
    else
      at.hanging ^= top;
    at.up |= top;
    at.next = (at.next ^ top) | (top >> 1 & kAll);
  }

  // The cards in pick-up order. A hanging card follows its parent from the bottom, comes before it
  // from the top; the others keep the order of the deal.
  Sequence redealt(const Rules& rules, const Configuration& at) const {
    static_assert(std::endian::native == std::endian::little);
    constexpr std::uint32_t kEach = 0x0101'0101;
    const std::uint32_t steps = rules.top_first ? -0x0302'0100u : 0x0302'0100u;
    const std::uint32_t from_end = rules.top_first ? ~0u : 0u;
    Sequence next;
    unsigned size = 0;
    const Mask gone = at.hanging | at.up;
    // Four cards are written of each run, and as many counted as there are: runs are mostly short, and
    // nothing could predict their lengths.
    for (int i = 0; i < sequence_.size; ++i) {
      const std::uint32_t card = sequence_.cards[i];
      const std::uint32_t behind = static_cast<std::uint32_t>(std::countr_one(at.hanging >> (card + 1)));
      const std::uint32_t four = (card + (behind & from_end)) * kEach + steps;
      std::memcpy(&next.cards[size], &four, 4);
      const std::uint32_t stays = ~gone >> card & 1;
      if (behind > 3 && stays) [[unlikely]]
        for (std::uint32_t k = 4; k <= behind; ++k)
          next.cards[size + k] = static_cast<Bit>(rules.top_first ? card + behind - k : card + k);
      size += (behind + 1) & -stays;
    }
    next.size = static_cast<std::uint8_t>(size);
    return next;
  }

 private:
  Sequence sequence_;
  Cut cut_;
  Configuration start_;
  std::array<Mask, 64> beneath_, revealed_;  // of the cards in the sequence
  std::array<std::uint8_t, 64> pile_;
  std::array<Mask, kDeckSize> dealt_;  // by pile
};

}  // namespace dealsweep::perseverance
