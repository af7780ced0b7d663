// Depth-first search with restarts, in either direction.
//
// Forward, a state is a foundation rank and what is left of the piles. In reverse the line is built
// from its last card to its first, on flipped piles: any exposed card may be the last, and the walk
// must end on the foundation's own rank, which counts as one card more that is taken after all the
// others. The end of the walk being known, its edge counts are exact there.
//
// A run searches until its budget ends it, and the next begins with other noise. A state searched
// to its end without a win goes into the dead table, never one whose search was cut short, so
// that what is dead stays dead over the runs, and a run that ends of itself is a proof.
#pragma once

#include "cut_test.hpp"
#include "dead_table.hpp"
#include "dominance.hpp"
#include "meter.hpp"
#include "ordering.hpp"
#include "step_memo.hpp"

namespace dealsweep::fast_black_hole::DEALSWEEP_VARIANT {

enum class Result : u8 { kDead, kWon, kCutShort };

DEALSWEEP_HOT u64 key_of(const Heights& heights, int rank) {
  return heights.key() | static_cast<u64>(rank) << (2 * kMaxPiles);
}

struct Node {
  Heights heights;
  EdgeCounts edges;   // F, or in reverse e, of the walk test
  RankCounts counts;  // in reverse with the foundation's card
  int rank = 0;       // of the card played last
  int end = 0;        // the end of the walk for which the tests passed: worth trying first

  u64 key() const { return key_of(heights, rank); }
};

template <bool kReverse, Pruning kPruning>
class DepthFirst {
 public:
  DepthFirst(Meter& meter, u64 table_bytes) : meter_(meter), dead_(table_bytes) {
    for (int left = 0; left <= kMaxCards; ++left) width_[left] = noise_width(kWeights, left);
  }

  void start_deal(const Deal& deal) {
    tableau_.lay_out(deal, kReverse);
    cut_.lay_out(tableau_);
    dead_.start_deal();
    memo_.start_deal();
    noise_.state = board_hash(deal) + kReverse;
    root_ = {.heights = tableau_.start, .edges = {}, .counts = {}, .rank = tableau_.foundation, .end = kNoRank};
    for (int p = 0; p < deal.piles; ++p)
      for (int h = 1; h <= deal.height[p]; ++h) root_.counts.add(tableau_.rank[p][h]);
    cards_ = tableau_.start.cards();
    if (kReverse) root_.counts.add(tableau_.foundation);
    if (kReverse) find_starts();
  }

  const Tableau& tableau() const { return tableau_; }
  bool table_full() const { return dead_.full(); }

  // One run with new noise, from the deal's own board with at least one card.
  Result run(u64 budget) {
    meter_.start_run(budget);
    if (kReverse) return expand_start();
    if (!edge_counts(root_.counts, root_.rank, kNoRank, root_.edges) && kPruning.walk) return Result::kDead;
    return expand(root_, cards_);
  }

  // The winning line after a run that won, in playing order: one pile a card.
  void line(Decision& decision) const {
    decision.length = cards_;
    for (int i = 0; i < cards_; ++i) decision.line[kReverse ? cards_ - 1 - i : i] = path_[cards_ - i];
  }

 private:
  // The iterations of a deal after which the memo is used: before, steps are mostly new.
  static constexpr u64 kMemoFrom = 400;

  static constexpr const Weights& kWeights = kReverse ? kReverseWeights : kForwardWeights;

  // A step of the walk, up or down: what all piles that show its rank have in common.
  struct Step {
    EdgeCounts edges;
    RankCounts counts;
    int rank;
    u32 above, below;  // piles that can follow by showing the next rank up, down
    u32 above_open, below_open;  // all ones where that edge may be crossed
    int score;
  };

  struct Move {
    int score;
    u32 pile;
    u8 step, end;
  };

