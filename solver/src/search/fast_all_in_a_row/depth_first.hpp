// Depth-first search with restarts. A line read backwards is a line of the same game on flipped
// piles, so one search serves both directions.
//
// A run searches until its budget ends it, and the next begins with other noise. A state searched
// to its end without a win goes into the dead table, never one whose search was cut short, so
// that what is dead stays dead over the runs, and a run that ends of itself is a proof.
#pragma once

#include "cut_test.hpp"
#include "dead_states.hpp"
#include "ordering.hpp"
#include "step_memo.hpp"

namespace dealsweep::fast_all_in_a_row::DEALSWEEP_VARIANT {

enum class Result : u8 { kDead, kWon, kCutShort };

struct Node {
  u64 cards = 0;
  EdgeCounts edges;   // F of the walk test
  RankCounts counts;  // of the cards left
  int rank = 0;       // of the card played last
  int end = 0;        // the end of the walk for which the tests passed: worth trying first
};

class DepthFirst {
 public:
  DepthFirst(Meter& meter, const Pruning& pruning, bool flipped, u64 table_bytes)
      : meter_(meter), pruning_(pruning), flipped_(flipped), dead_(table_bytes) {
    for (int left = 0; left <= kMaxCards; ++left) width_[left] = noise_width(left);
  }

  void start_deal(const Deal& deal) {
    layout_.lay_out(deal, flipped_);
    cut_.lay_out(layout_);
    dead_.start_deal();
    memo_.start_deal();
    noise_.state = hash_of(layout_);
    root_ = {};
    root_.cards = layout_.start;
    root_.rank = deal.foundation;
    root_.end = kNoRank;
    cards_ = size64(root_.cards);
    for (u64 rest = root_.cards; rest != 0; rest &= rest - 1)
      root_.counts.add(layout_.rank_at[lowest64(rest)]);
  }

  bool table_full() const { return dead_.full(); }
  int cards() const { return cards_; }

  // One run with new noise, of a deal with at least one card.
  Result run(u64 budget) {
    meter_.start_run(budget);
    if (root_.rank == kEmptyFoundation) return expand_empty_foundation();
    if (!edge_counts(root_.counts, root_.rank, kNoRank, root_.edges) && pruning_.walk) return Result::kDead;
    return expand(root_, cards_);
  }

  // The winning line after a run that won, in playing order: one pile a card.
  void line(Decision& decision) const {
    decision.length = cards_;
    for (int i = 0; i < cards_; ++i) decision.line[flipped_ ? cards_ - 1 - i : i] = path_[cards_ - i];
  }

 private:
  // A step of the walk, up or down: what all piles that show its rank have in common.
  struct Step {
    EdgeCounts edges;
    RankCounts counts;
    int rank;
    u64 follow_tops;   // tops of the ranks that may come next, over edges that may be crossed
    u64 follow_cards;  // all cards of these ranks
    int score;
  };

  struct Move {
    int score;
    u8 place, step, end;
  };

  static constexpr int kMostMoves = 2 * kMaxPiles;
  static constexpr int at_most(int most, int value) { return value < most ? value : most; }

  // The search below a node with `left` cards left.
  Result expand(const Node& node, int left) {
    if (!meter_.count()) return Result::kCutShort;
    Step steps[2];
    Move moves[kMostMoves];
    int count = 0;
    const u32 open = pruning_.walk ? node.edges.positive() : kAllRanks;
    const u64 all_tops = tops_of(node.cards);
    int step_count = 0;
    u64 step_tops[2];
    for (int up = 0; up < 2; ++up) {
      const int rank = up ? rank_above(node.rank) : rank_below(node.rank);
      const int edge = up ? node.rank : rank;
      if (!(open >> edge & 1)) continue;
      u64 tops = all_tops & layout_.of_rank[rank];
      if (tops == 0) continue;
      if (left == 1) {
        path_[1] = static_cast<u8>(lowest64(tops) % kLane);
        return Result::kWon;
      }
      Step& step = steps[step_count];
      step.rank = rank;
      step.edges = node.edges.crossed(edge);
      if (pruning_.walk) memo_.prefetch(StepMemo::key(step.edges, rank));
      step.score = kCrossingScore[at_most(9, node.edges.of(edge))] + kTopsScore[at_most(5, size64(tops))];
      if (pruning_.dominance && (tops & (tops - 1)) != 0) tops = undominated(layout_, tops);
      step_tops[step_count++] = tops;
      for (; tops != 0; tops &= tops - 1) dead_.prefetch(key_of(node.cards ^ (tops & -tops), rank));
    }
    for (int i = 0; i < step_count; ++i) {
      set_step(steps[i], node, all_tops);
      count = add_moves(node, steps[i], static_cast<u8>(i), step_tops[i], moves, count);
    }
    return try_moves(node, steps, moves, count, left);
  }

