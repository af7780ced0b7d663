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

  // Calls leaf(configuration, promise) for each configuration in which the phase may end; a leaf that says
  // false ends the walk. A cap (0: none) is on the configurations expanded: then so many `draws` are made
  // at random each time, and that goes on whose parent has the highest promise, which its leaf may set.
  template <typename Leaf>
  End operator()(const Phase& phase, unsigned cap, int draws, Sampler& sampler, Effort& effort, Leaf&& leaf) {
    seen_.clear();
    open_.clear();
    push(phase.start(), 0);
    for (unsigned expanded = 0; !open_.empty(); ++expanded) {
      if (cap != 0 && expanded == cap) return End::kCapped;
      if (!effort.spend()) return End::kEnded;
      if (cap != 0) std::swap(open_.back(), open_[draw(draws, sampler)]);
      const auto [at, inherited] = open_.back();
      open_.pop_back();
      if (effort.too_large(bytes())) return End::kEnded;
      const Mask merges = Phase::merges(at, rules_.single), ups = Phase::ups(at);
      int promise = inherited;
      if ((!rules_.exhausted || !(merges | ups)) && !leaf(at, promise)) return End::kEnded;
      for (Mask m = merges; m; m &= m - 1) {
        Configuration child = at;
        phase.merge(child, m & -m);
        push(child, promise);
      }
      for (Mask m = ups; m; m &= m - 1) {
        Configuration child = at;
        phase.move_up(child, m & -m);
        push(child, promise);
      }
    }
    return End::kAll;
  }

 private:
  struct Open {
    Configuration at;
    int promise;  // of the parent
  };
  void push(const Configuration& at, int promise) {
    if (seen_.insert({at.hanging, at.up}).added) open_.push_back({at, promise});
  }
  std::size_t draw(int draws, Sampler& sampler) const {
    const auto size = static_cast<std::uint32_t>(open_.size());
    std::uint32_t best = sampler.below(size);
    for (int i = 1; i < draws; ++i) {
      const std::uint32_t other = sampler.below(size);
      if (open_[other].promise > open_[best].promise) best = other;
    }
    return best;
  }
  std::uint64_t bytes() const { return seen_.bytes() + 2 * open_.size() * sizeof(Open); }

  Rules rules_;
  FlatSet<2> seen_;
  std::vector<Open> open_;
};

}  // namespace dealsweep::perseverance
