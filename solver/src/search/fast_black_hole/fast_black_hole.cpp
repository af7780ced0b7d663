#include "../fast_black_hole.hpp"

#include <array>
#include <new>
#include <stdexcept>
#include <string>

#include "../../instruction_set.hpp"
#include "engine.hpp"

namespace dealsweep {

void fast_black_hole::throw_stopped() { throw Stopped(); }
void fast_black_hole::throw_out_of_memory() { throw std::bad_alloc(); }

namespace {

using fast_black_hole::Deal;
using fast_black_hole::Decision;
using fast_black_hole::Engine;

// The board as ranks. Throws BadRequest.
Deal to_deal(const Board& board) {
  if (board.foundation_count != 1) throw BadRequest("Black Hole has one foundation, with a card on it");
  if (board.stock_count != 0) throw BadRequest("Black Hole has no stock");
  Deal deal;
  deal.piles = board.pile_count;
  deal.foundation = static_cast<std::uint8_t>(rank_of(board.foundations[0]) - 1);
  std::array<int, kRanks> left{};
  for (int p = 0; p < board.pile_count; ++p) {
    if (board.height(p) > fast_black_hole::kMaxHeight)
      throw BadRequest("pile " + std::to_string(p + 1) + " holds more than the three cards of a pile in Black Hole");
    for (Card card : board.pile(p)) {
      const int rank = rank_of(card) - 1;
      if (++left[rank] > kSuits) throw BadRequest("more than four cards of one rank lie in the piles");
      deal.rank[p][deal.height[p]++] = static_cast<std::uint8_t>(rank);
    }
  }
  return deal;
}

// True if the line, played by the rules on the plain board, empties it.
bool replays(const Board& board, const Decision& decision) {
  std::array<int, Board::kMaxPiles> height{};
  int cards = 0;
  for (int p = 0; p < board.pile_count; ++p) cards += height[p] = board.height(p);
  int rank = rank_of(board.foundations[0]);
  for (int i = 0; i < decision.length; ++i) {
    const int p = decision.line[i];
    if (p >= board.pile_count || height[p] == 0) return false;
    const int next = rank_of(board.pile(p)[--height[p]]);
    const int distance = next > rank ? next - rank : rank - next;
    if (distance != 1 && distance != kRanks - 1) return false;
    rank = next;
  }
  return decision.length == cards;
}

Engine* make_engine(const FastBlackHole::Settings& settings) {
  const fast_black_hole::Limits limits{settings.limit, settings.memory_cap_bytes, settings.stop};
  if (settings.instructions == InstructionSet::kAvx2 && !has_avx2()) throw std::invalid_argument("no AVX2 here");
  if (settings.instructions == InstructionSet::kPortable || !has_avx2()) return make_portable_engine(limits);
  return make_avx2_engine(limits);
}

}  // namespace

struct FastBlackHole::Parts {
  std::unique_ptr<Engine> engine;
  bool solutions;
  std::uint64_t memory_cap_bytes;
};

FastBlackHole::FastBlackHole(const Settings& settings)
    : parts_(new Parts{std::unique_ptr<Engine>(make_engine(settings)), settings.solutions, settings.memory_cap_bytes}) {}

FastBlackHole::~FastBlackHole() = default;

std::uint64_t FastBlackHole::memory_cap_bytes() const { return parts_->memory_cap_bytes; }

Outcome FastBlackHole::solve(const Board& board) {
  Decision decision;
  parts_->engine->decide(to_deal(board), decision);
  if (decision.verdict == Verdict::kWon && !replays(board, decision))
    throw std::logic_error("a line of the fast Black Hole search does not replay: a defect of the search");
  Outcome outcome;
  outcome.verdict = decision.verdict;
  outcome.reason = decision.reason;
  outcome.iterations = decision.iterations;
  outcome.generated = decision.generated;
  if (decision.verdict == Verdict::kWon && parts_->solutions)
    outcome.solution.assign(decision.line, decision.line + decision.length);
  return outcome;
}

}  // namespace dealsweep