  // The search below a node with `left` cards left.
  Result expand(const Node& node, int left) {
    if (!meter_.count()) return Result::kCutShort;
    Step steps[2];
    Move moves[kMaxPiles];
    int count = 0;
    const u32 open = kPruning.walk ? node.edges.positive() : kAllRanks;
    const Heights heights = node.heights;
    const u32 same = tableau_.tops(heights, node.rank);
    u32 tops[2] = {};
    for (int up = 0; up < 2; ++up) {
      const int rank = up ? rank_above(node.rank) : rank_below(node.rank);
      const int edge = up ? node.rank : rank;
      if (!(open >> edge & 1)) continue;
      tops[up] = tableau_.tops(heights, rank);
      if (tops[up] == 0) continue;
      if (left == 1) {
        if (kReverse && !adjacent(rank, tableau_.foundation)) {
          tops[up] = 0;
          continue;
        }
        path_[1] = static_cast<u8>(lowest(tops[up]));
        return Result::kWon;
      }
      Step& step = steps[up];
      step.rank = rank;
      step.edges = node.edges.crossed(edge);
      if (kPruning.walk && meter_.iterations > kMemoFrom) memo_.prefetch(StepMemo::key(step.edges, rank));
      if (kPruning.dominance && (tops[up] & (tops[up] - 1)) != 0) {
        step.score = kWeights.tops[at_most(5, size_of(tops[up]))];
        tops[up] = undominated(tableau_, heights, tops[up]);
      } else {
        step.score = kWeights.tops[at_most(5, size_of(tops[up]))];
      }
      for (u32 rest = tops[up]; rest != 0; rest &= rest - 1)
        dead_.prefetch(key_of(heights.without(rest & -rest), rank));
    }
    for (int up = 0; up < 2; ++up) {
      if (tops[up] == 0) continue;
      Step& step = steps[up];
      const int edge = up ? node.rank : step.rank;
      step.counts = node.counts.without(step.rank);
      step.above = up ? tableau_.tops(heights, rank_above(step.rank)) : same;
      step.below = up ? same : tableau_.tops(heights, rank_below(step.rank));
      step.score += kWeights.left[node.counts.of(step.rank)] + kWeights.crossings[at_most(9, node.edges.of(edge))];
      count = add_moves(node, step, static_cast<u8>(up), tops[up], moves, count);
    }
    meter_.generated += static_cast<u64>(count);
    if (count > 1) sort_moves(node, steps, moves, count, width_[left]);
    for (int i = 0; i < count; ++i) {
      const Step& step = steps[moves[i].step];
      const Node child{node.heights.without(moves[i].pile), step.edges, step.counts, step.rank, moves[i].end};
      if (dead_.contains(child.key())) continue;
      const Result result = expand(child, left - 1);
      if (result == Result::kDead) continue;
      if (result == Result::kWon) path_[left] = static_cast<u8>(lowest(moves[i].pile));
      return result;
    }
    dead_.insert(node.key());
    return Result::kDead;
  }

  static constexpr int at_most(int most, int value) { return value < most ? value : most; }

  // Appends the moves of a step that no test rejects.
  DEALSWEEP_HOT int add_moves(const Node& node, Step& step, u8 index, u32 tops, Move* moves, int count) {
    const u32 open = kPruning.walk ? step.edges.positive() : kAllRanks;
    step.above_open = -(open >> step.rank & 1);
    step.below_open = -(open >> rank_below(step.rank) & 1);
    if (((step.above & step.above_open) | (step.below & step.below_open)) == 0) {
      tops &= (uncovering(node.heights, rank_above(step.rank)) & step.above_open) |
              (uncovering(node.heights, rank_below(step.rank)) & step.below_open);
      if (tops == 0) return count;
    }
    const auto append = [&](u32 piles, int end) {
      for (; piles != 0; piles &= piles - 1)
        moves[count++] = {0, piles & -piles, index, static_cast<u8>(end)};
    };
    if (!kPruning.walk) {
      append(tops, kNoRank);
    } else if (meter_.iterations > kMemoFrom) {
      append(passing_by_memo(node, step, tops), node.end);
    } else if (kReverse) {
      append(passing(node.heights, EdgeSets(step.edges), step, tops), kNoRank);
    } else {
      pass_some_end(node, step, tops, append);
    }
    return count;
  }

