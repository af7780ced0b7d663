// The inner loop of the reference search. No include guard and no includes: a variant includes
// this once, inside its own namespace, after a function `scan(const Line&, Local) -> LineScan`.

// Puts a state whose home line is full and lacks it.
[[gnu::noinline]] inline Added put_beyond_home(SeenTable& seen, std::uint32_t group, Local local) {
  for (;;) {
    const Block block{seen.directory()[group]};
    Line* const lines = seen.lines() + block.first();
    const std::uint32_t home = block.home(local);
    if (const LineScan at_home = scan(lines[home], local); at_home.filled < Line::kSlots) {
      lines[home].slots[at_home.filled] = local;
      return Added::kNew;
    }
    if (block.g() > 0) {
      const LineScan at_buddy = scan(lines[home ^ 1], local);
      if (at_buddy.found) return Added::kSeen;
      if (at_buddy.filled < Line::kSlots) {
        lines[home ^ 1].slots[at_buddy.filled] = local;
        return Added::kNew;
      }
    }
    if (!seen.split(group)) return Added::kNoRoom;
  }
}

[[gnu::always_inline]] inline Added put(SeenTable& seen, std::uint32_t* directory, Line* lines, std::uint64_t index) {
  const std::uint32_t group = static_cast<std::uint32_t>(index >> kGroupShift);
  const Local local = static_cast<Local>(index);
  const Block block{directory[group]};
  if (block.entry == 0) [[unlikely]]
    return seen.open_group(group, local) ? Added::kNew : Added::kNoRoom;
  Line& line = lines[block.first() + block.home(local)];
  const LineScan at = scan(line, local);
  if (at.filled == Line::kSlots && !at.found) [[unlikely]]
    return put_beyond_home(seen, group, local);
  if (at.found) return Added::kSeen;
  line.slots[at.filled] = local;
  return Added::kNew;
}

inline Added put_state(SeenTable& seen, std::uint64_t index) {
  return put(seen, seen.directory(), seen.lines(), index);
}

// A state with children still to be expanded.
template <typename Shape>
struct Pending {
  State<Shape> parent;  // without its rank
  std::uint64_t up_rank, down_rank, stock_rank;
  std::uint64_t up;      // which moves lead one rank up
  std::uint64_t live;    // children to be expanded
  std::uint64_t dead;    // children without moves: an iteration each, where they would be expanded
  std::uint64_t behind;  // iterations of dead children of states further down the stack's path
  RankCounts left;       // of the parent
};

inline std::uint64_t highest(std::uint64_t mask) { return std::uint64_t{1} << (63 - __builtin_clzll(mask)); }
inline std::uint64_t above(std::uint64_t bit) { return ~(2 * bit - 1); }
inline std::uint64_t count(std::uint64_t mask) {
  return mask == 0 ? 0 : static_cast<std::uint64_t>(__builtin_popcountll(mask));
}

