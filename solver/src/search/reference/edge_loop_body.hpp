// The inner loop of the reference search. No include guard and no includes: a variant includes
// this once, inside its own namespace, after its functions of lines `holds(line, local)` and
// `filled(line)`, the number of slots in use, and of masks `count(mask)`, the number of bits.

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
  Line& line = block.home_line(lines, index);
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
  State<Shape> parent;
  std::uint64_t up;  // which of the moves lead one rank up

  [[gnu::always_inline]] State<Shape> child(std::uint64_t bit, const Plan<Shape>& plan) const {
    const State<Shape> bare = parent.without_rank();
    if constexpr (Shape::kStock > 0)
      if (bit == kStockBit) return bare.take_stock(plan.stock[bare.heights() >> kTakenShift]);
    const auto& row = plan.rows[rank_in(parent)];
    return bare.play(bit, up & bit ? row.up_rank : row.down_rank, plan);
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

// Fetches the home line of a state's last child: it may be put soon. Its rank does not matter.
template <typename Shape>
[[gnu::always_inline]] inline void fetch_last(const std::uint32_t* directory, Line* lines, State<Shape> state,
                                              std::uint64_t moves, const Plan<Shape>& plan) {
  const std::uint64_t index = state.play(highest(moves | 1), 0, plan).index;
  const Block block{directory[static_cast<std::uint32_t>(index >> kGroupShift)]};
  __builtin_prefetch(&block.home_line(lines, index));
}

// Keeps the compiler from making a branch of what was computed without one.
[[gnu::always_inline]] inline std::uint64_t opaque(std::uint64_t value) {
#ifdef __GNUC__
  asm("" : "+r"(value));
#endif
  return value;
}

// The moves whose child is not pruned: all that play one rank leave the same ranks behind.
template <typename Shape>
std::uint64_t reachable_moves(const Ways<Shape>& ways, std::uint64_t moves, RankCounts left,
                              const Plan<Shape>& plan) {
  const auto& row = plan.rows[rank_in(ways.parent)];
  const std::uint64_t down = moves ^ ways.up;
  const auto is_kept = [&](std::uint64_t rank_field) {
    const int rank = static_cast<int>(rank_field >> kRankShift);
    return all_ranks_reachable(left - one_card_of(rank), rank);
  };
  return (ways.up != 0 && is_kept(row.up_rank) ? ways.up : 0) |
         (down != 0 && is_kept(row.down_rank) ? down : 0);
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

  std::uint64_t moves = all_moves(state, plan);
  for (;;) {
    ++iterations;
    const Ways<Shape> ways{state, up_moves(state, plan)};
    std::uint64_t live = 0, dead = 0;
    State<Shape> next{};  // the last child that is to be expanded
    std::uint64_t next_moves = 0;
    for (std::uint64_t todo = moves; todo != 0; todo &= todo - 1) {
      const std::uint64_t bit = todo & -todo;
      const State<Shape> child = ways.child(bit, plan);
      const std::uint64_t child_moves = all_moves(child, plan);
      fetch_last(directory, lines, child, child_moves, plan);
      const std::uint64_t alive = opaque(child_moves != 0 ? bit : 0);
      const Added added = put(seen, directory, lines, child.index);
      if (added == Added::kSeen) continue;
      if (added == Added::kNoRoom) [[unlikely]] {
        generated += count(live | dead);
        return end(End::kMemory);
      }
      live |= alive;
      dead |= bit ^ alive;
      next = alive ? child : next;
      next_moves = alive ? child_moves : next_moves;
    }
    generated += count(live | dead);
    if constexpr (kPrune) {
      const std::uint64_t kept = reachable_moves(ways, moves, left, plan);
      live &= kept;
      dead &= kept;
    }

    // With one card left, and that played, the piles are cleared: the state on top of the stack.
    if (is_single_card(state.without_rank(), moves)) [[unlikely]] {
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
      if constexpr (kPrune) {
        state = ways.child(bit, plan);
        moves = all_moves(state, plan);
      } else {
        state = next;
        moves = next_moves;
      }
      const std::uint64_t rest = live ^ bit, dead_below = dead & (bit - 1);
      top[1].ways = ways;
      top[1].live = rest;
      top[1].dead = dead_below;
      top[1].behind = 0;
      if constexpr (kPrune) top[1].left = left;
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
    moves = all_moves(state, plan);
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