  // The piles that uncover a rank when their top is played.
  u32 uncovering(const Heights& heights, int rank) const {
    return (tableau_.level[rank][2] & heights.three()) | (tableau_.level[rank][1] & heights.two());
  }

  // Forward, a move lives if it passes the tests for some end of the walk. The end for which the
  // parent passed is tried first; then the tests with F itself, which reject for all ends at once;
  // then the other ends.
  template <typename Append>
  DEALSWEEP_HOT void pass_some_end(const Node& node, const Step& step, u32 tops, const Append& append) {
    const EdgeSets sets(step.edges);
    u32 ends = possible_ends(step.counts.ranks, sets.none);
    if (node.end != kNoRank && (ends >> node.end & 1)) {
      const u32 passed = passing(node.heights, sets.ending_at(node.end), step, tops);
      append(passed, node.end);
      tops ^= passed;
      ends ^= 1u << node.end;
    }
    if (tops == 0 || ends == 0) return;
    tops = passing(node.heights, sets, step, tops);
    for (; ends != 0 && tops != 0; ends &= ends - 1) {
      const int end = lowest(ends);
      const u32 passed = passing(node.heights, sets.ending_at(end), step, tops);
      append(passed, end);
      tops ^= passed;
    }
  }

  // The same by the memo, for a search that goes on for long.
  DEALSWEEP_HOT u32 passing_by_memo(const Node& node, const Step& step, u32 tops) {
    const StepAnswer& answer =
        memo_.find(StepMemo::key(step.edges, step.rank), [&] { return possible_lost_piles(step); });
    u32 passed = 0;
    if (answer.count() == StepAnswer::kTooMany) [[unlikely]] {
      pass_some_end(node, step, tops, [&](u32 piles, int) { passed |= piles; });
      return passed;
    }
    for (int i = 0; i < answer.count(); ++i) passed |= passing(node.heights, answer.lost(i), tops);
    return passed;
  }

  DEALSWEEP_COLD EndList possible_lost_piles(const Step& step) {
    const EdgeSets sets(step.edges);
    EndList list;
    if (kReverse) {
      if (connected(step.rank, step.counts.ranks, sets.none)) list.add(lost_piles(sets, step.rank));
      return list;
    }
    for (u32 ends = possible_ends(step.counts.ranks, sets.none); ends != 0; ends &= ends - 1) {
      const EdgeSets exact = sets.ending_at(lowest(ends));
      if (connected(step.rank, step.counts.ranks, exact.none)) list.add(lost_piles(exact, step.rank));
    }
    return list;
  }

  DEALSWEEP_HOT LostPiles lost_piles(const EdgeSets& edges, int rank) {
    return kPruning.cut ? cut_.lost_piles(edges, rank) : LostPiles{};
  }

  // Those of `tops` whose states after the step pass the tests with these edges.
  DEALSWEEP_HOT u32 passing(const Heights& heights, const EdgeSets& edges, const Step& step, u32 tops) {
    if (!connected(step.rank, step.counts.ranks, edges.none)) return 0;
    return passing(heights, lost_piles(edges, step.rank), tops);
  }

  // A pile in the way is in the way after the step too, unless it is the one that is played.
  DEALSWEEP_HOT static u32 passing(const Heights& heights, const LostPiles& lost, u32 tops) {
    const u32 now = lost.among(heights);
    if ((now & (now - 1)) != 0) return 0;
    if (now != 0) tops &= now;
    return tops & ~(lost.from_two & heights.three());
  }

