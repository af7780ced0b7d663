// Bisley against the oracle on reduced decks, every rule on and off; limits, stops, layouts.
#include "check.hpp"

#include <random>

#include "games/bisley.hpp"
#include "plain_bisley.hpp"
#include "range.hpp"
#include "search/bisley/engine.hpp"
#include "search/bisley/replay.hpp"

using namespace dealsweep;

namespace {

using bisley::Rules;

// Ranks 2..last of some suits, dealt at random to piles of random heights.
Board reduced_board(std::mt19937& random) {
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  const int suits = 1 + below(4), last = 5 + below(3);
  std::vector<Card> cards;
  for (int suit = 0; suit < suits; ++suit)
    for (int rank = 2; rank <= last; ++rank) cards.push_back(make_card(rank, suit));
  std::shuffle(cards.begin(), cards.end(), random);
  const int piles = 3 + below(5);
  if (below(2)) {  // as the game deals
    Board board;
    deal_in_turn(board, cards, piles);
    return board;
  }
  std::vector<std::vector<Card>> at(piles);
  for (Card card : cards) at[below(piles)].push_back(card);
  Board board;
  for (const auto& pile : at) board.add_pile(pile);
  return board;
}

struct Tally {
  int decided = 0, won = 0, lost = 0;
};

// By the engine of every instruction set that this CPU has, which must say the same to the last count.
template <Rules kRules>
Outcome solve(const Board& board, bisley::Scratch& scratch) {
  const bisley::Deal deal(board, kRules.same_position);
  const Outcome outcome = bisley::solve_by(bisley::portable::decide<kRules>, deal, board, {}, true, scratch);
#ifdef DEALSWEEP_HAS_AVX2
  if (has_avx2()) {
    const Outcome newer = bisley::solve_by(bisley::avx2::decide<kRules>, deal, board, {}, true, scratch);
    CHECK(newer.verdict == outcome.verdict);
    CHECK(newer.iterations == outcome.iterations);
    CHECK(newer.generated == outcome.generated);
    CHECK(newer.solution == outcome.solution);
  }
#endif
  return outcome;
}

template <Rules kRules>
void compare(const Board& board, bool solvable, bisley::Scratch& scratch) {
  const Outcome outcome = solve<kRules>(board, scratch);
  CHECK(outcome.verdict == (solvable ? Verdict::kWon : Verdict::kLost));
  CHECK(outcome.solution.empty() != solvable);
  CHECK(!solvable || bisley::line_wins(board, outcome.solution));
}

template <auto... kOff>
constexpr Rules without() {
  Rules rules;
  ((rules.*kOff = false), ...);
  return rules;
}

void equals_brute_force() {
  std::mt19937 random(13);
  bisley::Scratch scratch;
  Tally tally;
  for (int i = 0; i < 6000; ++i) {
    const Board board = reduced_board(random);
    const std::optional<bool> solvable = plain_bisley::solvable(board, 6000);
    if (!solvable) continue;
    ++tally.decided;
    ++(*solvable ? tally.won : tally.lost);
    compare<Rules{}>(board, *solvable, scratch);
    compare<without<&Rules::same_position>()>(board, *solvable, scratch);
    compare<without<&Rules::safe_releases>()>(board, *solvable, scratch);
    compare<without<&Rules::bottom_rule>()>(board, *solvable, scratch);
    compare<without<&Rules::closure>()>(board, *solvable, scratch);
    compare<without<&Rules::regions>()>(board, *solvable, scratch);
    compare<without<&Rules::freezing>()>(board, *solvable, scratch);
    compare<without<&Rules::dive>()>(board, *solvable, scratch);
    compare<without<&Rules::dive, &Rules::closure>()>(board, *solvable, scratch);
    compare<Rules{false, false, false, false, false, false, false}>(board, *solvable, scratch);
  }
  std::printf("%d reduced deals: %d won, %d lost\n", tally.decided, tally.won, tally.lost);
  CHECK(tally.won > 1000);
  CHECK(tally.lost > 1000);
}

Request request_for(std::string rules) {
  Request request;
  request.rules = std::move(rules);
  request.solutions = true;
  return request;
}

// All rules and a few against each other on deals of the full deck, and all lines replayed.
void rules_agree_on_full_deals() {
  for (const char* rules : {"13", "12x4"}) {
    Bisley game(request_for(rules));
    bisley::Scratch scratch;
    int lost = 0;
    for (std::uint64_t deal = 1; deal <= 400; ++deal) {
      const Board board = game.layout(deal_deck(deal));
      const Outcome full = solve<Rules{}>(board, scratch);
      const Outcome plain = solve<without<&Rules::regions, &Rules::dive>()>(board, scratch);
      const Outcome no_bottoms = solve<without<&Rules::bottom_rule, &Rules::freezing>()>(board, scratch);
      CHECK(full.verdict != Verdict::kExhausted);
      CHECK(full.verdict == plain.verdict);
      CHECK(full.verdict == no_bottoms.verdict);
      CHECK(full.verdict != Verdict::kWon || bisley::line_wins(board, full.solution));
      lost += full.verdict == Verdict::kLost;
    }
    CHECK(lost > 30);
  }
}

void replay_refuses_bad_lines() {
  Bisley game(request_for("13"));
  const Board board = game.layout(deal_deck(1));
  bisley::Scratch scratch;
  Outcome outcome;
  for (std::uint64_t deal = 1; outcome.verdict != Verdict::kWon; ++deal) {
    const Board next = game.layout(deal_deck(deal));
    outcome = bisley::solve(next, {}, true, scratch);
    if (outcome.verdict != Verdict::kWon) continue;
    std::vector<std::uint8_t> line = outcome.solution;
    CHECK(bisley::line_wins(next, line));
    line.resize(line.size() - 2);
    CHECK(!bisley::line_wins(next, line));
    line = outcome.solution;
    line.erase(line.begin(), line.begin() + 2);
    CHECK(!bisley::line_wins(next, line));
    line = outcome.solution;
    line.pop_back();
    CHECK(!bisley::line_wins(next, line));
  }
  CHECK(!bisley::line_wins(board, {}));
}

void same_alone_and_in_ranges() {
  Bisley game(request_for("13"));
  const Columns all = solve_range(game, 31900, 200);
  for (std::uint64_t i = 0; i < 200; i += 7) {
    Bisley fresh(request_for("13"));
    const Columns one = solve_range(fresh, 31900 + i, 1);
    CHECK(one.verdict[0] == all.verdict[i]);
    CHECK(one.iterations[0] == all.iterations[i]);
    CHECK(one.generated[0] == all.generated[i]);
    const std::size_t from = i == 0 ? 0 : all.solution_end[i - 1];
    const auto begin = all.solution.begin();
    CHECK(one.solution == std::vector<std::uint8_t>(begin + from, begin + all.solution_end[i]));
  }
}

void limits_and_stops() {
  Request request = request_for("12x4");
  Bisley free_game(request);
  const Columns full = solve_range(free_game, 1, 500);
  const auto all = full.iterations;
  const auto hardest = std::max_element(all.begin(), all.end()) - all.begin();
  const std::uint64_t needed = full.iterations[hardest];
  CHECK(needed > 500);
  request.limit = needed;
  CHECK(solve_range(*Bisley::info().make(request), 1 + hardest, 1).verdict[0] == full.verdict[hardest]);
  request.limit = needed - 1;
  const Columns short_one = solve_range(*Bisley::info().make(request), 1 + hardest, 1);
  CHECK(short_one.verdict[0] == static_cast<std::uint8_t>(Verdict::kExhausted));
  CHECK(short_one.reason[0] == static_cast<std::uint8_t>(Reason::kLimit));
  CHECK(short_one.iterations[0] == needed - 1);
  request.limit.reset();
  request.memory_cap_bytes = 4000;
  const Columns small = solve_range(*Bisley::info().make(request), 1 + hardest, 1);
  CHECK(small.reason[0] == static_cast<std::uint8_t>(Reason::kMemory));
  request.memory_cap_bytes.reset();
  static bool stop = true;
  request.stop = [] { return stop; };
  const auto game = Bisley::info().make(request);
  bool stopped = false;
  try {
    solve_range(*game, 1 + hardest, 1);
  } catch (const Stopped&) {
    stopped = true;
  }
  CHECK(stopped);
  stop = false;
  const Columns again = solve_range(*game, 1 + hardest, 1);
  CHECK(again.verdict[0] == full.verdict[hardest]);
  CHECK(again.iterations[0] == needed);
}

template <typename Make>
bool refused(Make make) {
  try {
    make();
  } catch (const std::invalid_argument&) {
    return true;
  }
  return false;
}

void bad_requests_and_boards() {
  const auto with = [](std::string rules, std::string name, std::string value) {
    Request request = request_for(std::move(rules));
    request.switches.push_back({std::move(name), std::move(value)});
    return request;
  };
  CHECK(Bisley(with("", "layout", "12x4")).switches().front().second == "12x4");
  CHECK(Bisley(with("13", "layout", "13")).switches().front().second == "13");
  CHECK(refused([&] { Bisley game(with("13", "layout", "12x4")); }));
  CHECK(refused([&] { Bisley game(with("", "layout", "11")); }));
  CHECK(refused([&] { Bisley game(request_for("14")); }));
  bisley::Scratch scratch;
  Board twice, gap, ace, stock;
  stock.set_stock(std::array<Card, 1>{5});
  CHECK(refused([&] { bisley::solve(stock, {}, false, scratch); }));
  twice.add_pile(std::array<Card, 2>{5, 5});
  gap.add_pile(std::array<Card, 2>{5, 7});
  ace.add_pile(std::array<Card, 1>{0});
  CHECK(refused([&] { bisley::solve(twice, {}, false, scratch); }));
  CHECK(refused([&] { bisley::solve(gap, {}, false, scratch); }));
  CHECK(refused([&] { bisley::solve(ace, {}, false, scratch); }));
  Board empty;
  empty.add_pile({});
  CHECK(bisley::solve(empty, {}, true, scratch).verdict == Verdict::kWon);
}

}  // namespace

int main() {
  equals_brute_force();
  rules_agree_on_full_deals();
  replay_refuses_bad_lines();
  same_alone_and_in_ranges();
  limits_and_stops();
  bad_requests_and_boards();
  return check::report();
}
