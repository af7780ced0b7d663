#include "engine.hpp"

#include <stdexcept>

#include "line.hpp"
#include "winning_line.hpp"

namespace dealsweep::perseverance {

namespace {

// The pick-up order of a board's piles, and where the piles lie in it; empty piles are left out.
void read(const Rules& rules, const Board& board, Sequence& sequence, Cut& cut) {
  Mask seen = 0;
  for (int p = 0; p < board.pile_count; ++p) {
    const auto pile = board.pile(p);
    if (pile.empty()) continue;
    cut.start[cut.count++] = sequence.size;
    for (std::size_t i = 0; i < pile.size(); ++i) {
      const Bit bit = bit_of(pile[rules.top_first ? pile.size() - 1 - i : i]);
      if (seen & mask_of(bit)) throw std::invalid_argument("a card lies twice on the board");
      seen |= mask_of(bit);
      sequence.add(bit);
    }
  }
  cut.start[cut.count] = sequence.size;
}

// The cards missing from the piles must be the foundations'.
void check_foundations(const Board& board, Mask in_piles) {
  Mask up = 0;
  for (int i = 0; i < board.foundation_count; ++i)
    for (int rank = 1; rank <= rank_of(board.foundations[i]); ++rank)
      up |= mask_of(bit_of(make_card(rank, suit_of(board.foundations[i]))));
  if (up != (kAll & ~in_piles))
    throw std::invalid_argument("the cards missing from the piles are not those on the foundations");
  if (board.stock_count != 0) throw std::invalid_argument("this game has no stock");
}

bool is_even(const Cut& cut, int pile_size) {
  const Cut even = Cut::even(cut.start[cut.count], pile_size);
  if (even.count != cut.count) return false;
  for (int p = 0; p <= cut.count; ++p)
    if (cut.start[p] != even.start[p]) return false;
  return true;
}

}  // namespace

Outcome Engine::solve(const Board& board, bool keep_line) {
  Sequence sequence;
  Cut cut;
  read(rules_, board, sequence, cut);
  check_foundations(board, sequence.mask());
  const Phase root(rules_, sequence, cut);
  Effort effort;
  effort.limit = limits_.iterations;
  effort.memory_cap = limits_.memory_bytes;
  effort.stop = limits_.stop;
  effort.generated = 1;
  targets_.clear();
  abstraction_.start_deal();

  Outcome outcome;
  outcome.own[0] = kNull;
  const End end = decide(root, is_even(cut, rules_.pile_size), effort);
  outcome.iterations = effort.iterations;
  outcome.generated = effort.generated;
  if (end == End::kLost) outcome.verdict = Verdict::kLost;
  if (end == End::kOpen) outcome.reason = effort.reason;
  if (end == End::kWon) {
    outcome.verdict = Verdict::kWon;
    outcome.own[0] = targets_.size();
    std::vector<std::uint8_t> moves = winning_line(rules_, board, root, targets_, path_, limits_.stop);
    if (!replays(rules_, board, moves)) throw std::logic_error("a winning line does not replay");
    if (keep_line) outcome.solution = std::move(moves);
  }
  return outcome;
}

Engine::End Engine::decide(const Phase& root, bool standard, Effort& effort) {
  if (root.sequence().size == 0) return End::kWon;
  if (pruning_.dead_prefix &&
      dead_(root.sequence().cards.data(), root.sequence().size, root.cut(), root.start().up, rules_.redeals))
    return End::kLost;
  const auto last = search_.last_phase(root, effort, rules_.redeals == 0 ? kNoLimit : 1000);
  if (last == PathSearch::End::kFound) return End::kWon;
  if (effort.reason != Reason::kNone) return End::kOpen;
  if (rules_.redeals == 0) return End::kLost;
  const End end = search_in_stages(root, standard, effort);
  if (end == End::kWon) targets_ = search_.targets();
  return end;
}

// The noise comes from the board alone.
Engine::End Engine::search_in_stages(const Phase& root, bool standard, Effort& effort) {
  seed_ = mix(pack(root.sequence()));
  if (rules_.redeals < kFewestMany) return attempt(root, standard, kFewRedeals, 0, effort);
  End end = attempt(root, standard, kManyRedeals, 0, effort);
  for (unsigned round = 0; end == End::kOpen && effort.reason == Reason::kNone; ++round) {
    end = attempt(root, standard, kRounds, round, effort);
    if (end == End::kOpen && round == 0) end = attempt(root, standard, kLongProofs, 0, effort);
  }
  return end;
}

Engine::End Engine::attempt(const Phase& root, bool standard, std::span<const Stage> stages, unsigned round,
                            Effort& effort) {
  for (const Stage& stage : stages) {
    if (effort.reason != Reason::kNone) break;
    if (stage.proof.budget != 0) {
      if (pruning_.abstraction && standard &&
          abstraction_.proves_lost(root.sequence().cards.data(), root.sequence().size, root.start().up,
                                   rules_.redeals, stage.proof, effort))
        return End::kLost;
      continue;
    }
    Plan plan = stage.plan;
    plan.seed = ++seed_;
    if (plan.is_complete() && plan.budget != kNoLimit) {
      // Sampled play is new each time; a complete search is only worth repeating with more budget.
      if (round % kRoundsADoubling != 0) continue;
      plan.budget <<= round / kRoundsADoubling;
    }
    const End end = search_(root, standard, plan, effort);
    if (end != End::kOpen) return end;
  }
  return End::kOpen;
}

}  // namespace dealsweep::perseverance
