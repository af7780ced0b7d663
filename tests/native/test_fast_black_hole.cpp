// The fast Black Hole search: every rule against its definition and against plain search, at the
// level of states, each rule on and off; then whole boards, limits, memory and instruction sets.
#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <random>
#include <stdexcept>
#include <unordered_set>
#include <vector>

#include "check.hpp"
#include "deck.hpp"
#include "games/black_hole.hpp"
#include "instruction_set.hpp"
#include "plain_search.hpp"
#include "search/fast_black_hole.hpp"

#define DEALSWEEP_VARIANT under_test
#include "search/fast_black_hole/portfolio.hpp"

using namespace dealsweep;
using namespace dealsweep::fast_black_hole;
using namespace dealsweep::fast_black_hole::under_test;

namespace {

using Random = std::mt19937;

int pick(Random& random, int below) { return static_cast<int>(random() % static_cast<unsigned>(below)); }

// A state of play as piles of ranks 0..12, bottom first.
struct State {
  std::vector<std::vector<int>> piles;
  int foundation = 0;

  int cards() const {
    int n = 0;
    for (const auto& pile : piles) n += static_cast<int>(pile.size());
    return n;
  }
  State played(std::size_t pile) const {
    State next = *this;
    next.foundation = next.piles[pile].back();
    next.piles[pile].pop_back();
    return next;
  }
  bool can_play(std::size_t pile) const {
    return !piles[pile].empty() && adjacent(piles[pile].back(), foundation);
  }
};

Board to_board(const State& state) {
  Board board;
  board.add_foundation(make_card(state.foundation + 1, kSpades));
  for (const auto& pile : state.piles) {
    std::vector<Card> cards;
    for (int rank : pile) cards.push_back(make_card(rank + 1, kClubs));
    board.add_pile(cards);
  }
  return board;
}

Deal to_deal(const State& state) {
  Deal deal;
  deal.foundation = static_cast<std::uint8_t>(state.foundation);
  for (const auto& pile : state.piles) {
    for (int rank : pile) deal.rank[deal.piles][deal.height[deal.piles]++] = static_cast<std::uint8_t>(rank);
    ++deal.piles;
  }
  return deal;
}

// A small board: ranks of a random walk dealt to the piles at random, so that many are solvable,
// with up to two ranks changed.
State small_board(Random& random) {
  for (;;) {
    State state;
    state.piles.resize(static_cast<std::size_t>(1 + pick(random, 9)));
    state.foundation = pick(random, kCircle);
    std::vector<int> left(kCircle), walk;
    int rank = state.foundation;
    for (int cards = 1 + pick(random, 18); cards > 0; --cards) {
      rank = pick(random, 2) ? rank_above(rank) : rank_below(rank);
      walk.push_back(rank);
    }
    for (int changes = pick(random, 3); changes > 0; --changes)
      walk[static_cast<std::size_t>(pick(random, static_cast<int>(walk.size())))] = pick(random, kCircle);
    bool fits = true;
    std::reverse(walk.begin(), walk.end());
    for (int r : walk) {
      std::vector<std::size_t> open;
      for (std::size_t p = 0; p < state.piles.size(); ++p)
        if (state.piles[p].size() < 3) open.push_back(p);
      fits = fits && !open.empty() && ++left[static_cast<std::size_t>(r)] <= kSuits;
      if (fits) state.piles[open[static_cast<std::size_t>(pick(random, static_cast<int>(open.size())))]].push_back(r);
    }
    if (fits) return state;
  }
}

// A state of a numbered deal that random play reaches, with at most `cards` cards left.
State late_state(Random& random, int cards) {
  for (;;) {
    const Board board = BlackHole{Request{}}.layout(deal_deck(1 + random() % 1'000'000));
    State state;
    for (int p = 0; p < board.pile_count; ++p) {
      state.piles.emplace_back();
      for (Card card : board.pile(p)) state.piles.back().push_back(rank_of(card) - 1);
    }
    while (state.cards() > cards) {
      std::vector<std::size_t> moves;
      for (std::size_t p = 0; p < state.piles.size(); ++p)
        if (state.can_play(p)) moves.push_back(p);
      if (moves.empty()) break;
      state = state.played(moves[static_cast<std::size_t>(pick(random, static_cast<int>(moves.size())))]);
    }
    if (state.cards() <= cards) return state;
  }
}

State random_state(Random& random) { return pick(random, 2) ? small_board(random) : late_state(random, 21); }

bool plainly_solvable(const State& state) { return plain::search(to_board(state), {}).solved; }

bool line_wins(State state, const Decision& decision) {
  for (int i = 0; i < decision.length; ++i) {
    if (decision.line[i] >= state.piles.size() || !state.can_play(decision.line[i])) return false;
    state = state.played(decision.line[i]);
  }
  return state.cards() == 0;
}

RankCounts counts_of(const State& state) {
  RankCounts counts{};
  for (const auto& pile : state.piles)
    for (int rank : pile) counts.add(rank);
  return counts;
}

void test_reach() {
  for (int rank = 0; rank < kCircle; ++rank)
    for (u32 closed = 0; closed <= kAllRanks; ++closed) {
      u32 reached = 1u << rank;
      for (int r = rank; !(closed >> r & 1) && !(reached >> rank_above(r) & 1); r = rank_above(r))
        reached |= 1u << rank_above(r);
      for (int r = rank; !(closed >> rank_below(r) & 1) && !(reached >> rank_below(r) & 1); r = rank_below(r))
        reached |= 1u << rank_below(r);
      CHECK(reach(rank, closed) == reached);
    }
}

void test_edge_counts_follow_moves(Random& random) {
  for (int i = 0; i < 2000; ++i) {
    const State state = random_state(random);
    EdgeCounts counts{};
    if (!edge_counts(counts_of(state), state.foundation, kNoRank, counts)) continue;
    for (std::size_t p = 0; p < state.piles.size(); ++p) {
      if (!state.can_play(p)) continue;
      const State child = state.played(p);
      const int edge = child.foundation == rank_above(state.foundation) ? state.foundation : child.foundation;
      EdgeCounts expected{};
      const bool exists = edge_counts(counts_of(child), child.foundation, kNoRank, expected);
      CHECK(exists == (counts.of(edge) > 0));
      if (exists) CHECK(counts.crossed(edge).planes == expected.planes);
      const RankCounts left = counts_of(state).without(child.foundation), truly = counts_of(child);
      CHECK(left.nibbles == truly.nibbles && left.ranks == truly.ranks);
    }
  }
}

// The walk test of a state, and with `cut` the cut test: is some end possible?
bool passes(const State& state, bool cut) {
  Tableau tableau;
  tableau.lay_out(to_deal(state), false);
  CutTest cut_test;
  cut_test.lay_out(tableau);
  const RankCounts left = counts_of(state);
  EdgeCounts counts{};
  if (!edge_counts(left, state.foundation, kNoRank, counts)) return false;
  const EdgeSets sets(counts);
  for (u32 ends = possible_ends(left.ranks, sets.none); ends != 0; ends &= ends - 1) {
    const EdgeSets exact = sets.ending_at(lowest(ends));
    if (!connected(state.foundation, left.ranks, exact.none)) continue;
    if (!cut || cut_test.lost_piles(exact, state.foundation).among(tableau.start) == 0) return true;
  }
  return state.cards() == 0;
}

// What F itself rejects, every end rejects.
bool passes_for_all_ends(const State& state) {
  Tableau tableau;
  tableau.lay_out(to_deal(state), false);
  CutTest cut_test;
  cut_test.lay_out(tableau);
  EdgeCounts counts{};
  if (!edge_counts(counts_of(state), state.foundation, kNoRank, counts)) return false;
  const EdgeSets sets(counts);
  return connected(state.foundation, counts_of(state).ranks, sets.none) &&
         cut_test.lost_piles(sets, state.foundation).among(tableau.start) == 0;
}

void test_walk_and_cut_reject_only_lost_states(Random& random) {
  int lost = 0, walk_rejects = 0, cut_rejects = 0, all_ends_reject = 0;
  for (int i = 0; i < 6000; ++i) {
    const State state = random_state(random);
    const bool solvable = plainly_solvable(state);
    const bool walk = passes(state, false), cut = passes(state, true), all_ends = passes_for_all_ends(state);
    if (solvable) CHECK(walk && cut && all_ends);
    if (cut) CHECK(walk && all_ends);
    lost += !solvable, walk_rejects += !walk, cut_rejects += !cut, all_ends_reject += !all_ends;
  }
  CHECK(walk_rejects > 100 && cut_rejects > walk_rejects + 100 && all_ends_reject > 100 && lost > cut_rejects);
}

void test_walk_test_is_exact_for_single_cards(Random& random) {
  int solvable = 0;
  for (int i = 0; i < 3000; ++i) {
    State state;
    state.foundation = pick(random, kCircle);
    const int width = 2 + pick(random, 4);
    for (int cards = 1 + pick(random, 9); cards > 0; --cards)
      state.piles.push_back({(state.foundation + pick(random, width)) % kCircle});
    bool fits = true;
    for (int r = 0; r < kCircle; ++r) fits = fits && counts_of(state).of(r) <= kSuits;
    if (!fits) continue;
    solvable += plainly_solvable(state);
    CHECK(passes(state, false) == plainly_solvable(state));
  }
  CHECK(solvable > 50);
}

// The cut test from its definition: every pair of edges, every pile.
LostPiles lost_by_definition(const State& state, const std::array<int, kCircle>& crossings, int rank) {
  LostPiles lost;
  for (int x = 0; x < kCircle; ++x)
    for (int y = x + 1; y < kCircle; ++y) {
      const int changes = crossings[x] + crossings[y];
      std::array<bool, kCircle> other{};  // part B
      for (int r = x + 1; r <= y; ++r) other[r] = true;
      if (other[rank])
        for (bool& side : other) side = !side;
      for (std::size_t p = 0; p < state.piles.size(); ++p)
        for (int height = 2; height <= static_cast<int>(state.piles[p].size()); ++height) {
          bool bad = false;
          for (int i = height - 1; i >= 0; --i)
            for (int j = i - 1; j >= 0; --j) {
              const bool b_over_a = other[state.piles[p][i]] && !other[state.piles[p][j]];
              bad = bad || (changes == 1 && b_over_a);
              for (int k = j - 1; k >= 0; --k) bad = bad || (changes == 2 && b_over_a && other[state.piles[p][k]]);
            }
          if (bad) (height == 3 ? lost.at_three : lost.from_two) |= 1u << p;
        }
    }
  return lost;
}

void test_cut_test_against_its_definition(Random& random) {
  int lost_to_pairs = 0, lost_on_paths = 0;
  for (int i = 0; i < 4000; ++i) {
    State state;
    state.piles.resize(kMaxPiles);
    for (auto& pile : state.piles)
      for (int cards = pick(random, 4); cards > 0; --cards) pile.push_back(pick(random, kCircle));
    Tableau tableau;
    tableau.lay_out(to_deal(state), false);
    CutTest cut_test;
    cut_test.lay_out(tableau);
    for (int j = 0; j < 10; ++j) {
      std::array<int, kCircle> crossings;
      EdgeCounts counts{};
      const bool gaps = pick(random, 2);
      for (int r = 0; r < kCircle; ++r) counts.set(r, crossings[r] = gaps ? pick(random, 4) : 1 + pick(random, 3));
      const int rank = pick(random, kCircle);
      const EdgeSets edges(counts);
      const LostPiles found = cut_test.lost_piles(edges, rank);
      const LostPiles defined = lost_by_definition(state, crossings, rank);
      const u32 three = tableau.start.three(), two = tableau.start.hi;
      CHECK((found.at_three & three & ~defined.at_three) == 0);
      CHECK((found.from_two & two & ~defined.from_two) == 0);
      if (edges.none == 0) {
        CHECK(found.among(tableau.start) == ((defined.at_three & three) | (defined.from_two & two)));
        lost_to_pairs += found.among(tableau.start) != 0;
      } else {
        lost_on_paths += found.among(tableau.start) != 0;
      }
    }
  }
  CHECK(lost_to_pairs > 1000 && lost_on_paths > 1000);
}

void test_dominance_keeps_a_winning_move(Random& random) {
  int dropped = 0;
  for (int i = 0; i < 8000; ++i) {
    const State state = random_state(random);
    Tableau tableau;
    tableau.lay_out(to_deal(state), false);
    for (int rank : {rank_above(state.foundation), rank_below(state.foundation)}) {
      const u32 tops = tableau.tops(tableau.start, rank);
      if (size_of(tops) < 2) continue;
      const u32 kept = undominated(tableau, tableau.start, tops);
      CHECK(kept != 0 && (kept & ~tops) == 0);
      if (kept == tops) continue;
      ++dropped;
      bool dropped_wins = false, kept_wins = false;
      for (u32 rest = tops; rest != 0; rest &= rest - 1) {
        const int pile = lowest(rest);
        const bool wins = plainly_solvable(state.played(static_cast<std::size_t>(pile)));
        (kept >> pile & 1 ? kept_wins : dropped_wins) |= wins;
      }
      CHECK(kept_wins || !dropped_wins);
    }
  }
  CHECK(dropped > 100);
}

void test_closure_rejects_only_lost_states(Random& random) {
  int rejects = 0;
  for (int i = 0; i < 4000; ++i) {
    const State state = random_state(random);
    Tableau tableau;
    tableau.lay_out(to_deal(state), false);
    if (closure_empties(tableau)) continue;
    ++rejects;
    CHECK(!plainly_solvable(state));
  }
  CHECK(rejects > 100);
}

// Keys that differ in few bits, as those of a search do; over several deals with one table.
void test_dead_table_against_a_set(Random& random) {
  DeadTable table(u64{1} << 20);
  for (const std::size_t states : {10, 5000, 60000, 100, 90000}) {
    table.start_deal();
    const u64 common = (u64{random()} << 32 | random()) >> (64 - DeadTable::kKeyBits);
    const auto key = [&] {
      u64 flips = 0;
      for (int i = 0; i < 6; ++i) flips |= u64{1} << pick(random, DeadTable::kKeyBits);
      return common ^ flips;
    };
    std::unordered_set<u64> dead;
    while (dead.size() < states) {
      const u64 state = key();
      if (dead.insert(state).second) table.insert(state);
    }
    std::size_t kept = 0;
    for (u64 state : dead) kept += table.contains(state);
    if (!table.full()) CHECK(kept >= states - states / 1000);
    CHECK(kept <= states && table.full() == (states == 90000));
    for (int i = 0; i < 100000; ++i) {
      const u64 state = key();
      if (table.contains(state)) CHECK(dead.count(state) == 1);
    }
  }
}

constexpr std::uint64_t kMemory = std::uint64_t{1} << 22;

template <bool kReverse, Pruning kPruning>
bool solvable_in_one_direction(const State& state, std::uint64_t memory = kMemory) {
  Meter meter(Limits{kNoLimit, memory, nullptr});
  DepthFirst<kReverse, kPruning> search(meter, memory);
  meter.start_deal();
  search.start_deal(to_deal(state));
  for (std::uint64_t budget = 16;; budget *= 2) {
    const under_test::Result result = search.run(budget);
    if (result == under_test::Result::kCutShort) continue;
    if (result == under_test::Result::kDead) return false;
    Decision decision;
    search.line(decision);
    return CHECK(line_wins(state, decision));
  }
}

template <Pruning kPruning>
void check_state(const State& state, bool solvable) {
  Portfolio<kPruning> portfolio(Limits{kNoLimit, kMemory, nullptr});
  Decision decision;
  portfolio.decide(to_deal(state), decision);
  CHECK(decision.verdict == (solvable ? Verdict::kWon : Verdict::kLost));
  if (solvable) CHECK(line_wins(state, decision));
  if (state.cards() == 0) return;
  CHECK((solvable_in_one_direction<false, kPruning>(state)) == solvable);
  CHECK((solvable_in_one_direction<true, kPruning>(state)) == solvable);
}

void test_states_with_each_rule_on_and_off(Random& random) {
  int solved = 0, lost = 0;
  for (int i = 0; i < 1500; ++i) {
    const State state = random_state(random);
    const bool solvable = plainly_solvable(state);
    (solvable ? solved : lost) += 1;
    check_state<Pruning{}>(state, solvable);
    check_state<Pruning{.walk = false, .cut = false, .dominance = false, .closure = false}>(state, solvable);
    check_state<Pruning{.walk = true, .cut = false, .dominance = false, .closure = false}>(state, solvable);
    check_state<Pruning{.walk = true, .cut = true, .dominance = false, .closure = false}>(state, solvable);
    check_state<Pruning{.walk = false, .cut = false, .dominance = true, .closure = false}>(state, solvable);
    check_state<Pruning{.walk = false, .cut = false, .dominance = false, .closure = true}>(state, solvable);
    check_state<Pruning{.walk = true, .cut = true, .dominance = true, .closure = false}>(state, solvable);
  }
  CHECK(solved > 300 && lost > 300);
}

// With room for few walks, most are made anew in every state.
void test_states_with_few_walks_kept(Random& random) {
  for (int i = 0; i < 300; ++i) {
    const State state = late_state(random, 30);
    if (state.cards() == 0) continue;
    const bool solvable = plainly_solvable(state);
    CHECK((solvable_in_one_direction<false, Pruning{}>(state, 1 << 14)) == solvable);
    CHECK((solvable_in_one_direction<true, Pruning{}>(state, 1 << 14)) == solvable);
  }
}

bool equal(const Outcome& a, const Outcome& b) {
  return a.verdict == b.verdict && a.reason == b.reason && a.iterations == b.iterations &&
         a.generated == b.generated && a.solution == b.solution;
}

FastBlackHole::Settings with_solutions() {
  FastBlackHole::Settings settings;
  settings.solutions = true;
  return settings;
}

Board deal_board(std::uint64_t number) { return BlackHole{Request{}}.layout(deal_deck(number)); }

void test_instruction_sets_give_equal_rows(Random& random) {
  if (!has_avx2()) return;
  FastBlackHole::Settings portable = with_solutions(), avx2 = with_solutions();
  portable.instructions = InstructionSet::kPortable;
  avx2.instructions = InstructionSet::kAvx2;
  FastBlackHole one(portable), two(avx2);
  for (std::uint64_t deal = 1; deal <= 1500; ++deal) {
    const Board board = deal_board(deal);
    CHECK(equal(one.solve(board), two.solve(board)));
  }
  for (int i = 0; i < 1500; ++i) {
    const Board board = to_board(random_state(random));
    CHECK(equal(one.solve(board), two.solve(board)));
  }
}

void test_rows_do_not_depend_on_earlier_deals() {
  FastBlackHole upwards(with_solutions()), downwards(with_solutions());
  std::vector<Outcome> outcomes;
  for (std::uint64_t deal = 1; deal <= 300; ++deal) outcomes.push_back(upwards.solve(deal_board(deal)));
  for (std::uint64_t deal = 300; deal >= 1; --deal)
    CHECK(equal(outcomes[deal - 1], downwards.solve(deal_board(deal))));
  for (std::uint64_t deal = 1; deal <= 20; ++deal)
    CHECK(equal(outcomes[deal - 1], FastBlackHole(with_solutions()).solve(deal_board(deal))));
}

void test_limit() {
  FastBlackHole unlimited(with_solutions());
  for (std::uint64_t deal : {1, 2, 3, 14, 400, 80823, 168206}) {
    const Outcome full = unlimited.solve(deal_board(deal));
    CHECK(full.verdict != Verdict::kExhausted && full.iterations >= 1);
    for (const std::uint64_t limit : {std::uint64_t{1}, full.iterations / 2, full.iterations - 1, full.iterations}) {
      if (limit == 0) continue;
      FastBlackHole::Settings settings = with_solutions();
      settings.limit = limit;
      const Outcome limited = FastBlackHole(settings).solve(deal_board(deal));
      if (limit == full.iterations) {
        CHECK(equal(limited, full));
      } else {
        CHECK(limited.verdict == Verdict::kExhausted && limited.reason == Reason::kLimit);
        CHECK(limited.iterations == limit && limited.solution.empty());
      }
    }
  }
}

void test_a_small_memory_cap_never_changes_a_verdict() {
  FastBlackHole::Settings settings = with_solutions();
  settings.memory_cap_bytes = 1 << 17;
  FastBlackHole small(settings), usual(with_solutions());
  for (std::uint64_t deal : {1, 2, 3, 400, 80823, 106166, 168206, 318229}) {
    const Outcome capped = small.solve(deal_board(deal)), full = usual.solve(deal_board(deal));
    CHECK(capped.verdict == full.verdict || (capped.verdict == Verdict::kExhausted && capped.reason == Reason::kMemory));
  }
}

int asked = 0;
bool stop_at_third() { return ++asked == 3; }

void test_stopping_leaves_the_search_usable() {
  FastBlackHole::Settings settings = with_solutions();
  settings.stop = stop_at_third;
  FastBlackHole search(settings);
  const Board board = deal_board(168206);
  bool stopped = false;
  try {
    search.solve(board);
  } catch (const Stopped&) {
    stopped = true;
  }
  CHECK(stopped && asked == 3);
  CHECK(equal(search.solve(board), FastBlackHole(with_solutions()).solve(board)));
}

void test_boards_it_cannot_hold_are_refused() {
  const auto refused = [](const Board& board) {
    try {
      FastBlackHole({}).solve(board);
    } catch (const BadRequest&) {
      return true;
    }
    return false;
  };
  CHECK(refused(to_board({{{0, 1, 2, 3}}, 12})));
  CHECK(refused(to_board({{{1, 1, 1}, {1, 1}}, 0})));
  CHECK(refused(Board{}));
  CHECK(!refused(to_board({{{}}, 0})));
}

}  // namespace

int main() {
  Random random(20240229);
  test_reach();
  test_edge_counts_follow_moves(random);
  test_walk_and_cut_reject_only_lost_states(random);
  test_walk_test_is_exact_for_single_cards(random);
  test_cut_test_against_its_definition(random);
  test_dominance_keeps_a_winning_move(random);
  test_closure_rejects_only_lost_states(random);
  test_dead_table_against_a_set(random);
  test_states_with_each_rule_on_and_off(random);
  test_states_with_few_walks_kept(random);
  test_instruction_sets_give_equal_rows(random);
  test_rows_do_not_depend_on_earlier_deals();
  test_limit();
  test_a_small_memory_cap_never_changes_a_verdict();
  test_stopping_leaves_the_search_usable();
  test_boards_it_cannot_hold_are_refused();
  return check::report();
}
