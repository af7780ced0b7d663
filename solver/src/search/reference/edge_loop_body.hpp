// The inner loop of the reference search. No include guard and no includes: a variant includes
// this once, inside its own namespace, after its functions of lines `holds(line, local)` and
// `filled(line)`, the number of slots in use.

// Puts a state whose home line is full and lacks it.
[[gnu::noinline]] inline Added put_beyond_home(SeenTable& seen, std::uint32_t group, Local local) {
  for (;;) {
    const Block block{seen.directory()[group]};
    Line* const lines = seen.lines() + block.first();
    const std::uint32_t home = block.home(local);
    if (const int slot = filled(lines[home]); slot < Line::kSlots) {
      lines[home].slots[slot] = local;
      return Added::kNew;
    }
    if (block.g() > 0) {
      Line& buddy = lines[home ^ 1];
      if (holds(buddy, local)) return Added::kSeen;
      if (const int slot = filled(buddy); slot < Line::kSlots) {
        buddy.slots[slot] = local;
        return Added::kNew;
      }
    }
    if (!seen.split(group)) return Added::kNoRoom;
  }
}

[[gnu::always_inline]] inline Added put(SeenTable& seen, std::uint32_t* directory, Line* lines,
                                        std::uint64_t index) {
  const std::uint32_t group = static_cast<std::uint32_t>(index >> kGroupShift);
  const Local local = static_cast<Local>(index);
  const Block block{directory[group]};
  if (block.entry == 0) [[unlikely]]
    return seen.open_group(group, local) ? Added::kNew : Added::kNoRoom;
  Line& line = lines[block.first() + block.home(local)];
  if (holds(line, local)) return Added::kSeen;
  const int slot = filled(line);
  if (slot == Line::kSlots) [[unlikely]]
    return put_beyond_home(seen, group, local);
  line.slots[slot] = local;
  return Added::kNew;
}

inline Added put_state(SeenTable& seen, std::uint64_t index) {
  return put(seen, seen.directory(), seen.lines(), index);
}

// The moves of a state.
template <typename Shape>
struct Ways {
  State<Shape> parent;  // without its rank
  std::uint64_t up;     // which of the moves lead one rank up
  std::uint64_t up_rank, down_rank, stock_rank;  // not narrower: narrow stores stall wide loads

  [[gnu::always_inline]] State<Shape> child(std::uint64_t bit, const Plan<Shape>& plan) const {
    if constexpr (Shape::kStock > 0)
      if (bit == kStockBit) return parent.take_stock(stock_rank);
    return parent.play(bit, up & bit ? up_rank : down_rank, plan);
  }
};

// A state with children still to be expanded.
template <typename Shape>
struct Pending {
  Ways<Shape> ways;
  std::uint64_t live;    // children to be expanded
  std::uint64_t dead;    // children without moves: an iteration each, where they would be expanded
  std::uint64_t behind;  // iterations of dead children of states further down the path
  RankCounts left;       // of the parent
};

inline std::uint64_t highest(std::uint64_t mask) { return std::uint64_t{1} << (63 - __builtin_clzll(mask)); }
inline std::uint64_t above(std::uint64_t bit) { return ~(2 * bit - 1); }
inline std::uint64_t count(std::uint64_t mask) {
#ifdef __POPCNT__
  return static_cast<std::uint64_t>(__builtin_popcountll(mask));
#else
  std::uint64_t bits = 0;  // of few, mostly none
  for (; mask != 0; mask &= mask - 1) ++bits;
  return bits;
#endif
}

// The moves whose child is not pruned: all that play one rank leave the same ranks behind.
template <typename Shape>
std::uint64_t reachable_moves(const Ways<Shape>& ways, std::uint64_t moves, RankCounts left) {
  const std::uint64_t down = moves ^ ways.up;
  const auto is_kept = [&](std::uint64_t rank_field) {
    const int rank = static_cast<int>(rank_field >> kRankShift);
    return all_ranks_reachable(left - one_card_of(rank), rank);
  };
  return (ways.up != 0 && is_kept(ways.up_rank) ? ways.up : 0) |
         (down != 0 && is_kept(ways.down_rank) ? down : 0);
}

