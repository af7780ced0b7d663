// The complete search: depth-first over positions, each entered once.
#pragma once

#include <algorithm>
#include <vector>

#include "../../game.hpp"
#include "closure.hpp"
#include "state_set.hpp"

namespace dealsweep::bisley {

enum class Found : std::uint8_t { kWon, kLost, kLimit, kMemory };

// A release takes a card out of place for good, so positions form no cycles: one found in the set
// is proved lost, for the search ends with the first win.
template <Rules kRules>
class DepthFirst {
 public:
  DepthFirst(const Deal& deal, StateSet& seen, std::uint64_t limit, std::uint64_t memory_cap, StopCheck stop)
      : deal_(deal), seen_(seen), limit_(limit), memory_cap_(memory_cap), stop_(stop) {
    seen_.clear();
  }

  Found search(const Position& root) { return explore(root, {}, 0); }

  std::uint64_t iterations() const { return iterations_; }
  std::uint64_t generated() const { return generated_; }

  // The releases chosen, after a win; safe ones between them are not listed.
  std::vector<std::uint8_t> line() const { return {line_.begin(), line_.begin() + length_}; }

 private:
  struct Child {
    int cell;
    Position position;
  };
  struct Part {
    Region region;
    Cells moves;
  };
  struct Parts {
    std::array<Part, Board::kMaxPiles> list;
    int count = 0;
  };

  Found explore(const Position& position, const FrozenRegions& inherited, int depth) {
    if (position.won()) return length_ = depth, Found::kWon;
    if (!seen_.insert(position.state.in_place)) return Found::kLost;
    if (seen_.bytes() > memory_cap_) return Found::kMemory;
    if (iterations_ == limit_) return Found::kLimit;
    if ((++iterations_ & 1023) == 0 && stop_ && stop_()) throw Stopped();
    const FrozenRegions frozen = inherited.shut(position.buried);
    if (kRules.closure && lost_by_closure(deal_, position, frozen)) return Found::kLost;
    const Cells moves = position.moves & ~frozen.cells(position.buried);
    return kRules.regions ? explore_regions(position, moves, frozen, depth)
                          : explore_moves(position, moves, frozen, depth);
  }

  Found explore_regions(const Position& position, Cells moves, FrozenRegions frozen, int depth) {
    const Parts parts = parts_of(moves, position.buried);
    for (int i = 0; i < parts.count; ++i)
      if (opened_only_by_itself(deal_, position, frozen, parts.list[i].region))
        return explore_moves(position, parts.list[i].moves, frozen, depth);
    for (int i = 0; i < parts.count; ++i) {
      const Found found = explore_moves(position, parts.list[i].moves, frozen, depth);
      if (found != Found::kLost) return found;
      if (!kRules.freezing || i + 1 == parts.count) continue;
      frozen.add(parts.list[i].region);
      if (kRules.closure && lost_by_closure(deal_, position, frozen)) return Found::kLost;
    }
    return Found::kLost;
  }

  // The regions with moves, those with few first.
  static Parts parts_of(Cells moves, Cells buried) {
    Parts parts;
    while (moves != 0) {
      const Region region = region_of(first(moves), buried);
      const Part part{region, moves & region.cells};
      moves &= ~region.cells;
      int at = parts.count++;
      for (; at > 0 && std::popcount(parts.list[at - 1].moves) > std::popcount(part.moves); --at)
        parts.list[at] = parts.list[at - 1];
      parts.list[at] = part;
    }
    return parts;
  }

  Found explore_moves(const Position& position, Cells moves, const FrozenRegions& frozen, int depth) {
    std::array<Child, Board::kMaxPiles> children;
    int count = 0;
    for_each(moves, [&](int cell) { children[count++] = {cell, after<kRules>(deal_, position, cell)}; });
    generated_ += count;
    std::stable_sort(children.begin(), children.begin() + count,
                     [](const Child& a, const Child& b) { return a.position.score > b.position.score; });
    for (int i = 0; i < count; ++i) {
      line_[depth] = static_cast<std::uint8_t>(children[i].cell);
      const Found found = explore(children[i].position, frozen, depth + 1);
      if (found != Found::kLost) return found;
    }
    return Found::kLost;
  }

  const Deal& deal_;
  StateSet& seen_;
  const std::uint64_t limit_, memory_cap_;
  const StopCheck stop_;
  std::uint64_t iterations_ = 0, generated_ = 0;
  std::array<std::uint8_t, kDeckSize> line_;
  int length_ = 0;
};

}  // namespace dealsweep::bisley
