// User CPU a deal of the fast searches of Golf and All in a Row, dealing included.
//   bench_family GAME FIRST LAST      GAME: golf, golf-queens-on-kings, golf-wrap, all-in-a-row
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "deck.hpp"
#include "search/fast_all_in_a_row/fast_all_in_a_row.hpp"
#include "search/fast_golf/fast_golf.hpp"

using namespace dealsweep;

namespace {

double user_seconds() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) + 1e-6 * static_cast<double>(usage.ru_utime.tv_usec);
}

Board golf_board(std::uint64_t number) {
  const Deck deck = deal_deck(number);
  Board board;
  deal_in_turn(board, {deck.begin(), 35}, 7);
  board.add_foundation(deck[35]);
  board.set_stock({deck.begin() + 36, 16});
  return board;
}

Board all_in_a_row_board(std::uint64_t number) {
  Deck deck = deal_deck(number);
  const Card ace = make_card(1, kSpades);
  *std::remove(deck.begin(), deck.end(), ace) = ace;
  Board board;
  deal_in_turn(board, deck, 13);
  return board;
}

template <typename Solve>
void measure(const char* game, std::uint64_t first, std::uint64_t last, Solve solve) {
  std::uint64_t iterations = 0, generated = 0, solved = 0, exhausted = 0, hash = 0;
  const double begin = user_seconds();
  for (std::uint64_t n = first; n <= last; ++n) {
    const Outcome outcome = solve(n);
    iterations += outcome.iterations;
    generated += outcome.generated;
    solved += outcome.verdict == Verdict::kWon;
    exhausted += outcome.verdict == Verdict::kExhausted;
    hash = (hash ^ static_cast<std::uint64_t>(outcome.verdict)) * 0x9e3779b97f4a7c15u + (hash >> 29);
  }
  const double count = static_cast<double>(last - first + 1);
  std::printf(
      "%s %llu..%llu: %.1f us a deal, solved %llu, exhausted %llu, iterations %.1f generated %.1f hash "
      "%016llx\n",
      game, static_cast<unsigned long long>(first), static_cast<unsigned long long>(last),
      1e6 * (user_seconds() - begin) / count, static_cast<unsigned long long>(solved),
      static_cast<unsigned long long>(exhausted), static_cast<double>(iterations) / count,
      static_cast<double>(generated) / count, static_cast<unsigned long long>(hash));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return std::fprintf(stderr, "bench_family GAME FIRST LAST\n"), 2;
  const std::string game = argv[1];
  const std::uint64_t first = std::strtoull(argv[2], nullptr, 10), last = std::strtoull(argv[3], nullptr, 10);
  if (game == "all-in-a-row") {
    fast_all_in_a_row::Solver solver({});
    measure(argv[1], first, last, [&](std::uint64_t n) { return solver.solve(all_in_a_row_board(n)); });
  } else if (game.starts_with("golf")) {
    const bool wrap = game == "golf-wrap";
    fast_golf::Solver solver(
        {.rules = {.wrap = wrap, .queens_on_kings = wrap || game == "golf-queens-on-kings"}});
    measure(argv[1], first, last, [&](std::uint64_t n) { return solver.solve(golf_board(n)); });
  }
}
