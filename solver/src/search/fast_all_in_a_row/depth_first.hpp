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
    int rank = 0;
    u64 follow_tops = 0;   // tops of the ranks that may come next, over edges that may be crossed
    u64 follow_cards = 0;  // all cards of these ranks
    int score = 0;
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
    for (int up = 0; up < 2; ++up) {
      const int rank = up ? rank_above(node.rank) : rank_below(node.rank);
      const int edge = up ? node.rank : rank;
      const u64 tops = all_tops & layout_.of_rank[rank];
      if (tops == 0 || !(open >> edge & 1)) continue;
      if (left == 1) {
        path_[1] = static_cast<u8>(lowest64(tops) % kLane);
        return Result::kWon;
      }
      Step& step = steps[up];
      step.edges = node.edges.crossed(edge);
      set_step(step, node, rank, tops, all_tops);
      step.score += kCrossingScore[at_most(9, node.edges.of(edge))];
      count = add_moves(node, step, static_cast<u8>(up), tops, moves, count);
    }
    return try_moves(node, steps, moves, count, left);
  }

  void set_step(Step& step, const Node& node, int rank, u64 tops, u64 all_tops) const {
    const u32 open = pruning_.walk ? step.edges.positive() : kAllRanks;
    step.rank = rank;
    step.counts = node.counts.without(rank);
    if (open >> rank & 1) step.follow_cards |= layout_.of_rank[rank_above(rank)];
    if (open >> rank_below(rank) & 1) step.follow_cards |= layout_.of_rank[rank_below(rank)];
    step.follow_tops = step.follow_cards & all_tops;
    step.score = kLeftScore[node.counts.of(rank)] + kTopsScore[at_most(5, size64(tops))];
  }

  // Searches the children, the best first; the node is dead if none wins.
  Result try_moves(const Node& node, const Step* steps, Move* moves, int count, int left) {
    meter_.generated += static_cast<u64>(count);
    if (count > 1) sort_moves(node, steps, moves, count, width_[left]);
    for (int i = 0; i < count; ++i) {
      const Step& step = steps[moves[i].step];
      const Node child{node.cards ^ u64{1} << moves[i].place, step.edges, step.counts, step.rank,
                       moves[i].end};
      if (dead_.contains(key_of(child.cards, child.rank))) continue;
      const Result result = left == 1 ? Result::kWon : expand(child, left - 1);
      if (result == Result::kDead) continue;
      if (result == Result::kWon) path_[left] = static_cast<u8>(moves[i].place % kLane);
      return result;
    }
    if (node.rank != kEmptyFoundation) dead_.insert(key_of(node.cards, node.rank));
    return Result::kDead;
  }

  // Appends the moves of a step that no test rejects.
  int add_moves(const Node& node, const Step& step, u8 index, u64 tops, Move* moves, int count) const {
    if (pruning_.dominance && (tops & (tops - 1)) != 0) tops = undominated(layout_, tops);
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

  // A move lives if it passes the tests for some end of the walk. The end for which the parent passed
  // is tried first; then the cut test with F itself, which rejects for all ends at once; then the
  // other ends.
  template <typename Append>
  void pass_some_end(const Node& node, const Step& step, u64 tops, const Append& append) const {
    const Crossings sets(step.edges);
    u32 ends = possible_ends(step.counts.ranks, sets.by_count[0]);
    const auto take_passing = [&](int end) {
      const Crossings exact = sets.ending_at(end);
      if (!connected(step.rank, step.counts.ranks, exact.by_count[0])) return;
      const u64 pass = passing(node.cards, tops, exact, step.rank);
      append(pass, end);
      tops &= ~pass;
    };
    if (node.end != kNoRank && (ends >> node.end & 1)) {
      take_passing(node.end);
      ends &= ~(1u << node.end);
    }
    if (ends == 0 || tops == 0) return;
    tops = passing(node.cards, tops, sets, step.rank);
    for (; ends != 0 && tops != 0; ends &= ends - 1) take_passing(lowest(ends));
  }

  // The tops without which no card lies on a lost place.
  u64 passing(u64 cards, u64 tops, const Crossings& edges, int rank) const {
    if (!pruning_.cut) return tops;
    const u64 lost = cut_.lost_among(cards, edges, rank);
    if (lost == 0) return tops;
    return (lost & (lost - 1)) == 0 ? tops & lost : 0;
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

  int score(const Node& node, const Step& step, int place) const {
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
    Step steps[kCircle];
    Move moves[kMostMoves];
    int count = 0;
    const u64 all_tops = tops_of(root_.cards);
    for (int rank = 0; rank < kCircle; ++rank) {
      const u64 tops = all_tops & layout_.of_rank[rank];
      if (tops == 0) continue;
      Step& step = steps[rank];
      step.counts = root_.counts.without(rank);
      if (cards_ > 1 && !edge_counts(step.counts, rank, kNoRank, step.edges) && pruning_.walk) continue;
      set_step(step, root_, rank, tops, all_tops);
      if (cards_ == 1)
        moves[count++] = {0, static_cast<u8>(lowest64(tops)), static_cast<u8>(rank), kNoRank};
      else
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
  Noise noise_;
  Node root_;
  int cards_ = 0;
  u32 width_[kMaxCards + 1];
  u8 path_[kMaxCards + 1] = {};  // path_[left]: the pile played with `left` cards left
};

}  // namespace dealsweep::fast_all_in_a_row::DEALSWEEP_VARIANT
