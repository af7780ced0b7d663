// The fast search of All in a Row against plain search: states of random play, every pruning rule on
// and off, either direction alone, both instruction sets, limits and the memory cap.
#include "check.hpp"
#include "deck.hpp"
#include "plain_search.hpp"
#include "random_states.hpp"
#include "search/fast_all_in_a_row/fast_all_in_a_row.hpp"

using namespace dealsweep;
using fast_all_in_a_row::Options;
using fast_all_in_a_row::Solver;
using random_states::below;
using random_states::Random;

namespace {

Options with_solutions() {
  Options options;
  options.solutions = true;
  return options;
}

Board full_board(std::uint64_t number) {
  Deck deck = deal_deck(number);
  const Card ace = make_card(1, kSpades);
  *std::remove(deck.begin(), deck.end(), ace) = ace;
  Board board;
  deal_in_turn(board, deck, 13);
  return board;
}

// Few ranks and few cards; of the circle of 13 ranks those around the ace and the king.
Board small_board(Random& random) {
  const int ranks = 4 + below(random, 10), piles = 1 + below(random, 13);
  std::vector<Card> cards =
      random_states::some_cards(random, ranks, std::min(1 + below(random, 22), 4 * piles));
  for (Card& card : cards) card = make_card((rank_of(card) + 9) % kRanks + 1, suit_of(card));
  Board board;
  deal_in_turn(board, cards, piles);
  return board;
}

bool same(const Outcome& a, const Outcome& b) {
  return a.verdict == b.verdict && a.reason == b.reason && a.iterations == b.iterations &&
         a.generated == b.generated && a.solution == b.solution;
}

struct Solvers {
  std::vector<std::unique_ptr<Solver>> solvers;
  Solver whole{with_solutions()}, portable{without_avx2()};

  static Options without_avx2() {
    Options options = with_solutions();
    options.avx2 = false;
    return options;
  }

  Solvers() {
    for (unsigned set = 0; set < 8; ++set)
      for (unsigned directions = 1; directions < 4; ++directions) {
        Options options = with_solutions();
        options.pruning = {.walk = (set & 1) != 0,
                           .cut = (set & 2) != 0,
                           .dominance = (set & 4) != 0,
                           .forward = (directions & 1) != 0,
                           .reverse = (directions & 2) != 0};
        solvers.push_back(std::make_unique<Solver>(options));
      }
  }

  // 1 where the state is won, 0 where it is lost, -1 where plain search does not tell.
  int check(const Board& board) {
    const plain::Result known = plain::search(board, {.wrap = true, .queens_on_kings = true}, 100000);
    if (known.exhausted) return -1;
    for (auto& solver : solvers) {
      const Outcome outcome = solver->solve(board);
      CHECK(outcome.verdict == (known.solved ? Verdict::kWon : Verdict::kLost));
      CHECK(!known.solved || clears_all_piles(board, Solver::kRules, outcome.solution));
    }
    CHECK(same(whole.solve(board), portable.solve(board)));
    return known.solved;
  }
};

void check_states() {
  Solvers solvers;
  Random random(11);
  int tally[3] = {};
  for (int i = 0; i < 3000; ++i) {
    const Board board = small_board(random);
    ++tally[1 + solvers.check(board)];
    ++tally[1 +
            solvers.check(random_states::after_random_play(board, Solver::kRules, below(random, 6), random))];
  }
  for (int i = 0; i < 400; ++i) {
    const Board board = full_board(1 + random() % 1000000);
    ++tally[1 + solvers.check(
                    random_states::after_random_play(board, Solver::kRules, 22 + below(random, 20), random))];
  }
  CHECK(tally[1] > 1000 && tally[2] > 500);
}

void check_whole_deals() {
  Solver fast(with_solutions()), portable(Solvers::without_avx2());
  for (std::uint64_t n = 31980; n < 32030; ++n) {
    const Board board = full_board(n);
    const Outcome outcome = fast.solve(board);
    CHECK(outcome.verdict != Verdict::kExhausted);
    CHECK(same(outcome, portable.solve(board)));
    const plain::Result known = plain::search(board, {.wrap = true, .queens_on_kings = true}, 60000);
    CHECK(known.exhausted || known.solved == (outcome.verdict == Verdict::kWon));
  }
}

void check_limits() {
  Options options = with_solutions();
  Solver free(options);
  for (std::uint64_t n = 1; n <= 30; ++n) {
    const Outcome whole = free.solve(full_board(n));
    options.limit = whole.iterations;
    CHECK(same(Solver(options).solve(full_board(n)), whole));
    if (whole.iterations < 2) continue;
    options.limit = whole.iterations - 1;
    const Outcome cut = Solver(options).solve(full_board(n));
    CHECK(cut.verdict == Verdict::kExhausted && cut.reason == Reason::kLimit &&
          cut.iterations == options.limit);
  }
  options = with_solutions();
  options.memory_cap_bytes = Solver::kLeastMemory;
  Solver capped(options);
  int by_memory = 0;
  for (std::uint64_t n = 1; n <= 400; ++n) {
    const Outcome outcome = capped.solve(full_board(n));
    by_memory += outcome.reason == Reason::kMemory;
    CHECK(outcome.verdict == Verdict::kExhausted || outcome.verdict == free.solve(full_board(n)).verdict);
  }
  CHECK(by_memory > 0 && by_memory < 200);
}

bool always_stop() { return true; }
bool never_stop() { return false; }
StopCheck stop_now = never_stop;
bool stop_when_asked() { return stop_now(); }

void check_stop() {
  Options options = with_solutions();
  options.stop = stop_when_asked;
  Solver solver(options);
  const Outcome before = solver.solve(full_board(1));
  stop_now = always_stop;
  bool stopped = false;
  for (std::uint64_t n = 1; n < 400 && !stopped; ++n) try {
      solver.solve(full_board(n));
    } catch (const Stopped&) {
      stopped = true;
    }
  CHECK(stopped);
  stop_now = never_stop;
  CHECK(same(solver.solve(full_board(1)), before));
}

}  // namespace

int main() {
  check_states();
  check_whole_deals();
  check_limits();
  check_stop();
  return check::report();
}