  DEALSWEEP_HOT void set_step(Step& step, const Node& node, u64 all_tops) const {
    const u32 open = pruning_.walk ? step.edges.positive() : kAllRanks;
    const int rank = step.rank;
    step.counts = node.counts.without(rank);
    const u64 above = -static_cast<u64>(open >> rank & 1) & layout_.of_rank[rank_above(rank)];
    const u64 below = -static_cast<u64>(open >> rank_below(rank) & 1) & layout_.of_rank[rank_below(rank)];
    step.follow_cards = above | below;
    step.follow_tops = step.follow_cards & all_tops;
    step.score += kLeftScore[node.counts.of(rank)];
  }

  // Searches the children, the best first; the node is dead if none wins.
  DEALSWEEP_HOT Result try_moves(const Node& node, const Step* steps, Move* moves, int count, int left) {
    meter_.generated += static_cast<u64>(count);
    if (count > 1) sort_moves(node, steps, moves, count, width_[left]);
    for (int i = 0; i < count; ++i) {
      const Step& step = steps[moves[i].step];
      const Node child{node.cards ^ u64{1} << moves[i].place, step.edges, step.counts, step.rank,
                       moves[i].end};
      if (dead_.contains(key_of(child.cards, child.rank))) continue;
      const Result result = expand(child, left - 1);
      if (result == Result::kDead) continue;
      if (result == Result::kWon) path_[left] = static_cast<u8>(moves[i].place % kLane);
      return result;
    }
    if (node.rank != kEmptyFoundation) dead_.insert(key_of(node.cards, node.rank));
    return Result::kDead;
  }

  // Appends the moves of a step that no test rejects.
  DEALSWEEP_HOT int add_moves(const Node& node, const Step& step, u8 index, u64 tops, Move* moves, int count) {
    if (step.follow_tops == 0) tops &= step.follow_cards << kLane;  // only what the play uncovers can follow
    if (tops == 0) return count;
    const auto append = [&](u64 places, int end) {
      for (; places != 0; places &= places - 1)
        moves[count++] = {0, static_cast<u8>(lowest64(places)), index, static_cast<u8>(end)};
    };
    if (!pruning_.walk) {
      append(tops, kNoRank);
    } else {
      pass_some_end(node, step, tops, append);
    }
    return count;
  }

  // A move lives if it passes the tests for some end of the walk: for one that the memo knows, or else
  // for one that was not tested yet.
  template <typename Append>
  DEALSWEEP_HOT void pass_some_end(const Node& node, const Step& step, u64 tops, const Append& append) {
    StepAnswer& answer = memo_.find(StepMemo::key(step.edges, step.rank), [&] { return ends_of(step); });
    const int count = answer.count();
    for (int i = 0; i < count; ++i) {
      const u64 pass = passing(node.cards & answer.lost(i), tops);
      append(pass, answer.end(i));
      tops &= ~pass;
      if (tops == 0) return;
    }
    if (answer.untested() != 0) pass_untested(node, step, tops, answer, append);
  }

  DEALSWEEP_COLD static u32 ends_of(const Step& step) {
    return possible_ends(step.counts.ranks, Crossings(step.edges).by_count[0]);
  }

