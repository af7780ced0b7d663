// The moves of a phase from one configuration to another.
#pragma once

#include <vector>

#include "effort.hpp"
#include "flat_set.hpp"
#include "reach.hpp"

namespace dealsweep::perseverance {

struct Step {
  Bit card;  // the head that is put on its parent, or the top that goes up
  bool up;
};

// Finds moves from `at` to the configuration with these cards hanging and up. With all cards up as
// the target and no redeal left this is the exact search of the last phase.
class PathSearch {
 public:
  explicit PathSearch(const Rules& rules) : rules_(rules) {}

  enum class End { kFound, kNone, kOpen };

  // `budget`: configurations with a choice that may be visited; each is charged to `effort` too.
  End operator()(const Phase& phase, const Configuration& at, Mask hanging, Mask up, Effort& effort,
                 std::uint64_t budget = kNoLimit) {
    phase_ = &phase;
    hanging_ = hanging;
    up_ = up;
    steps_.clear();
    seen_.clear();
    budget_ = budget;
    effort_ = &effort;
    return rules_.single ? search(at) : greedy(at);
  }
  const std::vector<Step>& steps() const { return steps_; }

 private:
  Mask leaving() const { return hanging_ | up_; }

  void merge(Configuration& at, Mask head) {
    phase_->merge(at, head);
    steps_.push_back({static_cast<Bit>(std::countr_zero(head)), false});
  }
  void move_up(Configuration& at, Mask top) {
    phase_->move_up(at, top);
    steps_.push_back({static_cast<Bit>(std::countr_zero(top)), true});
  }
  bool arrived(const Configuration& at) const { return at.hanging == hanging_ && at.up == up_; }

  // Runs: no move disables another, and a card that goes up in the end may hang before. So making
  // every move of a card that leaves in the end arrives exactly there.
  End greedy(Configuration at) {
    for (;;) {
      if (const Mask rises = Phase::ups(at) & up_)
        move_up(at, rises & -rises);
      else if (const Mask joins = Phase::merges(at, false) & leaving())
        merge(at, joins & -joins);
      else
        return arrived(at) ? End::kFound : End::kNone;
    }
  }

  // Single cards. What needs no choice, given the target:
  //  - a card that goes up may go at once: only its child could use it, and that is up already;
  //  - a card that hangs in the end may be put on a parent that will not move any more;
  //  - so may one that goes up later; one that covers nothing need not be put anywhere.
  // A card that hangs in the end never goes on a parent that must still move. Left are cards that
  // go up later, put on parents that might have moved meanwhile.
  Mask settle(Configuration& at) {
    for (;;) {
      if (const Mask rises = Phase::ups(at) & up_) {
        move_up(at, rises & -rises);
        continue;
      }
      Mask choices = 0, safe = 0;
      for (Mask heads = Phase::merges(at, true) & leaving(); heads; heads &= heads - 1) {
        const Mask head = heads & -heads;
        const Mask parent = head >> 1;
        const bool parent_settled = at.hanging & parent || !(leaving() & parent);
        if (head & hanging_) {
          if (parent_settled) safe |= head;
        } else if (phase_->beneath(std::countr_zero(head))) {
          const bool bottom = !phase_->beneath(std::countr_zero(parent)) && !(hanging_ & parent);
          (parent_settled || bottom ? safe : choices) |= head;
        }
      }
      if (!safe) return choices;
      merge(at, safe & -safe);
    }
  }

  End search(Configuration at) {
    const std::size_t before = steps_.size();
    const Mask choices = settle(at);
    if (arrived(at)) return End::kFound;
    End end = End::kNone;
    if (choices && possible(at) && seen_.insert({at.hanging, at.up}).added) {
      if (budget_ == 0 || !effort_->spend()) return End::kOpen;
      --budget_;
      for (Mask left = choices; left && end == End::kNone; left &= left - 1) {
        Configuration child = at;
        merge(child, left & -left);
        end = search(child);
        if (end == End::kNone) steps_.pop_back();
      }
    }
    if (end == End::kNone) steps_.resize(before);
    return end;
  }

  // Everything that must leave still can, by the upper bound.
  bool possible(const Configuration& at) const {
    const Mask must = leaving() & ~(at.hanging & hanging_);
    return !(reach(*phase_, at, {kAll & ~leaving(), 0}, true).stuck & must);
  }

  Rules rules_;
  const Phase* phase_ = nullptr;
  Mask hanging_ = 0, up_ = 0;
  std::vector<Step> steps_;
  FlatSet<2> seen_;
  std::uint64_t budget_ = 0;
  Effort* effort_ = nullptr;
};

}  // namespace dealsweep::perseverance
