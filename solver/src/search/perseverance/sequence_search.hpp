// Best-first search over dealt sequences, for every rule set.
//
// A dealt sequence with the redeals left is a whole state: the cards it lacks are on the foundations.
// So a phase's end matters only by the sequence it deals next, and a complete search need see each
// sequence once with its most redeals.
#pragma once

#include <algorithm>
#include <vector>

#include "abstraction.hpp"
#include "configurations.hpp"
#include "path.hpp"
#include "phase_tree.hpp"
#include "sequence_table.hpp"

namespace dealsweep::perseverance {

struct Pruning {
  bool dead_prefix = true;
  bool abstraction = true;
};

// How one search goes about it.
struct Plan {
  std::uint64_t budget = kNoLimit;  // iterations of this search
  unsigned root_cap = 0;            // configurations of the first phase that are expanded; 0: all
  unsigned cap = 0;                 // the same of later phases
  int draws = 1;                    // of which the most promising configuration is expanded
  std::uint32_t noise = 0;          // added to a sequence's score, below this
  std::size_t proofs = 2;           // of the abstraction, tried on each new sequence
  std::uint64_t seed = 0;

  bool is_complete() const { return cap == 0; }
};

class SequenceSearch {
 public:
  SequenceSearch(const Rules& rules, const Pruning& pruning, Abstraction& abstraction)
      : rules_(rules), pruning_(pruning), dead_(rules), tree_(rules), configurations_(rules), last_(rules),
        abstraction_(abstraction) {
    tree_.cut_dead_prefixes = pruning.dead_prefix;
    if (pruning.abstraction) tree_.abstraction = &abstraction;
  }

  // kLost only without a cap.
  enum class End { kWon, kLost, kOpen };

  // `standard`: the root is cut as a redeal cuts.
  End operator()(const Phase& root, bool standard, const Plan& plan, Effort& effort);

  // How each phase before the last ends, on the way to the win.
  const std::vector<Target>& targets() const { return targets_; }

  // Whether a phase wins without another redeal. kOpen only with a budget.
  PathSearch::End last_phase(const Phase& phase, Effort& effort, std::uint64_t budget = kNoLimit) {
    if (reach(phase, phase.start(), {}, rules_.single).stuck) return PathSearch::End::kNone;
    if (!rules_.single) return PathSearch::End::kFound;
    return last_(phase, phase.start(), 0, kAll, effort, budget);
  }

 private:
  struct Open {
    std::int32_t score;
    std::uint32_t index;
    unsigned redeals;
    bool operator<(const Open& other) const {
      return score != other.score ? score < other.score : index < other.index;
    }
  };
  static constexpr std::uint64_t kLastPhaseBudget = 200;
  // Proofs tried on each new sequence.
  static constexpr std::array<Abstraction::Level, 2> kProofs{{{0, 4, 16, 200}, {1, 8, 16, 2000}}};

  bool expand(const Phase& phase, std::uint32_t index, unsigned redeals);
  static Configuration exhausted(const Phase& phase);
  bool child(const Sequence& sequence, Mask up, const SequenceTable::Node& node);
  bool win(std::uint32_t index, const Target* last);
  bool charge() { return effort_->iterations < end_at_ && !effort_->too_large(bytes()); }
  std::uint64_t bytes() const { return table_.bytes() + 2 * open_.size() * sizeof(Open); }

  Rules rules_;
  Pruning pruning_;
  DeadPrefix dead_;
  PhaseTree tree_;
  Configurations configurations_;
  PathSearch last_;
  Abstraction& abstraction_;
  SequenceTable table_;
  std::vector<Open> open_;
  std::vector<Target> targets_;
  Sampler sampler_{0};
  Plan plan_;
  Effort* effort_ = nullptr;
  std::uint64_t end_at_ = kNoLimit;
  int promise_ = 0;  // of the sequence last taken in: what can be exposed in it, and what is up
  bool won_ = false, complete_ = true;
};

}  // namespace dealsweep::perseverance
