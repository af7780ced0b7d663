// The complete search: depth-first over positions, each entered once.

// A release takes a card out of place for good, so positions form no cycles: one found in the set
// is proved lost, for the search ends with the first win.
template <Rules kRules>
class DepthFirst {
 public:
  DepthFirst(const Deal& deal, const Bounds& bounds, StateSet& seen, Line& line)
      : deal_(deal), bounds_(bounds), seen_(seen), line_(line) {
    seen_.clear();
  }

  // The line of a win has the releases chosen; safe ones between them are not in it.
  Found search(const Position& root) {
    FrozenRegions none;
    none.count = 0;
    line_.length = 0;
    return explore(root, none);
  }

  std::uint64_t iterations() const { return iterations_; }
  std::uint64_t generated() const { return generated_; }

 private:
  struct Part {
    Region region;
    Cells moves;
  };
  struct Parts {
    Part list[Board::kMaxPiles];
    int count;
  };

  Found explore(const Position& position, const FrozenRegions& inherited) {
    if (position.won()) return Found::kWon;
    if (!seen_.insert(position.state.in_place)) return Found::kLost;
    if (seen_.bytes() > bounds_.memory_cap) return Found::kMemory;
    if ((++entered_ & 1023) == 0 && bounds_.stop && bounds_.stop()) throw Stopped();
    FrozenRegions frozen;
    frozen.take_shut(inherited, position.buried);
    if (kRules.closure && lost_by_closure(deal_, position, frozen)) return Found::kLost;
    if (iterations_ == bounds_.limit) return Found::kLimit;
    ++iterations_;
    const Cells moves = position.moves & ~frozen.cells(position.buried);
    return kRules.regions ? explore_regions(position, moves, frozen) : explore_moves(position, moves, frozen);
  }

  Found explore_regions(const Position& position, Cells moves, FrozenRegions& frozen) {
    Parts parts;
    divide(moves, position.buried, parts);
    if (parts.count > 1) narrow(position, frozen, parts);
    for (int i = 0; i < parts.count; ++i) {
      const Found found = explore_moves(position, parts.list[i].moves, frozen);
      if (found != Found::kLost) return found;
      if (!kRules.freezing || i + 1 == parts.count) continue;
      frozen.add(parts.list[i].region);
      if (kRules.closure && lost_by_closure(deal_, position, frozen)) return Found::kLost;
    }
    return Found::kLost;
  }

  // The regions with moves, those with few first.
  static void divide(Cells moves, Cells buried, Parts& parts) {
    parts.count = 0;
    while (moves != 0) {
      const Region region = region_of(__builtin_ctzll(moves), buried);
      const Part part{region, moves & region.cells};
      moves &= ~region.cells;
      int at = parts.count++;
      for (; at > 0 && size_of(parts.list[at - 1]) > size_of(part); --at) parts.list[at] = parts.list[at - 1];
      parts.list[at] = part;
    }
  }

  // Leaves one region, or two, if no others need be tried now.
  void narrow(const Position& position, const FrozenRegions& frozen, Parts& parts) const {
    for (int i = 0; i < parts.count; ++i)
      if (opened_only_from_within(deal_, position, frozen, parts.list[i].region)) {
        parts.list[0] = parts.list[i];
        parts.count = 1;
        return;
      }
    if (parts.count == 2) return;
    for (int j = 1; j < parts.count; ++j)
      for (int i = 0; i < j; ++i)
        if (opened_only_from_within(deal_, position, frozen, parts.list[i].region | parts.list[j].region)) {
          parts.list[0] = parts.list[i];
          parts.list[1] = parts.list[j];
          parts.count = 2;
          return;
        }
  }
  static int size_of(const Part& part) { return __builtin_popcountll(part.moves); }

  Found explore_move(const Position& child, int cell, const FrozenRegions& frozen) {
    line_.add(cell);
    const Found found = explore(child, frozen);
    if (found != Found::kWon) --line_.length;
    return found;
  }

  Position child_of(const Position& position, int cell) {
    ++generated_;
    return settled<kRules>(deal_, deal_.after_one(position.state, cell));
  }

  // The best score first; equal ones by cell.
  Found explore_moves(const Position& position, Cells moves, const FrozenRegions& frozen) {
    Position children[Board::kMaxPiles];
    std::uint8_t cells[Board::kMaxPiles], order[Board::kMaxPiles];
    int count = 0;
    for (; moves != 0; moves &= moves - 1, ++count) {
      const int cell = __builtin_ctzll(moves);
      cells[count] = static_cast<std::uint8_t>(cell);
      children[count] = child_of(position, cell);
      int at = count;
      for (; at > 0 && children[order[at - 1]].score < children[count].score; --at) order[at] = order[at - 1];
      order[at] = static_cast<std::uint8_t>(count);
    }
    for (int i = 0; i < count; ++i) {
      const Found found = explore_move(children[order[i]], cells[order[i]], frozen);
      if (found != Found::kLost) return found;
    }
    return Found::kLost;
  }

  const Deal& deal_;
  const Bounds& bounds_;
  StateSet& seen_;
  Line& line_;
  std::uint64_t entered_ = 0, iterations_ = 0, generated_ = 0;
};