template <typename Shape, bool kPrune>
[[gnu::always_inline]] inline End run(const Plan<Shape>& plan, SeenTable& seen, Progress<Shape>& progress,
                                      State<Shape> state, RankCounts left) {
  constexpr std::uint64_t kBetweenChecks = 1 << 15;
  // One pending state a card at most, a sentinel, and one being made.
  std::array<Pending<Shape>, Board::kMaxCards + 3> stack;
  Pending<Shape>* top = stack.data();
  *top = {};
  std::uint32_t* const directory = seen.directory();
  Line* const lines = seen.lines();
  std::uint64_t iterations = progress.iterations, generated = progress.generated;
  std::uint64_t next_check = std::min(progress.limit, iterations + kBetweenChecks);
  const auto end = [&](End how) {
    progress.iterations = iterations;
    progress.generated = generated;
    return how;
  };
  // After a state's last edge and after dead children: the limit, and now and then the stop.
  const auto limit_met = [&] {
    if (iterations < next_check) [[likely]] return false;
    if (iterations >= progress.limit) return iterations = progress.limit, true;
    if (progress.stop && progress.stop()) throw Stopped();
    next_check = std::min(progress.limit, iterations + kBetweenChecks);
    return false;
  };

  for (;;) {
    ++iterations;
    const auto& row = plan.rows[rank_in(state)];
    const std::uint64_t moves = all_moves(state, plan);
    Ways<Shape> ways{state.without_rank(), matching<Shape>(state.heights(), row.up), row.up_rank,
                     row.down_rank, 0};
    if constexpr (Shape::kStock > 0)
      if (moves & kStockBit) ways.stock_rank = plan.stock[state.heights() >> kTakenShift];
    std::uint64_t live = 0, dead = 0;
    for (std::uint64_t todo = moves; todo != 0; todo &= todo - 1) {
      const std::uint64_t bit = todo & -todo;
      const State<Shape> child = ways.child(bit, plan);
      const Added added = put(seen, directory, lines, child.index);
      if (added == Added::kNoRoom) [[unlikely]] {
        generated += count(live | dead);
        return end(End::kMemory);
      }
      // Without branches: whether a child is new or has moves is no better predicted than a coin.
      const std::uint64_t fresh = bit & -std::uint64_t{added == Added::kNew};
      const std::uint64_t alive = all_moves(child, plan) != 0 ? fresh : 0;
      live |= alive;
      dead |= fresh ^ alive;
    }
    generated += count(live | dead);
    if constexpr (kPrune) {
      const std::uint64_t kept = reachable_moves(ways, moves, left);
      live &= kept;
      dead &= kept;
    }

    // With one card left, and that played, the piles are cleared: the state on top of the stack.
    if (is_single_card(ways.parent, moves)) [[unlikely]] {
      if (limit_met()) return end(End::kLimit);
      ++iterations;
      progress.cleared = ways.child(highest(moves), plan);
      if constexpr (Shape::kStock > 0) generated += moves & kStockBit;  // stock left over is tried still
      return end(End::kCleared);
    }
    if (live != 0) {
      // The last child is next. The others are pending, and the stack grows if there are any.
      const std::uint64_t bit = highest(live);
      iterations += count(dead & above(bit));
      if (limit_met()) return end(End::kLimit);
      state = ways.child(bit, plan);
      const std::uint64_t rest = live ^ bit, dead_below = dead & (bit - 1);
      top[1] = {ways, rest, dead_below, 0, left};
      if constexpr (kPrune) left -= one_card_of(rank_in(state));
      top->behind += rest != 0 ? 0 : count(dead_below);
      top += rest != 0;
      continue;
    }
    iterations += count(dead) + top->behind;
    top->behind = 0;
    if (top == stack.data()) [[unlikely]] return end(limit_met() ? End::kLimit : End::kNoMore);
    const std::uint64_t bit = highest(top->live);
    iterations += count(top->dead & above(bit));
    if (limit_met()) return end(End::kLimit);
    const std::uint64_t dead_below = top->dead & (bit - 1), rest = top->live ^ bit;
    state = top->ways.child(bit, plan);
    if constexpr (kPrune) left = top->left - one_card_of(rank_in(state));
    top->dead = dead_below;
    top->live = rest;
    top[-1].behind += rest != 0 ? 0 : count(dead_below);
    top -= rest == 0;
  }
}

template <typename Shape>
End search_below(const Plan<Shape>& plan, SeenTable& seen, Progress<Shape>& progress, State<Shape> start,
                 const RankCounts* left) {
  if constexpr (Shape::kStock == 0)
    if (left) return run<Shape, true>(plan, seen, progress, start, *left);
  return run<Shape, false>(plan, seen, progress, start, 0);
}

template End search_below(const Plan<BlackHoleShape>&, SeenTable&, Progress<BlackHoleShape>&,
                          State<BlackHoleShape>, const RankCounts*);
template End search_below(const Plan<AllInARowShape>&, SeenTable&, Progress<AllInARowShape>&,
                          State<AllInARowShape>, const RankCounts*);
template End search_below(const Plan<GolfShape>&, SeenTable&, Progress<GolfShape>&, State<GolfShape>,
                          const RankCounts*);