  // Tests ends until all tops have passed, the end for which the parent passed before the others.
  template <typename Append>
  DEALSWEEP_COLD void pass_untested(const Node& node, const Step& step, u64 tops, StepAnswer& answer,
                                    const Append& append) {
    const Crossings sets(step.edges);
    u32 ends = answer.untested();
    int end = node.end != kNoRank && (ends >> node.end & 1) ? node.end : lowest(ends);
    while (true) {
      const Crossings exact = sets.ending_at(end);
      if (connected(step.rank, step.counts.ranks, exact.by_count[0])) {
        const u64 lost = pruning_.cut ? cut_.lost_places(exact, step.rank) : 0;
        answer.keep(end, lost);
        const u64 pass = passing(node.cards & lost, tops);
        append(pass, end);
        tops &= ~pass;
      } else {
        answer.drop(end);
      }
      ends &= ~(1u << end);
      if (ends == 0 || tops == 0) return;
      end = lowest(ends);
    }
  }

  // The tops without which no card is lost, `lost` being the cards on lost places.
  DEALSWEEP_HOT static u64 passing(u64 lost, u64 tops) {
    const u64 if_one = lost != 0 ? tops & lost : tops;
    return (lost & (lost - 1)) != 0 ? 0 : if_one;
  }

  void sort_moves(const Node& node, const Step* steps, Move* moves, int count, u32 width) {
    for (int i = 0; i < count; ++i) {
      Move move = moves[i];
      move.score = score(node, steps[move.step], move.place) + static_cast<int>(noise_.below(width));
      int at = i;
      for (; at > 0 && moves[at - 1].score < move.score; --at) moves[at] = moves[at - 1];
      moves[at] = move;
    }
  }

  DEALSWEEP_HOT int score(const Node& node, const Step& step, int place) const {
    const int under = layout_.rank_under(place);
    int score = step.score + kHeightScore[place / kLane + 1], moves = size64(step.follow_tops);
    if (under == kNoRank) {
      score += kLeftUnderScore[0];
    } else {
      score += kLeftUnderScore[node.counts.of(under)];
      if (adjacent(under, step.rank)) score += kAdjacentScore;
      if (step.follow_cards >> (place - kLane) & 1) ++moves;
      if ((tops_of(node.cards) & layout_.of_rank[under]) == 0) score += kFreshScore;
    }
    return score + kMovesScore[at_most(5, moves)];
  }

  // The first play of a deal: any top.
  Result expand_empty_foundation() {
    if (!meter_.count()) return Result::kCutShort;
    const u64 all_tops = tops_of(root_.cards);
    if (cards_ == 1) {
      path_[1] = static_cast<u8>(lowest64(all_tops) % kLane);
      return Result::kWon;
    }
    Step steps[kCircle];
    Move moves[kMostMoves];
    int count = 0;
    for (int rank = 0; rank < kCircle; ++rank) {
      u64 tops = all_tops & layout_.of_rank[rank];
      if (tops == 0) continue;
      Step& step = steps[rank];
      step.counts = root_.counts.without(rank);
      if (!edge_counts(step.counts, rank, kNoRank, step.edges) && pruning_.walk) continue;
      step.rank = rank;
      step.score = kTopsScore[at_most(5, size64(tops))];
      set_step(step, root_, all_tops);
      if (pruning_.dominance && (tops & (tops - 1)) != 0) tops = undominated(layout_, tops);
      count = add_moves(root_, step, static_cast<u8>(rank), tops, moves, count);
    }
    return try_moves(root_, steps, moves, count, cards_);
  }

  Meter& meter_;
  Pruning pruning_;
  bool flipped_;
  Layout layout_;
  CutTest cut_;
  DeadStates dead_;
  StepMemo memo_;
  Noise noise_;
  Node root_;
  int cards_ = 0;
  u32 width_[kMaxCards + 1];
  u8 path_[kMaxCards + 1] = {};  // path_[left]: the pile played with `left` cards left
};

}  // namespace dealsweep::fast_all_in_a_row::DEALSWEEP_VARIANT
