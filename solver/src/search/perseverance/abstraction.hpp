// A prover of losses: the game on the front of the sequence, all other cards free.
//
// Only the first cards of a dealt sequence stay known. Every other card that is not on a foundation is
// wild: at hand at any time, in any role. If that game cannot get rid of its known cards, the deal is
// lost, because each line of the real game is one of this game too: where a known card lies after a
// phase depends on the prefix alone, and what real cards do beyond it wild cards may do. Moves on the
// top of a known pile (with its run's head, where runs move):
//  - to the foundation, if no lower card of its suit is known (the wild ones go before it);
//  - the head onto its wild parent: it leaves the prefix and is wild again;
//  - the head onto its known parent, a top;
//  - a wild child onto the top: it becomes known.
// A redeal joins the known piles and may forget all behind some length. In the last pile, cut short, the
// unknown cards lie above (bottom-first) or beneath (top-first), and what is known counts as the pile.
//
// Two things need not be tried. Going up where the parent is wild: as a wild card it can do more. And
// inserting before the end of a phase: an inserted card is covered or moves only as wild cards may, serves
// as a parent no better than as a wild one, and can be inserted as long as the top is there. So a phase is
// searched without insertions, and each of its ends dealt with every choice of them.
#pragma once

#include <algorithm>
#include <vector>

#include "dead_prefix.hpp"
#include "effort.hpp"
#include "flat_set.hpp"

namespace dealsweep::perseverance {

class Abstraction {
 public:
  explicit Abstraction(const Rules& rules) : rules_(rules), dead_(rules) {}

  // Forgets all results; a deal begins.
  void start_deal() {
    lost_.clear();
    for (auto& level : open_) level.clear();
  }

  // How far one proof goes. Every level of a deal has its own budget-bound memory of what is open.
  struct Level {
    std::size_t index;
    int known;             // cards of the prefix
    int kept;              // most cards after a redeal
    std::uint32_t budget;  // dealt prefixes
    // Single cards: plays every state. Else gives up at one that the fixpoint of reach.hpp empties. That
    // is quick where a deal can be won, but for single cards the fixpoint is only an upper bound, and
    // many a lost prefix passes it. With runs it is exact, and both are the same.
    bool exact = false;
  };
  static constexpr std::size_t kLevels = 24;

  // True if every sequence that begins with these cards, cut as a redeal cuts, is proved lost. False says
  // nothing.
  bool proves_lost(const Bit* cards, int size, Mask up, unsigned redeals, const Level& level,
                   Effort& effort) {
    if (redeals == 0) return false;
    State root;
    root.known = static_cast<std::uint8_t>(std::min(level.known, size));
    std::copy_n(cards, root.known, root.cards.begin());
    root.redeals = redeals > kMostRedeals ? kUnlimited : redeals;
    root.up = up;
    return explore(root, level, effort);
  }

 private:
  static constexpr int kMost = 20;  // cards of a state's key
  static constexpr unsigned kMostRedeals = 4095;  // more count as unlimited, which loses less

  struct State {
    std::array<Bit, kMost> cards;
    std::uint8_t known = 0;
    unsigned redeals = 0;
    Mask up = 0;
  };
  struct Pending {
    State state;
    std::uint32_t parent;
  };
  struct Configuration {
    Mask heads, hanging, wild, up;
  };

  // The cards, and the foundations of their suits: no other height matters. Redeals are few; their bits
  // go where the foundations have none.
  static Words<3> key(State& state) {
    Mask lanes = 0;
    Words<3> words{};
    for (int i = 0; i < state.known; ++i) {
      words[i / 10] |= std::uint64_t{state.cards[i] + 1u} << (6 * (i % 10));
      lanes |= mask_of(state.cards[i] & 48);
    }
    state.up &= lanes * 0x1fff;
    const std::uint64_t r = state.redeals == kUnlimited ? 0 : state.redeals;
    words[2] = state.up | (r & 7) << 13 | (r >> 3 & 7) << 29 | (r >> 6 & 7) << 45 | (r >> 9 & 7) << 61;
    return words;
  }

  bool explore(State root, const Level& level, Effort& effort) {
    FlatSet<3>& open = open_[level.index];
    const Words<3> root_key = key(root);
    if (lost_.contains(root_key)) return true;
    if (open.contains(root_key)) return false;
    seen_.clear();
    parents_.clear();
    stack_.clear();
    seen_.insert(root_key);
    parents_.push_back(~0u);
    stack_.push_back({root, 0});
    std::uint32_t left = level.budget;
    while (!stack_.empty()) {
      const Pending next = stack_.back();
      stack_.pop_back();
      if (!expand(next.state, next.parent, level, open, left, effort)) {
        // Alive: so is every state on the way. Out of budget: nothing is known, but asking again is vain.
        if (left != 0)
          for (std::uint32_t i = next.parent; i != ~0u; i = parents_[i]) open.insert(seen_[i]);
        open.insert(root_key);
        return false;
      }
    }
    for (std::uint32_t i = 0; i < seen_.size(); ++i) lost_.insert(seen_[i]);
    return true;
  }

