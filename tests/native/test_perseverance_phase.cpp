// One phase of Perseverance: the decision tree against every configuration reached move by move, packed
// redeals against plain piles, and the exact keys of sequences.
#include <map>
#include <set>
#include <utility>

#include "check.hpp"
#include "deck.hpp"
#include "games/perseverance.hpp"
#include "search/perseverance/configurations.hpp"
#include "search/perseverance/line.hpp"
#include "search/perseverance/path.hpp"
#include "search/perseverance/phase_tree.hpp"
#include "search/perseverance/sequence_table.hpp"
#include "search/perseverance/winning_line.hpp"

using namespace dealsweep;
using namespace dealsweep::perseverance;

namespace {

Sequence sequence_of(const Board& board, bool top_first) {
  Sequence sequence;
  for (int p = 0; p < board.pile_count; ++p)
    for (int i = 0; i < board.height(p); ++i)
      sequence.add(bit_of(board.pile(p)[top_first ? board.height(p) - 1 - i : i]));
  return sequence;
}

// The pick-up order of plain piles after a redeal.
Sequence sequence_of(const PlainBoard& board, bool top_first) {
  Sequence sequence;
  for (auto pile : board.piles()) {
    if (top_first) std::reverse(pile.begin(), pile.end());
    for (Card card : pile) sequence.add(bit_of(card));
  }
  return sequence;
}

// Each configuration once, and the same ones as by single moves.
void compare_tree(const Rules& rules, const Phase& phase) {
  Effort effort;
  Sampler sampler(1);
  std::set<std::pair<Mask, Mask>> by_moves, by_tree;
  Configurations configurations(rules);
  configurations(phase, 0, 1, sampler, effort, [&](const Configuration& at, int&) {
    by_moves.insert({at.hanging, at.up});
    return by_moves.size() < 20'000;
  });
  if (by_moves.size() >= 20'000) return;
  PhaseTree tree(rules);
  tree.cut_dead_prefixes = false;
  bool repeated = false;
  CHECK(tree(phase, 1, effort, kNoLimit, [&](const Configuration& at) {
    repeated |= !by_tree.insert({at.hanging, at.up}).second;
    return true;
  }));
  CHECK(!repeated);
  CHECK(by_tree == by_moves);
}

// A path to each of some configurations, played on plain piles, redeals to the packed redeal.
void compare_redeals(const Rules& rules, const Phase& phase, const Board& board) {
  Effort effort;
  Sampler sampler(7);
  std::vector<Configuration> ends;
  Configurations configurations(rules);
  configurations(phase, 40, 3, sampler, effort, [&](const Configuration& at, int&) {
    ends.push_back(at);
    return true;
  });
  PathSearch path(rules);
  for (const Configuration& end : ends) {
    if (!CHECK(path(phase, phase.start(), end.hanging, end.up, effort) == PathSearch::End::kFound)) continue;
    PlainBoard plain(rules, board);
    std::vector<std::uint8_t> line;
    write_steps(plain, path.steps(), line);
    CHECK(plain.stuck() == Phase::stuck(end, rules.single));
    CHECK(plain.redeal());
    const Sequence next = phase.redealt(rules, end);
    CHECK(next == sequence_of(plain, rules.top_first));
    CHECK(unpack(pack(next)) == next);
  }
}

}  // namespace

int main() {
  const auto game = Perseverance::info().make({});
  for (int deal = 1; deal <= 60; ++deal) {
    const Board board = game->layout(deal_deck(deal));
    for (int rule = 0; rule < 4; ++rule) {
      const Rules rules{.top_first = (rule & 1) != 0, .single = (rule & 2) != 0};
      const Phase phase(rules, sequence_of(board, rules.top_first));
      if (!rules.single) compare_tree(rules, phase);
      compare_redeals(rules, phase, board);
    }
  }
  // A key holds a whole deck.
  Sequence deck;
  for (Card card : deal_deck(99)) deck.add(bit_of(card));
  CHECK(unpack(pack(deck)) == deck);
  CHECK(unpack(pack(Sequence{})).size == 0);
  return check::report();
}