  void sort_moves(const Node& node, const Step* steps, Move* moves, int count, u32 noise) {
    for (int i = 0; i < count; ++i) {
      Move move = moves[i];
      move.score = score(node, steps[move.step], move.pile) + static_cast<int>(noise_.below(noise));
      int at = i;
      for (; at > 0 && moves[at - 1].score < move.score; --at) moves[at] = moves[at - 1];
      moves[at] = move;
    }
  }

  DEALSWEEP_HOT int score(const Node& node, const Step& step, u32 mask) const {
    const int pile = lowest(mask), height = node.heights.of(pile), under = tableau_.rank[pile][height - 1];
    int moves = size_of(step.above & step.above_open) + size_of(step.below & step.below_open);
    int score = step.score + kWeights.height[height];
    if (under == kNoRank) {
      score += kWeights.left_under[0];
    } else {
      score += kWeights.left_under[node.counts.of(under)];
      if (adjacent(under, step.rank)) score += kWeights.adjacent;
      if (under == rank_above(step.rank)) moves -= static_cast<int>(step.above_open);
      if (under == rank_below(step.rank)) moves -= static_cast<int>(step.below_open);
      if (tableau_.tops(node.heights, under) == 0) score += kWeights.fresh;
    }
    return score + kWeights.moves[at_most(5, moves)];
  }

  // In reverse: the states after each possible first step.
  void find_starts() {
    start_count_ = 0;
    for (int rank = 0; rank < kCircle; ++rank) {
      u32 tops = tableau_.tops(root_.heights, rank);
      if (tops == 0) continue;
      if (kPruning.dominance && (tops & (tops - 1)) != 0) tops = undominated(tableau_, root_.heights, tops);
      Step step{};
      step.rank = rank;
      step.counts = root_.counts.without(rank);
      if (kPruning.walk && !edge_counts(step.counts, rank, tableau_.foundation, step.edges)) continue;
      if (kPruning.walk) tops = passing(root_.heights, EdgeSets(step.edges), step, tops);
      step.score = kWeights.left[root_.counts.of(rank)] + kWeights.tops[at_most(5, size_of(tops))];
      for (; tops != 0; tops &= tops - 1) {
        const u32 pile = tops & -tops;
        starts_[start_count_] = {root_.heights.without(pile), step.edges, step.counts, rank, kNoRank};
        start_score_[start_count_++] = score(root_, step, pile);
      }
    }
  }

  Result expand_start() {
    if (!meter_.count()) return Result::kCutShort;
    meter_.generated += static_cast<u64>(start_count_);
    Move order[kMaxPiles];
    for (int i = 0; i < start_count_; ++i) {
      const Move move{start_score_[i] + static_cast<int>(noise_.below(width_[cards_])), 0, static_cast<u8>(i), 0};
      int at = i;
      for (; at > 0 && order[at - 1].score < move.score; --at) order[at] = order[at - 1];
      order[at] = move;
    }
    for (int i = 0; i < start_count_; ++i) {
      const Node& start = starts_[order[i].step];
      if (dead_.contains(start.key())) continue;
      const u32 played = (start.heights.lo ^ root_.heights.lo);
      Result result = Result::kDead;
      if (cards_ > 1) {
        result = expand(start, cards_ - 1);
      } else if (adjacent(start.rank, tableau_.foundation)) {
        result = Result::kWon;
      }
      if (result == Result::kDead) continue;
      if (result == Result::kWon) path_[cards_] = static_cast<u8>(lowest(played));
      return result;
    }
    return Result::kDead;
  }

  Meter& meter_;
  Tableau tableau_;
  CutTest cut_;
  DeadTable dead_;
  StepMemo memo_;
  Noise noise_;
  Node root_;
  int cards_ = 0;
  int start_count_ = 0;
  Node starts_[kMaxPiles];
  int start_score_[kMaxPiles];
  u32 width_[kMaxCards + 1];
  u8 path_[kMaxCards + 1] = {};  // path_[left]: the pile played with `left` cards left
};

}  // namespace dealsweep::fast_black_hole::DEALSWEEP_VARIANT