  // Plays one phase from a state to each of its ends. False if the state is alive or the budget spent.
  bool expand(const State& state, std::uint32_t index, const Level& level, const FlatSet<3>& open,
              std::uint32_t& left, Effort& effort) {
    const bool played = rules_.single && level.exact && state.redeals != 0;
    if (!played && dead_.all_leave(state.cards.data(), state.known, state.up)) return false;
    if (state.redeals == 0) return true;
    if (dead_(state.cards.data(), state.known, state.up, state.redeals)) return true;
    Configuration at = lay_out(state);
    configurations_.clear();
    queue_.clear();
    push(at);
    while (!queue_.empty()) {
      at = queue_.back();
      queue_.pop_back();
      if (!deal({&state, &at, index, level.kept, &open, &left, &effort}, 0, State{})) return false;
      moves(at);
    }
    return true;
  }

  void push(const Configuration& at) {
    if (configurations_.insert({at.hanging, at.wild, at.up}).added) queue_.push_back(at);
  }

  Configuration lay_out(const State& state) {
    Configuration at{0, 0, kAll & ~state.up, state.up};
    for (int first = 0; first < state.known; first += rules_.pile_size) {
      const int last = std::min<int>(first + rules_.pile_size, state.known) - 1;
      Mask head = 0;
      int before = -2;
      for (int i = first; i <= last; ++i) {
        const Bit card = state.cards[rules_.top_first ? first + last - i : i];
        at.wild &= ~mask_of(card);
        if (card == before + 1) {
          at.hanging |= mask_of(card);
        } else {
          beneath_[card] = head;
          head = mask_of(card);
        }
        before = card;
      }
      at.heads |= head;
    }
    return at;
  }

  void moves(const Configuration& at) {
    const Mask tops = ((at.hanging + (at.heads << 1)) & ~at.hanging) >> 1;
    const Mask movable = rules_.single ? at.heads & tops : at.heads;
    for (Mask m = movable & (at.wild << 1); m; m &= m - 1) {
      const Mask head = m & -m;
      Configuration next = at;
      const Mask run = head | (at.hanging & ~(at.hanging + (head << 1)) & lane_of(head));
      next.heads = (at.heads ^ head) | beneath_[std::countr_zero(head)];
      next.hanging &= ~run;
      next.wild |= run;
      push(next);
    }
    for (Mask m = movable & (tops << 1); m; m &= m - 1) {
      const Mask head = m & -m;
      Configuration next = at;
      next.heads = (at.heads ^ head) | beneath_[std::countr_zero(head)];
      next.hanging |= head;
      push(next);
    }
    const Mask known = kAll & ~(at.wild | at.up);
    for (Mask m = tops & ~(movable & (at.wild << 1)); m; m &= m - 1) {
      const Mask top = m & -m;
      const Mask lower = lane_of(top) & ~(top | (top - 1));
      if (known & lower) continue;
      Configuration next = at;
      if (at.heads & top)
        next.heads = (at.heads ^ top) | beneath_[std::countr_zero(top)];
      else
        next.hanging ^= top;
      next.up |= top | lower;
      next.wild &= ~lower;
      push(next);
    }
  }

  // One end of a phase on its way to the next deals.
  struct End {
    const State* state;
    const Configuration* at;
    std::uint32_t index;
    int kept;
    const FlatSet<3>* open;
    std::uint32_t* left;
    Effort* effort;
  };

  // Goes on with a sequence from the i-th known card, with every choice of insertions behind it.
  bool deal(const End& end, int i, State next) {
    const Configuration& at = *end.at;
    const Mask gone = at.hanging | at.wild | at.up;
    for (; i < end.state->known && next.known < end.kept; ++i) {
      const int card = end.state->cards[i];
      if (gone >> card & 1) continue;
      int last = card;
      while (at.hanging >> (last + 1) & 1) ++last;
      const bool top = at.heads >> card & 1;
      if (!rules_.top_first) append(next, card, last, end.kept);
      if (top) {
        for (int inserted = last + 1; at.wild >> inserted & 1 && next.known < end.kept; ++inserted) {
          if (rules_.top_first) {
            State longer = next;
            append(longer, card, inserted, end.kept);
            if (!deal(end, i + 1, longer)) return false;
          } else {
            if (!deal(end, i + 1, next)) return false;
            append(next, inserted, inserted, end.kept);
          }
        }
      }
      if (rules_.top_first) append(next, card, last, end.kept);
    }
    next.redeals = one_less(end.state->redeals);
    next.up = at.up;
    return take_in(end, next);
  }

  // Appends the run first..last (from its head) in pick-up order, as far as it is kept.
  void append(State& state, int first, int last, int kept) const {
    for (int c = first; c <= last && state.known < kept; ++c)
      state.cards[state.known++] = static_cast<Bit>(rules_.top_first ? first + last - c : c);
  }

  // False if the state dealt is alive, or the budget spent.
  bool take_in(const End& end, State& next) {
    if (next.known == 0 || *end.left == 0) return false;
    --*end.left;
    end.effort->poll();
    const Words<3> next_key = key(next);
    if (lost_.contains(next_key)) return true;
    if (end.open->contains(next_key)) return false;
    if (seen_.insert(next_key).added) {
      parents_.push_back(end.index);
      stack_.push_back({next, static_cast<std::uint32_t>(seen_.size() - 1)});
    }
    return true;
  }

  Rules rules_;
  DeadPrefix dead_;
  FlatSet<3> lost_;                       // proved, good for the whole deal
  std::array<FlatSet<3>, kLevels> open_;  // alive or given up, a level each
  FlatSet<3> seen_, configurations_;
  std::vector<std::uint32_t> parents_;
  std::vector<Pending> stack_;
  std::vector<Configuration> queue_;
  std::array<Mask, 64> beneath_;
};

}  // namespace dealsweep::perseverance
