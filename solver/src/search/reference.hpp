// The published depth-first search of Black Hole, All in a Row and Golf. Its iteration counts are
// defined by its order: a state is stored when it is pushed, the next stock card is tried first,
// then the piles from the lowest index, and the state pushed last is expanded first. The limit is
// tested after a state's last move, and a state without cards in the piles is the goal.
#pragma once

#include <vector>

#include "../request.hpp"
#include "golf_rules.hpp"
#include "reference/edge_loop.hpp"
#include "reference/winning_line.hpp"

namespace dealsweep {

struct ReferenceSettings {
  GolfRules rules;
  bool rank_reach = false;  // prune; never where there is a stock
  std::uint64_t limit = kNoLimit;
  // Of lines of stored states. The directory of groups, 16 MB at most, comes on top.
  std::uint64_t memory_cap_bytes = std::uint64_t{512} << 20;
  bool solutions = false;
  StopCheck stop = nullptr;
};

// The part of a request that is the same for every game; no limit unless asked for.
inline ReferenceSettings reference_settings(const Request& request, GolfRules rules, bool rank_reach) {
  ReferenceSettings settings{.rules = rules, .rank_reach = rank_reach};
  settings.limit = limit_of(request, kNoLimit);
  settings.memory_cap_bytes = request.memory_cap_bytes.value_or(settings.memory_cap_bytes);
  settings.solutions = request.solutions;
  settings.stop = request.stop;
  return settings;
}

template <typename Shape>
class ReferenceSearch {
 public:
  explicit ReferenceSearch(const ReferenceSettings& settings,
                           reference::EdgeLoop<Shape> loop = reference::best_loop<Shape>())
      : settings_(settings), loop_(loop), seen_(Shape::kGroups, settings.memory_cap_bytes) {}

  // Throws BadRequest for a board that the packed state does not hold, and Stopped.
  Outcome solve(const Board& board) {
    reference::check_fits<Shape>(board);
    const Cleaner cleaner{seen_};
    const auto plan = reference::plan_of<Shape>(board, settings_.rules);
    Progress progress;
    progress.limit = settings_.limit;
    progress.stop = settings_.stop;
    progress.generated = 1;
    const End end = search(board, plan, progress);
    peak_bytes_ = std::max(peak_bytes_, seen_.used_bytes());
    return outcome_of(board, end, progress);
  }

  // The most that any deal's lines took so far.
  std::size_t peak_bytes() const { return peak_bytes_; }

 private:
  using State = reference::State<Shape>;
  using Plan = reference::Plan<Shape>;
  using Progress = reference::Progress<Shape>;
  using End = reference::End;
  using RankCounts = reference::RankCounts;

  // The table is empty between deals, however one ended.
  struct Cleaner {
    reference::SeenTable& seen;
    ~Cleaner() { seen.clear(); }
  };

  bool prunes(const Board& board) const { return settings_.rank_reach && board.stock_count == 0; }

  End search(const Board& board, const Plan& plan, Progress& progress) {
    std::array<int, Board::kMaxPiles> heights{};
    RankCounts left = 0;
    for (int p = 0; p < board.pile_count; ++p) {
      heights[p] = board.height(p);
      for (const Card card : board.pile(p)) left += reference::one_card_of(rank_of(card));
    }
    const int rank = board.foundation_count ? rank_of(board.foundations[0]) : 0;
    const State start = reference::pack<Shape>({heights.data(), board.pile_count}, 0, rank);
    if (rank != 0 || reference::is_cleared(start)) return search_child(board, plan, progress, start, left);
    return search_from_empty_foundation(board, plan, progress, start, left);
  }

  // Any card may go first, so that the children differ in rank more than the loop below allows.
  End search_from_empty_foundation(const Board& board, const Plan& plan, Progress& progress, State start,
                                   RankCounts left) {
    struct Child {
      State state;
      RankCounts left;
    };
    std::vector<Child> children;
    const auto push = [&](State child, RankCounts left_to_child) {
      children.push_back({child, left_to_child});
      ++progress.generated;
      return loop_.put(seen_, child.index) != reference::Added::kNoRoom;
    };
    ++progress.iterations;
    if constexpr (Shape::kStock > 0)
      if (board.stock_count > 0 && !push(start.take_stock(plan.stock[0]), left)) return End::kMemory;
    for (int p = 0; p < board.pile_count; ++p) {
      if (board.height(p) == 0) continue;
      const int rank = rank_of(board.pile(p).back());
      State child = start.without_top(std::uint64_t{1} << Shape::bit(p), plan);
      child.index += std::uint64_t(rank) << reference::kRankShift;
      if (!push(child, left - reference::one_card_of(rank))) return End::kMemory;
    }
    for (; !children.empty(); children.pop_back()) {
      if (progress.iterations >= progress.limit) return End::kLimit;
      const End end = search_child(board, plan, progress, children.back().state, children.back().left);
      if (end != End::kNoMore) return end;
    }
    return progress.iterations >= progress.limit ? End::kLimit : End::kNoMore;
  }

  // A state that is stored and generated; the limit is not met.
  End search_child(const Board& board, const Plan& plan, Progress& progress, State state, RankCounts left) {
    const int rank = reference::rank_in(state);
    if (prunes(board) && rank != 0 && !reference::all_ranks_reachable(left, rank)) return End::kNoMore;
    const bool has_moves = reference::all_moves(state, reference::row_of(plan.rows, state), plan) != 0;
    if (reference::is_cleared(state)) {
      ++progress.iterations;
      progress.generated += has_moves;  // stock left over: its next card is still tried
      progress.cleared = state;
      return End::kCleared;
    }
    if (has_moves) return loop_.search_below(plan, seen_, progress, state, prunes(board) ? &left : nullptr);
    return ++progress.iterations >= progress.limit ? End::kLimit : End::kNoMore;
  }

  Outcome outcome_of(const Board& board, End end, const Progress& progress) const {
    Outcome out;
    out.iterations = progress.iterations;
    out.generated = progress.generated;
    switch (end) {
      case End::kNoMore: out.verdict = Verdict::kLost; break;
      case End::kLimit: out.reason = Reason::kLimit; break;
      case End::kMemory: out.reason = Reason::kMemory; break;
      case End::kCleared:
        out.verdict = Verdict::kWon;
        out.solution = checked_line(board, progress.cleared);
        if (!settings_.solutions) out.solution.clear();
    }
    return out;
  }

  // A deal is called solved when its line has been played through on the board.
  std::vector<std::uint8_t> checked_line(const Board& board, State cleared) const {
    const int taken = Shape::kStock > 0 ? static_cast<int>(cleared.heights() >> reference::kTakenShift) : 0;
    auto line = reference::WinningLine<Shape>(board, settings_.rules, seen_)
                    .to_cleared(taken, reference::rank_in(cleared));
    if (!clears_all_piles(board, settings_.rules, line))
      throw std::logic_error("a solved deal does not replay");
    return line;
  }

  ReferenceSettings settings_;
  reference::EdgeLoop<Shape> loop_;
  reference::SeenTable seen_;
  std::size_t peak_bytes_ = 0;
};

}  // namespace dealsweep
