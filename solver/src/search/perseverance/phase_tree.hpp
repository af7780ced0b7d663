// Every configuration that a phase with runs can end in, each once, by a tree of decisions.
//
// A decision is that a card leaves its place or never does, or that a suit's next card goes to the
// foundation or none does any more. The fixpoint of reach.hpp under all the bans tells exactly what can
// still happen, and as no move disables another, all of that can happen together: so any undecided card
// may be next, whether it can move yet or not, and a branch is empty only if the fixpoint lacks something
// that it has promised. Where nothing is undecided, a card that leaves and does not go up hangs on its
// parent. Branches differ in a card in place, or in a foundation's height: no configuration comes twice.
//
// Cards are decided in the order of the next deal, so that its front is certain early: nodes are cut
// where it is proved lost, by dead_prefix.hpp or abstraction.hpp. Before the last phase a deal may be lost
// by its last cards instead, and then a tree that knows them early is hundreds of times smaller; once all
// rises are decided their places are certain too. So that tree is tried in turn with the other, each
// time with more patience.
#pragma once

#include <algorithm>

#include "abstraction.hpp"
#include "certain_ends.hpp"
#include "effort.hpp"

namespace dealsweep::perseverance {

class PhaseTree {
 public:
  explicit PhaseTree(const Rules& rules)
      : rules_(rules), dead_(rules), front_(rules, false), back_(rules, true) {}

  bool cut_dead_prefixes = true;
  Abstraction* abstraction = nullptr;  // none: only dead prefixes are cut
  static constexpr std::array<Abstraction::Level, 2> kTreeProofs{{{0, 4, 16, 200}, {1, 8, 16, 2000}}};

  // Forgets what trees were like: a deal's course is its own.
  void start_search() {
    back_first_ = false;
    last_size_ = 0;
  }

  // Calls leaf(configuration) for each; a leaf that says false ends the walk. `left`: redeals left
  // after the one that ends the phase; with none left a leaf may be called twice. False if the walk was
  // ended, by a leaf, by the effort or because the iterations have come to `end_at`.
  template <typename Leaf>
  bool operator()(const Phase& phase, unsigned left, Effort& effort, std::uint64_t end_at, Leaf&& leaf) {
    phase_ = &phase;
    left_ = left;
    effort_ = &effort;
    end_at_ = end_at;
    if (left != 0 || !cut_dead_prefixes) {
      start_search();
      return walk(leaf);
    }
    for (std::uint64_t patience = std::max(kFirstPatience, 2 * last_size_);; patience *= 2) {
      const std::uint64_t start = effort.iterations;
      end_at_ = std::min(end_at, start + patience);
      const bool whole = walk(leaf);
      last_size_ = effort.iterations - start;
      if (whole) return true;
      if (effort.iterations < end_at_ || end_at_ == end_at) return false;
      back_first_ = !back_first_;
    }
  }

 private:
  static constexpr std::uint64_t kFirstPatience = 500;

  template <typename Leaf>
  bool walk(Leaf& leaf) {
    const Reach may = reach(*phase_, phase_->start(), {}, false);
    return visit({}, {}, may, front_.begin(*phase_), back_.begin(*phase_), leaf);
  }

  template <typename Leaf>
  bool visit(Bans bans, Promises promised, Reach may, CertainEnd::Mark front, CertainEnd::Mark back,
             Leaf& leaf) {
    const Configuration& start = phase_->start();
    for (;;) {
      if (effort_->iterations >= end_at_ || !effort_->spend()) return false;
      const int before = front.certain;
      Choice choice = front_.advance(front, *phase_, promised, may);
      const Mask up = start.up | promised.up;
      const bool grown = front.certain > before;
      if (cut_dead_prefixes && grown && certainly_lost(before, front.certain, up)) return true;
      // What leaves only by going up is undecided still.
      const Mask undecided = may.rising & ~up;
      if (undecided && (back_first_ || !choice)) choice = CertainEnd::rise(undecided & -undecided, up);
      if (back_first_ && !undecided && choice) {
        choice = back_.advance(back, *phase_, promised, may);
        if (ends_lost(front.certain, back.certain, up)) return true;
      }
      if (!choice) {
        Configuration end = start;
        end.up = up;
        end.hanging = (end.hanging | promised.left) & ~up;
        return leaf(end);
      }
      const Promises more{promised.left | choice.leaves, promised.up | choice.rises};
      if (!visit(bans, more, may, front, back, leaf)) return false;
      bans.staying |= choice.leaves;
      bans.closed |= choice.rises;
      may = reach(*phase_, start, bans, false);
      if (promised.left & may.stuck || promised.left & ~may.reached || promised.up & ~may.rising) return true;
    }
  }

  bool certainly_lost(int before, int certain, Mask up) {
    if (dead_(front_.cards(), certain, up, left_)) return true;
    if (!abstraction || left_ == 0) return false;
    for (const auto& level : kTreeProofs)
      if (before < level.known &&
          abstraction->proves_lost(front_.cards(), certain, up, left_, level, *effort_))
        return true;
    return false;
  }

  // The last deal's first and last cards, with all between them free. Where a pile's first or last cards
  // are unknown, they lie beneath the others, or may leave before them.
  bool ends_lost(int first, int last, Mask up) {
    const int all = count(kAll & ~up);
    std::array<Bit, kDeckSize> cards;
    Cut cut;
    int known = 0;
    for (int place = 0; place < all; ++place) {
      if (place >= first && place < all - last) continue;
      if (place % rules_.pile_size == 0 || place == all - last)
        cut.start[cut.count++] = static_cast<std::uint8_t>(known);
      cards[known++] = place < first ? front_.cards()[place] : back_.cards()[all - 1 - place];
    }
    cut.start[cut.count] = static_cast<std::uint8_t>(known);
    return dead_(cards.data(), known, cut, up, 0);
  }

  Rules rules_;
  DeadPrefix dead_;
  const Phase* phase_ = nullptr;
  unsigned left_ = 0;
  Effort* effort_ = nullptr;
  std::uint64_t end_at_ = kNoLimit;
  // Which tree ended last since the search began, and its nodes: the next is likely to be similar.
  bool back_first_ = false;
  std::uint64_t last_size_ = 0;
  // A node writes only behind what its parent is sure of.
  CertainEnd front_, back_;
};

}  // namespace dealsweep::perseverance
