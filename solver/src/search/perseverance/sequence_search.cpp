#include "sequence_search.hpp"

namespace dealsweep::perseverance {

SequenceSearch::End SequenceSearch::operator()(const Phase& root, bool standard, const Plan& plan,
                                               Effort& effort) {
  plan_ = plan;
  effort_ = &effort;
  sampler_ = Sampler(plan.seed);
  end_at_ = plan.budget < kNoLimit - effort.iterations ? effort.iterations + plan.budget : kNoLimit;
  table_.clear();
  open_.clear();
  tree_.start_search();
  won_ = false;
  complete_ = true;
  // The root is node 0. Under another cut its sequence may come again and is then another state.
  SequenceTable::Node node;
  node.redeals = rules_.redeals;
  table_.reach(standard ? root.sequence() : Sequence{}, node);
  if (!expand(root, 0, rules_.redeals)) return won_ ? End::kWon : End::kOpen;
  while (!open_.empty()) {
    std::pop_heap(open_.begin(), open_.end());
    const Open next = open_.back();
    open_.pop_back();
    if (table_[next.index].redeals != next.redeals) continue;  // reached again with more
    if (!expand(Phase(rules_, table_.sequence(next.index)), next.index, next.redeals))
      return won_ ? End::kWon : End::kOpen;
  }
  return complete_ ? End::kLost : End::kOpen;
}

// Deals every end of a phase. False if the search must end.
bool SequenceSearch::expand(const Phase& phase, std::uint32_t index, unsigned redeals) {
  SequenceTable::Node node;
  node.parent = index;
  node.redeals = one_less(redeals);
  const auto leaf = [&](const Configuration& at) {
    if (at.won()) return win(index, nullptr);
    node.from = {at.hanging, at.up};
    return charge() && child(phase.redealt(rules_, at), at.up, node);
  };
  if (!rules_.single && rules_.exhausted) return effort_->spend() && leaf(exhausted(phase));
  if (!rules_.single && plan_.is_complete()) return tree_(phase, node.redeals, *effort_, end_at_, leaf);
  const auto rated = [&](const Configuration& at, int& promise) {
    promise_ = promise;  // stays if the sequence is known
    const bool goes_on = leaf(at);
    promise = promise_;
    return goes_on;
  };
  const unsigned cap = index == 0 ? plan_.root_cap : plan_.cap;
  const Configurations::End end = configurations_(phase, cap, plan_.draws, sampler_, *effort_, rated);
  if (end == Configurations::End::kCapped) complete_ = false;
  return end != Configurations::End::kEnded;
}

// Where a phase with runs ends when nothing can move any more: no move disables another, so every order
// of moves ends there.
Configuration SequenceSearch::exhausted(const Phase& phase) {
  Configuration at = phase.start();
  for (;;) {
    if (const Mask rises = Phase::ups(at))
      phase.move_up(at, rises & -rises);
    else if (const Mask joins = Phase::merges(at, false))
      phase.merge(at, joins & -joins);
    else
      return at;
  }
}

// Takes in one dealt sequence, with all other cards `up`. False if the search must end.
bool SequenceSearch::child(const Sequence& sequence, Mask up, const SequenceTable::Node& node) {
  const bool last = node.redeals == 0;
  const auto found = last ? FlatSet<5>::Found{node.parent, true} : table_.reach(sequence, node);
  if (!found.added) return true;
  ++effort_->generated;
  const Bit* cards = sequence.cards.data();
  const DeadPrefix::Look look = dead_.look(cards, sequence.size, up);
  promise_ = 2 * count(look.reached) + count(up);
  if (look.certain < 0) {
    const Phase phase(rules_, sequence);
    const auto end = last_(phase, phase.start(), 0, kAll, *effort_, last ? kNoLimit : kLastPhaseBudget);
    if (end == PathSearch::End::kFound) return win(found.index, last ? &node.from : nullptr);
    if (effort_->reason != Reason::kNone) return false;
  }
  if (last) return true;
  if (pruning_.dead_prefix && dead_.follow(look, cards, sequence.size, up, node.redeals)) return true;
  if (pruning_.abstraction)
    for (std::size_t i = 0; i < plan_.proofs; ++i)
      if (abstraction_.proves_lost(cards, sequence.size, up, node.redeals, kProofs[i], *effort_)) return true;
  const int noise = plan_.noise ? static_cast<int>(sampler_.below(plan_.noise)) : 0;
  open_.push_back({promise_ + noise, found.index, node.redeals});
  std::push_heap(open_.begin(), open_.end());
  return true;
}

// The win lies in node `index`, or in the deal that follows its configuration `last`.
bool SequenceSearch::win(std::uint32_t index, const Target* last) {
  targets_ = table_.targets(index);
  if (last) targets_.push_back(*last);
  won_ = true;
  return false;
}

}  // namespace dealsweep::perseverance
