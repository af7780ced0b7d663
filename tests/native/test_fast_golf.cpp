// The fast search of Golf against plain search: states of random play, every pruning rule on and off,
// both instruction sets, limits and the memory cap.
#include "check.hpp"
#include "deck.hpp"
#include "plain_search.hpp"
#include "random_states.hpp"
#include "search/fast_golf/fast_golf.hpp"

using namespace dealsweep;
using random_states::below;
using random_states::Random;

namespace {

constexpr GolfRules kRules[] = {
    {}, {.wrap = false, .queens_on_kings = true}, {.wrap = true, .queens_on_kings = true}};

fast_golf::Options options_for(GolfRules rules) {
  fast_golf::Options options;
  options.rules = rules;
  options.solutions = true;
  return options;
}

Board golf_board(std::uint64_t number) {
  const Deck deck = deal_deck(number);
  Board board;
  deal_in_turn(board, {deck.begin(), 35}, 7);
  board.add_foundation(deck[35]);
  board.set_stock({deck.begin() + 36, 16});
  return board;
}

// A board of few ranks and few cards: many of them are close to the border of won and lost.
Board small_board(Random& random) {
  const int ranks = 4 + below(random, 10), piles = 1 + below(random, 7), height = 1 + below(random, 5);
  const std::vector<Card> cards = random_states::some_cards(random, ranks, 8 + below(random, 20));
  const int tableau = std::min({static_cast<int>(cards.size()) - 1, piles * height, 18});
  Board board;
  deal_in_turn(board, {cards.data(), static_cast<std::size_t>(tableau)}, piles);
  if (below(random, 8) != 0) board.add_foundation(cards[static_cast<std::size_t>(tableau)]);
  board.set_stock({cards.begin() + tableau + 1, cards.end()});
  return board;
}

bool same(const Outcome& a, const Outcome& b) {
  return a.verdict == b.verdict && a.reason == b.reason && a.iterations == b.iterations &&
         a.generated == b.generated && a.solution == b.solution;
}

// All solvers of one rule set: each pruning rule alone, none, all; narrow passes; plain instructions.
struct Solvers {
  GolfRules rules;
  std::vector<std::unique_ptr<fast_golf::Solver>> solvers;
  fast_golf::Solver whole, plain;

  static fast_golf::Options without_avx2(fast_golf::Options options) {
    options.avx2 = false;
    return options;
  }

  explicit Solvers(GolfRules r) : rules(r), whole(options_for(r)), plain(without_avx2(options_for(r))) {
    for (unsigned set = 0; set < 8; ++set)
      for (const bool narrow : {false, true}) {
        fast_golf::Options options = options_for(r);
        options.pruning = {.hall = (set & 1) != 0, .king = (set & 2) != 0, .single = (set & 4) != 0};
        options.widths = {.first = 2, .factor = 2, .narrow_passes = narrow ? 6 : 0};
        solvers.push_back(std::make_unique<fast_golf::Solver>(options));
      }
  }

  // True if the state is won.
  bool check(const Board& board) {
    const plain::Result known =
        plain::search(board, {.wrap = rules.wrap, .queens_on_kings = rules.queens_on_kings}, 400000);
    if (known.exhausted) return false;
    for (auto& solver : solvers) {
      const Outcome outcome = solver->solve(board);
      CHECK(outcome.verdict == (known.solved ? Verdict::kWon : Verdict::kLost));
      CHECK(!known.solved || clears_all_piles(board, rules, outcome.solution));
    }
    CHECK(same(whole.solve(board), plain.solve(board)));
    return known.solved;
  }
};

void check_states() {
  for (const GolfRules rules : kRules) {
    Random random(7);
    Solvers solvers(rules);
    int won = 0;
    for (int i = 0; i < 1500; ++i) {
      const Board board = small_board(random);
      won += solvers.check(board);
      won += solvers.check(random_states::after_random_play(board, rules, 1 + below(random, 12), random));
    }
    CHECK(won > 300 && won < 2700);
    for (int i = 0; i < 40; ++i)
      solvers.check(random_states::after_random_play(golf_board(1 + random() % 1000000), rules,
                                                     20 + below(random, 20), random));
  }
}

void check_equal_rows_of_both_instruction_sets() {
  for (const GolfRules rules : kRules) {
    Solvers solvers(rules);
    for (std::uint64_t n = 31990; n < 32040; ++n)
      CHECK(same(solvers.whole.solve(golf_board(n)), solvers.plain.solve(golf_board(n))));
  }
}

void check_limits() {
  fast_golf::Options options = options_for({});
  fast_golf::Solver free(options);
  for (std::uint64_t n = 1; n <= 50; ++n) {
    const Outcome whole = free.solve(golf_board(n));
    options.limit = whole.iterations;
    CHECK(same(fast_golf::Solver(options).solve(golf_board(n)), whole));
    if (whole.iterations < 2) continue;
    options.limit = whole.iterations - 1;
    const Outcome cut = fast_golf::Solver(options).solve(golf_board(n));
    CHECK(cut.verdict == Verdict::kExhausted && cut.reason == Reason::kLimit &&
          cut.iterations == options.limit);
  }
  options.memory_cap_bytes = 1000;
  const Outcome capped = fast_golf::Solver(options).solve(golf_board(1));
  CHECK(capped.verdict == Verdict::kExhausted && capped.reason == Reason::kMemory);
}

bool always_stop() { return true; }
bool never_stop() { return false; }
StopCheck stop_now = never_stop;
bool stop_when_asked() { return stop_now(); }

void check_stop() {
  fast_golf::Options options = options_for({});
  options.stop = stop_when_asked;
  fast_golf::Solver solver(options);
  const Outcome before = solver.solve(golf_board(1));
  stop_now = always_stop;
  bool stopped = false;
  for (std::uint64_t n = 1; n < 50; ++n) try {
      solver.solve(golf_board(n));
    } catch (const Stopped&) {
      stopped = true;
    }
  CHECK(stopped);
  stop_now = never_stop;
  CHECK(same(solver.solve(golf_board(1)), before));
}

void check_refusals() {
  fast_golf::Solver solver(options_for({}));
  const std::vector<Card> cards(6, 0);
  Board tall;
  tall.add_pile({cards.data(), 6});
  bool refused = false;
  try {
    solver.solve(tall);
  } catch (const BadRequest&) {
    refused = true;
  }
  CHECK(refused);
}

}  // namespace

int main() {
  check_states();
  check_equal_rows_of_both_instruction_sets();
  check_limits();
  check_stop();
  check_refusals();
  return check::report();
}
