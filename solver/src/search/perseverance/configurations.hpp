// The configurations of a phase one move after the other, each once: for single cards, where moves
// exclude one another, and for samples of a phase.
#pragma once

#include <vector>

#include "effort.hpp"
#include "flat_set.hpp"
#include "phase.hpp"
#include "sampler.hpp"

namespace dealsweep::perseverance {

class Configurations {
 public:
  explicit Configurations(const Rules& rules) : rules_(rules) {}

  enum class End { kAll, kCapped, kEnded };

  // Calls leaf(configuration) for each configuration in which the phase may end; a leaf that says
  // false ends the walk. A cap (0: none) is on the configurations expanded, which are then taken in
  // random order.
  template <typename Leaf>
  End operator()(const Phase& phase, unsigned cap, Sampler& sampler, Effort& effort, Leaf&& leaf) {
    seen_.clear();
    open_.clear();
    push(phase.start());
    for (unsigned expanded = 0; !open_.empty(); ++expanded) {
      if (cap != 0 && expanded == cap) return End::kCapped;
      if (!effort.spend()) return End::kEnded;
      if (cap != 0) std::swap(open_.back(), open_[sampler.below(static_cast<std::uint32_t>(open_.size()))]);
      const Configuration at = open_.back();
      open_.pop_back();
      if (effort.too_large(bytes())) return End::kEnded;
      const Mask merges = Phase::merges(at, rules_.single), ups = Phase::ups(at);
      if ((!rules_.exhausted || !(merges | ups)) && !leaf(at)) return End::kEnded;
      for (Mask m = merges; m; m &= m - 1) {
        Configuration child = at;
        phase.merge(child, m & -m);
        push(child);
      }
      for (Mask m = ups; m; m &= m - 1) {
        Configuration child = at;
        phase.move_up(child, m & -m);
        push(child);
      }
    }
    return End::kAll;
  }

 private:
  void push(const Configuration& at) {
    if (seen_.insert({at.hanging, at.up}).added) open_.push_back(at);
  }
  std::uint64_t bytes() const { return seen_.bytes() + 2 * open_.size() * sizeof(Configuration); }

  Rules rules_;
  FlatSet<2> seen_;
  std::vector<Configuration> open_;
};

}  // namespace dealsweep::perseverance
