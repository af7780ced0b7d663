// All in a Row decided exactly: forward and reverse depth-first search in turn.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

#include "../../game.hpp"
#include "../../instruction_set.hpp"
#include "../golf_rules.hpp"
#include "engine.hpp"

namespace dealsweep::fast_all_in_a_row {

inline constexpr std::uint64_t kMemoryCap = std::uint64_t{64} << 20;

struct Options {
  std::uint64_t limit = kNoLimit;
  std::uint64_t memory_cap_bytes = kMemoryCap;
  bool solutions = false;
  StopCheck stop = nullptr;
  Pruning pruning{};
  bool avx2 = has_avx2();
};

class Solver {
 public:
  static constexpr GolfRules kRules{.wrap = true, .queens_on_kings = true};
  // Each direction's memo and smallest table, which may become twice as large.
  static constexpr std::uint64_t kLeastMemory = 2 * kMemoBytes + 4 * (sizeof(std::uint64_t) << 11);

  explicit Solver(const Options& options) : options_(options) {
    const Limits limits{options.limit, options.memory_cap_bytes, options.stop};
    engine_.reset(options.avx2 ? make_avx2_engine(limits, options.pruning)
                               : make_portable_engine(limits, options.pruning));
  }

  // Throws Stopped, and BadRequest for a board that is not one of All in a Row.
  Outcome solve(const Board& board) {
    const Deal deal = deal_of(board);
    Outcome outcome;
    if (options_.memory_cap_bytes < kLeastMemory) {
      outcome.reason = Reason::kMemory;
      return outcome;
    }
    Decision decision;
    engine_->decide(deal, decision);
    outcome.verdict = decision.verdict;
    outcome.reason = decision.reason;
    outcome.iterations = decision.iterations;
    outcome.generated = decision.generated;
    if (decision.verdict != Verdict::kWon) return outcome;
    const std::span<const std::uint8_t> line(decision.line, static_cast<std::size_t>(decision.length));
    if (!clears_all_piles(board, kRules, line))
      throw std::logic_error("a line of All in a Row does not replay");
    if (options_.solutions) outcome.solution.assign(line.begin(), line.end());
    return outcome;
  }

 private:
  // The board as ranks. Throws BadRequest.
  static Deal deal_of(const Board& board) {
    if (board.foundation_count > 1) throw BadRequest("All in a Row has one foundation");
    if (board.stock_count != 0) throw BadRequest("All in a Row has no stock");
    if (board.pile_count > kMaxPiles) throw BadRequest("All in a Row has at most 13 piles");
    Deal deal;
    deal.piles = board.pile_count;
    if (board.foundation_count)
      deal.foundation = static_cast<std::uint8_t>(rank_of(board.foundations[0]) - 1);
    std::array<int, kRanks> left{};
    for (int p = 0; p < board.pile_count; ++p) {
      if (board.height(p) > kMaxHeight) throw BadRequest("a pile of All in a Row holds at most four cards");
      for (const Card card : board.pile(p)) {
        const int rank = rank_of(card) - 1;
        if (++left[rank] > kSuits) throw BadRequest("more than four cards of one rank lie in the piles");
        deal.rank[p][deal.height[p]++] = static_cast<std::uint8_t>(rank);
      }
    }
    return deal;
  }

  Options options_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace dealsweep::fast_all_in_a_row
