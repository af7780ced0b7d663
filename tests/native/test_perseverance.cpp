// Perseverance's engine against the oracle on small decks, under every rule and pruning switch.
#include <cstdlib>

#include "check.hpp"
#include "perseverance_oracle.hpp"
#include "perseverance_small_boards.hpp"
#include "search/perseverance/engine.hpp"
#include "search/perseverance/line.hpp"

using namespace dealsweep;

namespace {

// Moves the last pile onto the first: piles that no redeal would cut.
Board uneven(const Board& board) {
  Board other;
  for (int i = 0; i < board.foundation_count; ++i) other.add_foundation(board.foundations[i]);
  std::vector<Card> first(board.pile(0).begin(), board.pile(0).end());
  const auto last = board.pile(board.pile_count - 1);
  first.insert(first.end(), last.begin(), last.end());
  other.add_pile(first);
  for (int p = 1; p + 1 < board.pile_count; ++p) other.add_pile(board.pile(p));
  return other;
}

void compare(const Board& board, plain::FamilyRules plain_rules, std::array<int, 2>& counts) {
  const auto winnable = plain::winnable(board, plain_rules, 60'000);
  if (!winnable) return;
  ++counts[*winnable];
  const perseverance::Rules rules{plain_rules.top_first, plain_rules.single, plain_rules.exhausted,
                                  static_cast<unsigned>(plain_rules.redeals), plain_rules.pile_size};
  for (int prunes = 0; prunes < 4; ++prunes) {
    const perseverance::Pruning pruning{(prunes & 1) != 0, (prunes & 2) != 0};
    perseverance::Engine engine(rules, pruning, {});
    const Outcome outcome = engine.solve(board, true);
    const bool same = CHECK(outcome.verdict == (*winnable ? Verdict::kWon : Verdict::kLost));
    if (!same)
      std::fprintf(stderr, "  top %d single %d exhausted %d redeals %d piles of %d prunes %d: "
                   "oracle %d, got %d\n", rules.top_first, rules.single, rules.exhausted,
                   plain_rules.redeals, rules.pile_size, prunes, *winnable,
                   static_cast<int>(outcome.verdict));
    if (outcome.verdict == Verdict::kWon) CHECK(perseverance::replays(rules, board, outcome.solution));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 3;
  const std::uint32_t seed = argc > 2 ? static_cast<std::uint32_t>(std::atoi(argv[2])) : 1;
  MersenneTwister random({&seed, 1});
  for (Small deck : {Small{5, 4, 4}, Small{6, 3, 3}, Small{7, 3, 4}, Small{5, 4, 5}, Small{9, 2, 3},
                     Small{6, 4, 3}, Small{13, 1, 4}}) {
    std::array<int, 2> counts{};
    for (int round = 0; round < rounds; ++round) {
      Board board = small_board(deck, random);
      if (round % 3 == 2) board = uneven(board);
      for (int rule = 0; rule < 8; ++rule)
        for (int redeals : {0, 1, 2, 3, -1})
          compare(board, {(rule & 1) != 0, (rule & 2) != 0, (rule & 4) != 0, redeals, deck.pile_size},
                  counts);
    }
    std::printf("%d ranks, %d suits, piles of %d: %d won, %d lost\n", deck.ranks, deck.suits, deck.pile_size,
                counts[1], counts[0]);
    CHECK(counts[0] > 0 && counts[1] > 0);
  }
  return check::report();
}
