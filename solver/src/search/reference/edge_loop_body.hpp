// The inner loop of the reference search. No include guard and no includes: a variant includes
// this once, inside its own namespace, after its functions of lines `holds`, `begin`, `add`, which is
// false for a full line, and `move_pair`, which splits lines.

// Puts a state whose group has no block, or whose home line is full and lacks it.
[[gnu::noinline]] inline Added put_beyond_home(SeenTable& seen, std::uint64_t index) {
  const std::uint32_t group = static_cast<std::uint32_t>(index >> kGroupShift);
  const Local local = static_cast<Local>(index);
  if (seen.directory()[group] == 0) {
    Line* const line = seen.open_group(group);
    if (line == nullptr) return Added::kNoRoom;
    begin(*line, local);
    return Added::kNew;
  }
  for (;;) {
    const Block block{seen.directory()[group]};
    Line* const lines = seen.lines() + block.first();
    const std::uint32_t home = block.home(local);
    if (add(lines[home], local)) return Added::kNew;
    if (block.g() > 0) {
      Line& buddy = lines[home ^ 1];
      if (holds(buddy, local)) return Added::kSeen;
      if (add(buddy, local)) return Added::kNew;
    }
    if (!seen.split(group, move_pair)) return Added::kNoRoom;
  }
}

[[gnu::always_inline]] inline Added put(SeenTable& seen, std::uint32_t* directory, Line* lines,
                                        std::uint64_t index) {
  const Block block{directory[index >> kGroupShift]};
  if (block.entry != 0) [[likely]] {
    const Local local = static_cast<Local>(index);
    Line& line = block.home_line(lines, index);
    if (holds(line, local)) return Added::kSeen;
    if (add(line, local)) [[likely]] return Added::kNew;
  }
  return put_beyond_home(seen, index);
}

inline Added put_state(SeenTable& seen, std::uint64_t index) {
  return put(seen, seen.directory(), seen.lines(), index);
}

inline std::uint64_t highest(std::uint64_t mask) { return std::uint64_t{1} << (63 - __builtin_clzll(mask)); }

// The moves of a state, as needed to make a move and to take it for another later.
template <typename Shape>
struct Ways {
  std::uint64_t up_base, down_base;  // the index with the rank that a move leaves, but no card gone
  std::uint64_t up;                  // which of the moves lead one rank up
  [[no_unique_address]] Heights<Shape> heights;

  [[gnu::always_inline]] State<Shape> child(std::uint64_t bit, const Plan<Shape>& plan) const {
    const auto before = [&](std::uint64_t index) { return heights.state(index); };
    if constexpr (Shape::kStock > 0)
      if (bit == kStockBit) {
        const State<Shape> bare = before(up_base).without_rank();
        return bare.take_stock(plan.stock[bare.heights() >> kTakenShift]);
      }
    return before(up & bit ? up_base : down_base).without_top(bit, plan);
  }
};

// Puts the children of a state; sets `live` to the moves to new ones, and `last` to the last of these.
// False when the cap is met.
template <typename Shape>
[[gnu::always_inline]] inline bool put_children(SeenTable& seen, std::uint32_t* directory, Line* lines,
                                                const Ways<Shape>& ways, std::uint64_t moves,
                                                const Plan<Shape>& plan, std::uint64_t& live,
                                                State<Shape>& last) {
  live = 0;
  for (; moves != 0; moves &= moves - 1) {
    const std::uint64_t bit = moves & -moves;
    const State<Shape> child = ways.child(bit, plan);
    const Added added = put(seen, directory, lines, child.index);
    if (added == Added::kSeen) continue;
    if (added == Added::kNoRoom) [[unlikely]] return false;
    live |= bit;
    last = child;
  }
  return true;
}

// A state with children still to be expanded.
template <typename Shape>
struct Pending {
  Ways<Shape> ways;
  std::uint64_t live;  // the children
  RankCounts left;     // of the parent
};

// The moves whose child is not pruned: all that play one rank leave the same ranks behind.
template <typename Shape>
std::uint64_t reachable_moves(const Ways<Shape>& ways, std::uint64_t moves, RankCounts left) {
  const auto is_kept = [&](std::uint64_t base) {
    const int rank = rank_in(ways.heights.state(base));
    return all_ranks_reachable(left - one_card_of(rank), rank);
  };
  const std::uint64_t up = moves & ways.up, down = moves & ~ways.up;
  return (up != 0 && is_kept(ways.up_base) ? up : 0) | (down != 0 && is_kept(ways.down_base) ? down : 0);
}

inline constexpr std::uint64_t kBottom = std::uint64_t{1} << 63;  // no move's bit

