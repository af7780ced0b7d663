// The reference search against the plain oracle on random boards, and its table against a
// library's set.
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <unordered_set>

#include "check.hpp"
#include "games/all_in_a_row.hpp"
#include "games/black_hole.hpp"
#include "games/golf.hpp"
#include "plain_search.hpp"
#include "registry.hpp"

using namespace dealsweep;

namespace {

using Random = std::mt19937;

int below(Random& random, int end) { return static_cast<int>(random() % static_cast<unsigned>(end)); }

// Any subset of a deck in piles of any heights, with or without foundation and stock.
template <typename Shape>
Board random_board(Random& random, int most_cards) {
  std::vector<Card> cards(kDeckSize);
  for (int i = 0; i < kDeckSize; ++i) cards[i] = static_cast<Card>(i);
  std::shuffle(cards.begin(), cards.end(), random);
  const int piles = 1 + below(random, Shape::kPiles);
  int left = below(random, most_cards + 1);
  Board board;
  auto next = cards.begin();
  for (int p = 0; p < piles; ++p) {
    const int height = std::min(left, below(random, Shape::kHeight + 1));
    board.add_pile({next, next + height});
    next += height;
    left -= height;
  }
  if constexpr (Shape::kStock > 0) {
    const int stock = below(random, Shape::kStock / 2);
    board.set_stock({next, next + stock});
    next += stock;
  }
  if (below(random, 4) != 0) board.add_foundation(*next);
  return board;
}

template <typename Shape>
std::array<reference::EdgeLoop<Shape>, 2> all_loops() {
  return {reference::portable_loop<Shape>(), reference::best_loop<Shape>()};
}

bool same(const Outcome& a, const Outcome& b) {
  return a.verdict == b.verdict && a.reason == b.reason && a.iterations == b.iterations &&
         a.generated == b.generated && a.solution == b.solution;
}

bool agrees(const Outcome& out, const plain::Result& want) {
  const Verdict verdict = want.solved      ? Verdict::kWon
                          : want.exhausted ? Verdict::kExhausted
                                           : Verdict::kLost;
  return out.verdict == verdict && out.iterations == want.iterations && out.generated == want.generated &&
         out.reason == (want.exhausted ? Reason::kLimit : Reason::kNone);
}

template <typename Shape>
void test_random_boards(plain::Rules rules, unsigned seed, int boards) {
  Random random(seed);
  std::array<int, 3> verdicts{};
  for (int i = 0; i < boards; ++i) {
    const Board board = random_board<Shape>(random, 6 + i % 20);
    plain::Rules applied = rules;
    applied.rank_reach = rules.rank_reach && board.stock_count == 0;
    const auto whole = plain::search(board, applied, 50'000);
    ReferenceSettings settings{.rules = {.wrap = rules.wrap, .queens_on_kings = rules.queens_on_kings},
                               .rank_reach = rules.rank_reach,
                               .limit = 50'000,
                               .solutions = true};
    // The same again under limits around every count that matters.
    std::vector<std::uint64_t> limits{50'000};
    for (std::uint64_t at : {std::uint64_t{1}, whole.iterations / 2, whole.iterations - 1, whole.iterations})
      if (at >= 1 && at < 50'000) limits.push_back(at);
    for (std::uint64_t limit : limits) {
      settings.limit = limit;
      const auto want = plain::search(board, applied, limit);
      for (const auto& loop : all_loops<Shape>()) {
        ReferenceSearch<Shape> search(settings, loop);
        const Outcome out = search.solve(board);
        CHECK(agrees(out, want));
        CHECK((out.verdict == Verdict::kWon) == clears_all_piles(board, settings.rules, out.solution) ||
              board.start[board.pile_count] == 0);
        ++verdicts[static_cast<int>(out.verdict)];
      }
    }
  }
  for (int count : verdicts) CHECK(count > 0);
}

// Deals in their own layout, both variants, one search object for all of them.
template <typename Game, typename Shape>
void test_dealt_boards(GolfRules rules, bool rank_reach, std::uint64_t first, int deals) {
  const Game game(Request{});
  ReferenceSettings settings{.rules = rules, .rank_reach = rank_reach, .limit = 60'000, .solutions = true};
  ReferenceSearch<Shape> portable(settings, reference::portable_loop<Shape>()), best(settings);
  for (int i = 0; i < deals; ++i) {
    const Board board = game.layout(deal_deck(first + i));
    const Outcome out = best.solve(board);
    CHECK(same(out, portable.solve(board)));
    CHECK(same(out, ReferenceSearch<Shape>(settings).solve(board)));  // nothing is left of earlier deals
    CHECK(agrees(out, plain::search(board, {rules.wrap, rules.queens_on_kings, rank_reach}, settings.limit)));
    CHECK(out.verdict != Verdict::kWon || clears_all_piles(board, rules, out.solution));
  }
}

// Every state of two groups in random order, with repeats: the blocks grow to their largest.
template <typename Shape>
void test_table_of_full_groups(unsigned seed) {
  using namespace reference;
  for (const auto& loop : all_loops<Shape>()) {
    Random random(seed);
    SeenTable seen(Shape::kGroups, std::uint64_t{64} << 20);
    std::vector<std::uint64_t> states;
    for (std::uint64_t group : {std::uint64_t{0}, std::uint64_t{Shape::kGroups - 1}})
      for (std::uint64_t heights = 0; heights < power<Shape>(Shape::kLocalPiles); ++heights)
        for (std::uint64_t rank = 1; rank <= kRanks; ++rank)
          states.push_back(group << kGroupShift | rank << kRankShift | heights);
    std::shuffle(states.begin(), states.end(), random);
    for (std::size_t i = 0; i < states.size(); ++i) {
      CHECK(loop.put(seen, states[i]) == Added::kNew);
      CHECK(loop.put(seen, states[random() % (i + 1)]) == Added::kSeen);
    }
    bool all = true;
    for (std::uint64_t state : states) all = all && seen.contains(state);
    CHECK(all);
    CHECK(Block{seen.directory()[0]}.g() >= 9);
    seen.clear();
    CHECK(!seen.contains(states[0]));
    CHECK(seen.directory()[0] == 0 && seen.directory()[Shape::kGroups - 1] == 0);
  }
}

// States that all have one home for as long as possible: line, buddy, and splits that move
// nothing apart, again and again.
void test_table_with_one_home() {
  using namespace reference;
  std::vector<Local> crowd;
  for (std::uint32_t heights = 0; heights < 4096; ++heights)
    for (std::uint32_t rank = 1; rank <= 13; ++rank)
      if (mixed(heights) >> 20 < 16) crowd.push_back(static_cast<Local>(rank << kRankShift | heights));
  for (const auto& loop : all_loops<BlackHoleShape>()) {
    SeenTable seen(BlackHoleShape::kGroups, std::uint64_t{64} << 20);
    for (std::size_t i = 0; i < crowd.size(); ++i) {
      CHECK(loop.put(seen, crowd[i]) == Added::kNew);
      for (std::size_t j = 0; j < crowd.size(); ++j) CHECK(seen.contains(crowd[j]) == (j <= i));
    }
    // 16 combinations of heights, 208 states, share a home in 2^8 lines; 2^11 lines give them 8.
    CHECK(Block{seen.directory()[0]}.g() == 11);
  }
}

// Many groups, so that the directory is cleared whole; blocks come from the free lists.
void test_table_of_many_groups() {
  using namespace reference;
  Random random(5);
  SeenTable seen(BlackHoleShape::kGroups, std::uint64_t{256} << 20);
  for (int round = 0; round < 2; ++round) {
    std::unordered_set<std::uint64_t> want;
    bool same = true;
    for (int i = 0; i < 1'200'000; ++i) {
      const std::uint64_t group = i % 3 ? random() % 40 : random() % BlackHoleShape::kGroups;
      const std::uint64_t state = group << kGroupShift | (1 + random() % 13) << kRankShift | random() % 4096;
      const Added added = best_loop<BlackHoleShape>().put(seen, state);
      same = same && added == (want.insert(state).second ? Added::kNew : Added::kSeen);
    }
    CHECK(same);
    seen.clear();
    bool empty = true;
    for (std::uint32_t group = 0; group < BlackHoleShape::kGroups; ++group)
      empty = empty && seen.directory()[group] == 0;
    CHECK(empty);
  }
}

void test_memory_cap() {
  const BlackHole game(Request{});
  const Board board = game.layout(deal_deck(2));
  ReferenceSettings settings{.rules = BlackHole::kRules};
  const Outcome whole = ReferenceSearch<BlackHoleShape>(settings).solve(board);
  CHECK(whole.verdict == Verdict::kWon);
  std::uint64_t before = 0;
  for (std::uint64_t cap : {1u, 64u, 1000u, 4096u, 65'536u, 300'000u, 16'000'000u}) {
    settings.memory_cap_bytes = cap;
    ReferenceSearch<BlackHoleShape> best(settings),
        portable(settings, reference::portable_loop<BlackHoleShape>());
    const Outcome out = best.solve(board);
    CHECK(same(out, portable.solve(board)));
    CHECK(same(out, best.solve(board)));
    CHECK(best.peak_bytes() <= cap + sizeof(reference::Line));
    if (cap < 16'000'000u) {
      CHECK(out.verdict == Verdict::kExhausted && out.reason == Reason::kMemory);
      CHECK(out.iterations >= 1 && out.iterations < whole.iterations && out.generated >= before);
      CHECK(out.generated <= 1 + cap / 2);
    } else {
      CHECK(same(out, whole));
    }
    before = out.generated;
  }
}

int polls = 0;
bool stop_at_third_poll() { return ++polls == 3; }

void test_stop() {
  const BlackHole game(Request{});
  const Board board = game.layout(deal_deck(3));  // three million iterations
  ReferenceSettings settings{.rules = BlackHole::kRules, .stop = stop_at_third_poll};
  ReferenceSearch<BlackHoleShape> search(settings);
  bool stopped = false;
  try {
    search.solve(board);
  } catch (const Stopped&) {
    stopped = true;
  }
  CHECK(stopped && polls == 3);
  const Outcome again = search.solve(board);  // the next poll is the fourth: never stops
  CHECK(again.verdict == Verdict::kWon && again.iterations == 3'092'411 && again.generated == 3'092'457);
}

template <typename Action>
std::string refusal(Action action) {
  try {
    action();
  } catch (const BadRequest& fault) {
    return fault.what();
  }
  return "";
}

void test_refusals() {
  Board high;
  const std::array<Card, 6> cards{0, 1, 2, 3, 4, 5};
  high.add_pile(cards);
  const auto says = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  CHECK(says(refusal([&] { ReferenceSearch<BlackHoleShape>({}).solve(high); }), "3 cards in a pile, not 6"));
  CHECK(says(refusal([&] { ReferenceSearch<AllInARowShape>({}).solve(high); }), "4 cards in a pile, not 6"));
  CHECK(says(refusal([&] { ReferenceSearch<GolfShape>({}).solve(high); }), "5 cards in a pile, not 6"));
  Board wide;
  for (int p = 0; p < 14; ++p) wide.add_pile({});
  CHECK(says(refusal([&] { ReferenceSearch<AllInARowShape>({}).solve(wide); }), "13 piles, not 14"));
  Board stocked;
  stocked.set_stock(cards);
  CHECK(says(refusal([&] { ReferenceSearch<BlackHoleShape>({}).solve(stocked); }),
             "0 cards in the stock, not 6"));
  Board founded;
  founded.add_foundation(0);
  founded.add_foundation(1);
  CHECK(says(refusal([&] { ReferenceSearch<GolfShape>({}).solve(founded); }), "1 foundations, not 2"));
  Request pruned, unlimited;
  pruned.prune = "rank-reach";
  unlimited.limit = 0;
  CHECK(says(refusal([&] { Golf{pruned}; }), "stock"));
  CHECK(says(refusal([&] { BlackHole{pruned}; }), "needs search reference"));
  CHECK(says(refusal([&] { Golf{unlimited}; }), "limit 0"));
}

// The number of positions a given number of cards from the start, by the search's own packed
// states and move masks.
template <typename Shape>
std::vector<std::size_t> positions_by_depth(const Board& board, GolfRules rules, std::size_t depths) {
  using namespace reference;
  using Position = std::pair<std::uint64_t, std::uint64_t>;
  const auto plan = plan_of<Shape>(board, rules);
  std::array<int, Board::kMaxPiles> heights{};
  for (int p = 0; p < board.pile_count; ++p) heights[p] = board.height(p);
  const auto start = pack<Shape>({heights.data(), board.pile_count}, 0,
                                 board.foundation_count ? rank_of(board.foundations[0]) : 0);
  std::set<Position> level{{start.index, start.heights()}};
  std::vector<std::size_t> counts;
  for (;;) {
    counts.push_back(level.size());
    if (counts.size() == depths) return counts;
    std::set<Position> deeper;
    for (const auto& [index, word] : level) {
      State<Shape> state;
      state.index = index;
      if constexpr (!Shape::kOneWord) state.heights_word = word;
      const auto add = [&](State<Shape> child) { deeper.emplace(child.index, child.heights()); };
      const auto parent = state.without_rank();
      const auto play = [&](std::uint64_t bit, std::uint64_t rank) {
        State<Shape> child = parent.without_top(bit, plan);
        child.index += rank;
        add(child);
      };
      if (rank_in(state) == 0) {
        for (int p = 0; p < board.pile_count; ++p)
          if (board.height(p) > 0)
            play(std::uint64_t{1} << Shape::bit(p),
                 std::uint64_t(rank_of(board.pile(p).back())) << kRankShift);
        continue;
      }
      const auto& row = plan.rows[rank_in(state)];
      const std::uint64_t up = matching<Shape>(state.heights(), row.up);
      for (std::uint64_t left = all_moves(state, row, plan); left != 0; left &= left - 1) {
        const std::uint64_t bit = left & -left;
        if constexpr (Shape::kStock > 0) {
          if (bit == kStockBit) {
            add(parent.take_stock(plan.stock[state.heights() >> kTakenShift]));
            continue;
          }
        }
        play(bit, up & bit ? row.up_rank : row.down_rank);
      }
    }
    level = std::move(deeper);
  }
}

// Lines "game rules deal count count ...", the first count being the start's, 1.
void test_positions_by_depth() {
  const auto file = std::filesystem::path(__FILE__).parent_path() / "../golden/golf/positions_by_depth.txt";
  std::ifstream in(file);
  int rows = 0;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::string name, rules;
    std::uint64_t deal = 0;
    words >> name >> rules >> deal;
    std::vector<std::size_t> want;
    for (std::size_t count; words >> count;) want.push_back(count);
    const Board board = find_game(name).make(Request{})->layout(deal_deck(deal));
    const GolfRules applied{.wrap = name != "golf" || rules == "wrap",
                            .queens_on_kings = name != "golf" || rules != "standard"};
    const auto got = name == "black-hole" ? positions_by_depth<BlackHoleShape>(board, applied, want.size())
                     : name == "all-in-a-row"
                         ? positions_by_depth<AllInARowShape>(board, applied, want.size())
                         : positions_by_depth<GolfShape>(board, applied, want.size());
    CHECK(got == want);
    ++rows;
  }
  CHECK(rows == 12);
}

}  // namespace

int main() {
  const plain::Rules wrap{}, closed{.wrap = false, .queens_on_kings = false};
  const plain::Rules queens{.wrap = false, .queens_on_kings = true}, pruned{.rank_reach = true};
  test_random_boards<BlackHoleShape>(wrap, 1, 150);
  test_random_boards<BlackHoleShape>(pruned, 2, 150);
  test_random_boards<AllInARowShape>(wrap, 3, 100);
  test_random_boards<AllInARowShape>(pruned, 4, 100);
  test_random_boards<GolfShape>(closed, 5, 100);
  test_random_boards<GolfShape>(queens, 6, 100);
  test_random_boards<GolfShape>(wrap, 7, 100);
  test_dealt_boards<BlackHole, BlackHoleShape>(BlackHole::kRules, false, 1, 20);
  test_dealt_boards<BlackHole, BlackHoleShape>(BlackHole::kRules, true, 500'001, 20);
  test_dealt_boards<AllInARow, AllInARowShape>(AllInARow::kRules, false, 1, 10);
  test_dealt_boards<AllInARow, AllInARowShape>(AllInARow::kRules, true, 1, 10);
  test_dealt_boards<Golf, GolfShape>({}, false, 1, 10);
  test_dealt_boards<Golf, GolfShape>({.queens_on_kings = true}, false, 1, 10);
  test_dealt_boards<Golf, GolfShape>({.wrap = true, .queens_on_kings = true}, false, 1, 10);
  test_table_of_full_groups<BlackHoleShape>(1);
  test_table_of_full_groups<AllInARowShape>(2);
  test_table_of_full_groups<GolfShape>(3);
  test_table_with_one_home();
  test_table_of_many_groups();
  test_memory_cap();
  test_stop();
  test_refusals();
  test_positions_by_depth();
  return check::report();
}
