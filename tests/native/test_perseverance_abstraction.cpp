// Proofs of loss on a short prefix against the oracle on small decks: whatever a proof remembers of the
// deal, no position that it calls lost can be won.
#include <cstdlib>

#include "check.hpp"
#include "perseverance_oracle.hpp"
#include "perseverance_small_boards.hpp"
#include "search/perseverance/abstraction.hpp"

using namespace dealsweep;
using perseverance::Abstraction;

namespace {

struct Counts {
  int proved = 0, by_play = 0;
};

perseverance::Sequence sequence_of(const Board& board, bool top_first) {
  perseverance::Sequence sequence;
  for (int p = 0; p < board.pile_count; ++p)
    for (int i = 0; i < board.height(p); ++i)
      sequence.add(perseverance::bit_of(board.pile(p)[top_first ? board.height(p) - 1 - i : i]));
  return sequence;
}

// Every proof at once, in one object: what it remembers between the proofs of a deal must not mislead it.
struct Proofs {
  bool any = false, without_play = false;
};
Proofs prove(const perseverance::Sequence& sequence, const perseverance::Rules& rules) {
  Proofs proofs;
  Abstraction abstraction(rules);
  abstraction.start_deal();
  std::size_t index = 0;
  for (bool exact : {false, true})
    for (int known : {3, 5, 8, 12})
      for (int more : {0, 1}) {
        perseverance::Effort effort;
        const Abstraction::Level level{index++, known, known + more, 3000, exact};
        if (!abstraction.proves_lost(sequence.cards.data(), sequence.size,
                                     perseverance::kAll & ~sequence.mask(), rules.redeals, level, effort))
          continue;
        proofs.any = true;
        proofs.without_play |= !exact;
      }
  return proofs;
}

void compare(const Board& board, const plain::FamilyRules& plain_rules, Counts& counts) {
  const perseverance::Rules rules{plain_rules.top_first, plain_rules.single, plain_rules.exhausted,
                                  static_cast<unsigned>(plain_rules.redeals), plain_rules.pile_size};
  const Proofs proofs = prove(sequence_of(board, rules.top_first), rules);
  if (!proofs.any) return;
  const auto winnable = plain::winnable(board, plain_rules, proofs.without_play ? 3'000 : 60'000);
  if (!winnable) return;
  ++counts.proved;
  counts.by_play += !proofs.without_play;
  if (!CHECK(!*winnable))
    std::fprintf(stderr, "  top %d single %d exhausted %d redeals %d piles of %d\n", rules.top_first,
                 rules.single, rules.exhausted, plain_rules.redeals, rules.pile_size);
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 40;
  const std::uint32_t seed = argc > 2 ? static_cast<std::uint32_t>(std::atoi(argv[2])) : 2;
  MersenneTwister random({&seed, 1});
  Counts runs, single;
  for (Small deck : {Small{5, 4, 4}, Small{6, 3, 3}, Small{7, 3, 4}, Small{5, 4, 5}, Small{9, 2, 3},
                     Small{6, 4, 4}, Small{6, 3, 4}, Small{8, 2, 4}, Small{13, 1, 4}})
    for (int round = 0; round < rounds; ++round) {
      const Board board = small_board(deck, random);
      for (int rule = 0; rule < 8; ++rule)
        for (int redeals : {1, 2, 9, -1}) {
          const plain::FamilyRules rules{(rule & 1) != 0, (rule & 2) != 0, (rule & 4) != 0, redeals,
                                         deck.pile_size};
          compare(board, rules, rules.single ? single : runs);
        }
    }
  std::printf("runs: %d proved; single cards: %d proved, %d of them by play alone\n", runs.proved,
              single.proved, single.by_play);
  CHECK(runs.proved > 100 && single.proved > 100);
  CHECK(runs.by_play == 0 && single.by_play > 0);
  return check::report();
}