// Searches all below `state`, which is stored.
//
// Counts: a state that is stored is expanded, or pruned, or pending when the search ends. So nothing
// but expanded states is counted on the way.
template <bool kPrune, typename Shape>
End search(const Plan<Shape>& plan, SeenTable& seen, Progress<Shape>& progress, State<Shape> state,
           RankCounts left) {
  constexpr std::uint64_t kBetweenChecks = 1 << 15;
  // One pending state a card at most, one being made, and below them one that is never done.
  std::array<Pending<Shape>, Board::kMaxCards + 2> stack;
  stack.front().live = kBottom;
  Pending<Shape>* top = stack.data();
  std::uint32_t* const directory = seen.directory();
  Line* const lines = seen.lines();
  const std::uint64_t expanded_before = progress.iterations + 1;  // and `state`, generated before
  std::uint64_t pruned = 0;
  // Iterations are counted down to the next check, one register for both.
  std::uint64_t next_check = std::min(progress.limit, progress.iterations + kBetweenChecks);
  std::uint64_t to_check = next_check - progress.iterations;
  const auto end = [&](End how, std::uint64_t live = 0) {
    std::uint64_t pending = static_cast<std::uint64_t>(std::popcount(live));
    for (; top != stack.data(); --top) pending += static_cast<std::uint64_t>(std::popcount(top->live));
    progress.iterations = next_check - to_check;
    progress.generated += progress.iterations - expanded_before + pending + pruned;
    return how;
  };
  // After a state's last edge: the limit, and now and then the stop.
  const auto limit_met = [&] {
    if (to_check != 0) [[likely]] return false;
    if (next_check >= progress.limit) return true;
    if (progress.stop && progress.stop()) throw Stopped();
    const std::uint64_t iterations = next_check;
    next_check = std::min(progress.limit, iterations + kBetweenChecks);
    to_check = next_check - iterations;
    return false;
  };
  // The last of the states pending is next, if there is one.
  const auto pop = [&] {
    const std::uint64_t bit = highest(top->live), rest = top->live ^ bit;
    if (bit == kBottom) [[unlikely]] return false;
    state = top->ways.child(bit, plan);
    if constexpr (kPrune) left = top->left - one_card_of(rank_in(state));
    top->live = rest;
    top -= rest == 0;
    return true;
  };

  for (;;) {
    --to_check;
    const auto& row = row_of(plan.rows, state);
    const std::uint64_t moves = all_moves(state, row, plan);
    std::uint64_t live = 0;
    State<Shape> last;
    if (moves != 0) {
      const State<Shape> bare = state.without_rank();
      const Ways<Shape> ways{bare.index + row.up_rank, bare.index + row.down_rank, up_moves(state, row),
                             Heights<Shape>::of(bare)};
      if (is_single_card(bare, moves)) [[unlikely]] {
        // Playing it clears the piles: the next state to be expanded.
        if (!put_children(seen, directory, lines, ways, moves, plan, live, last))
          return end(End::kMemory, live);
        if (limit_met()) return end(End::kLimit, live);
        --to_check;
        progress.cleared = ways.child(highest(moves), plan);
        if constexpr (Shape::kStock > 0) progress.generated += moves & kStockBit;  // tried still
        return end(End::kCleared, live ^ highest(live));
      }
      if (!put_children(seen, directory, lines, ways, moves, plan, live, last)) [[unlikely]]
        return end(End::kMemory, live);
      if constexpr (kPrune) {
        const std::uint64_t kept = reachable_moves(ways, live, left);
        pruned += static_cast<std::uint64_t>(std::popcount(live ^ kept));
        live = kept;
        last = ways.child(highest(live | 1), plan);
        top[1].left = left;
      }
      top[1].ways = ways;
    }
    if (limit_met()) [[unlikely]] return end(End::kLimit, live);
    if (live != 0) {
      // The last child is next: it is at hand, and never waits on the stack.
      const std::uint64_t rest = live ^ highest(live);
      top[1].live = rest;
      top += rest != 0;
      state = last;
      if constexpr (kPrune) left -= one_card_of(rank_in(state));
    } else if (!pop()) [[unlikely]] {
      return end(End::kNoMore);
    }
  }
}

template <typename Shape>
End search_below(const Plan<Shape>& plan, SeenTable& seen, Progress<Shape>& progress, State<Shape> start,
                 const RankCounts* left) {
  if constexpr (Shape::kStock == 0)
    if (left) return search<true>(plan, seen, progress, start, *left);
  return search<false>(plan, seen, progress, start, 0);
}

template End search_below(const Plan<BlackHoleShape>&, SeenTable&, Progress<BlackHoleShape>&,
                          State<BlackHoleShape>, const RankCounts*);
template End search_below(const Plan<AllInARowShape>&, SeenTable&, Progress<AllInARowShape>&,
                          State<AllInARowShape>, const RankCounts*);
template End search_below(const Plan<GolfShape>&, SeenTable&, Progress<GolfShape>&, State<GolfShape>,
                          const RankCounts*);