template <typename Shape, bool kPrune>
[[gnu::always_inline]] inline End run(const Plan<Shape>& plan, SeenTable& seen, Progress<Shape>& progress,
                                      State<Shape> state, RankCounts left) {
  constexpr std::uint64_t kBetweenChecks = 1 << 15;
  // One pending state a card at most, and a sentinel.
  std::array<Pending<Shape>, Board::kMaxCards + 2> stack;
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

  Moves moves = moves_of(state, plan);
  for (;;) {
    ++iterations;
    const auto& row = plan.rows[rank_in(state)];
    Pending<Shape> now;
    now.parent = state.without_rank();
    now.up_rank = row.up_rank;
    now.down_rank = row.down_rank;
    now.up = moves.up;
    std::uint64_t live = 0, dead = 0;
    State<Shape> next;
    Moves next_moves{};
    const auto try_child = [&](std::uint64_t bit, State<Shape> child) {
      const Added added = put(seen, directory, lines, child.index);
      if (added == Added::kNoRoom) [[unlikely]] return false;
      if (added == Added::kSeen) return true;
      ++generated;
      const Moves child_moves = moves_of(child, plan);
      if (child_moves.all != 0) {
        live |= bit;
        next = child;
        next_moves = child_moves;
      } else {
        dead |= bit;
      }
      return true;
    };
    std::uint64_t todo = moves.all;
    if constexpr (Shape::kStock > 0) {
      if (todo & kStockBit) {
        todo ^= kStockBit;
        now.stock_rank = plan.stock[state.heights() >> kTakenShift];
        if (!try_child(kStockBit, now.parent.take_stock(now.stock_rank))) return end(End::kMemory);
      }
    }
    for (; todo != 0; todo &= todo - 1) {
      const std::uint64_t bit = todo & -todo;
      const std::uint64_t rank = moves.up & bit ? row.up_rank : row.down_rank;
      if (!try_child(bit, now.parent.play(bit, rank, plan))) return end(End::kMemory);
    }
    if constexpr (kPrune) {
      now.left = left;
      const int up_rank = static_cast<int>(row.up_rank >> kRankShift);
      const int down_rank = static_cast<int>(row.down_rank >> kRankShift);
      std::uint64_t kept = 0;
      if (moves.up && all_ranks_reachable(left - one_card_of(up_rank), up_rank)) kept |= moves.up;
      if (moves.up != moves.all && all_ranks_reachable(left - one_card_of(down_rank), down_rank))
        kept |= moves.all ^ moves.up;
      const bool last_is_kept = live != 0 && (highest(live) & kept) != 0;
      live &= kept;
      dead &= kept;
      if (live != 0 && !last_is_kept) {
        const std::uint64_t bit = highest(live);
        next = now.parent.play(bit, moves.up & bit ? row.up_rank : row.down_rank, plan);
        next_moves = moves_of(next, plan);
      }
    }

    if (live != 0) {
      const std::uint64_t bit = highest(live);
      iterations += count(dead & above(bit));
      if (limit_met()) return end(End::kLimit);
      dead &= bit - 1;
      if (live != bit) {
        now.live = live ^ bit;
        now.dead = dead;
        now.behind = 0;
        *++top = now;
      } else {
        top->behind += count(dead);
      }
      if constexpr (kPrune) left -= one_card_of(rank_in(next));
      state = next;
      moves = next_moves;
    } else {
      // A cleared state has no moves (but for the stock), and its parent had one card left.
      if (dead != 0 && (dead & (dead - 1)) == 0 && (Shape::kStock == 0 || dead != kStockBit)) {
        const State<Shape> child = now.parent.play(dead, moves.up & dead ? row.up_rank : row.down_rank, plan);
        if (is_cleared(child)) {
          if (limit_met()) return end(End::kLimit);
          ++iterations;
          progress.cleared = child;
          return end(End::kCleared);
        }
      }
      iterations += count(dead) + top->behind;
      top->behind = 0;
      if (top == stack.data()) return end(limit_met() ? End::kLimit : End::kNoMore);
      const std::uint64_t bit = highest(top->live);
      iterations += count(top->dead & above(bit));
      if (limit_met()) return end(End::kLimit);
      top->dead &= bit - 1;
      if constexpr (Shape::kStock > 0) {
        state = bit == kStockBit ? top->parent.take_stock(top->stock_rank)
                                 : top->parent.play(bit, top->up & bit ? top->up_rank : top->down_rank, plan);
      } else {
        state = top->parent.play(bit, top->up & bit ? top->up_rank : top->down_rank, plan);
      }
      if constexpr (kPrune) left = top->left - one_card_of(rank_in(state));
      top->live ^= bit;
      if (top->live == 0) {
        top[-1].behind += count(top->dead);
        --top;
      }
      moves = moves_of(state, plan);
    }
    if constexpr (Shape::kStock > 0) {
      // Stock left over: the cleared state still tries the next card of it.
      if (is_cleared(state)) {
        ++iterations;
        ++generated;
        progress.cleared = state;
        return end(End::kCleared);
      }
    }
  }
}

template <typename Shape>
End search_below(const Plan<Shape>& plan, SeenTable& seen, Progress<Shape>& progress, State<Shape> start,
                 const RankCounts* left) {
  if constexpr (Shape::kStock == 0)
    if (left) return run<Shape, true>(plan, seen, progress, start, *left);
  return run<Shape, false>(plan, seen, progress, start, 0);
}

template End search_below(const Plan<BlackHoleShape>&, SeenTable&, Progress<BlackHoleShape>&, State<BlackHoleShape>,
                          const RankCounts*);
template End search_below(const Plan<AllInARowShape>&, SeenTable&, Progress<AllInARowShape>&, State<AllInARowShape>,
                          const RankCounts*);
template End search_below(const Plan<GolfShape>&, SeenTable&, Progress<GolfShape>&, State<GolfShape>,
                          const RankCounts*);
