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
#include "move_order.hpp"

namespace dealsweep::fast_black_hole::DEALSWEEP_VARIANT {

enum class Result : u8 { kDead, kWon, kCutShort };

template <bool kReverse, Pruning kPruning>
class DepthFirst {
 public:
  DepthFirst(Meter& meter, u64 bytes) : meter_(meter), dead_(bytes - bytes / 4), walks_(bytes / 4) {
    for (int left = 0; left <= kMaxCards; ++left) width_[left] = noise_width(kWeights, left);
  }

  void start_deal(const Deal& deal) {
    tableau_.lay_out(deal, kReverse);
    cut_.lay_out(tableau_);
    dead_.start_deal();
    walks_.start_deal();
    noise_.state = board_hash(deal) + kReverse;
    RankCounts left{};
    for (int p = 0; p < deal.piles; ++p)
      for (int h = 1; h <= deal.height[p]; ++h) left.add(tableau_.rank[p][h]);
    if (kReverse) left.add(tableau_.foundation);
    cards_ = tableau_.start.cards();
    start_count_ = 0;
    if (kReverse) {
      find_starts(left);
    } else if (Walk* const walk = first_walk(left, tableau_.foundation, kNoRank, spare_[cards_][0])) {
      starts_[start_count_++] = {0, 0, walk};
    }
  }

  const Tableau& tableau() const { return tableau_; }
  bool table_full() const { return dead_.full(); }
  u64 walks() const { return walks_.size(); }

  // One run with new noise, from the deal's own board with at least one card.
  Result run(u64 budget) {
    meter_.start_run(budget);
    if (kReverse) return expand_start();
    return start_count_ == 0 ? Result::kDead : expand(*starts_[0].walk, tableau_.start, cards_);
  }

  // The winning line after a run that won, in playing order: one pile a card.
  void line(Decision& decision) const {
    decision.length = cards_;
    for (int i = 0; i < cards_; ++i) decision.line[kReverse ? cards_ - 1 - i : i] = path_[cards_ - i];
  }

 private:
  static constexpr const Weights& kWeights = kReverse ? kReverseWeights : kForwardWeights;
  static constexpr int kAnyEnd = 0;  // stands for all ends where no walk test tells them apart

  // A rank has at most four cards in the piles, and two ranks can follow a card.
  static constexpr int kMostMoves = 8;

  // The search below a state with `left` cards left.
  Result expand(Walk& walk, const Heights heights, const int left) {
    if (!meter_.count()) return Result::kCutShort;
    u32 tops[kRanksHeld];
    tableau_.all_tops(heights, tops);
    if (left == 1) return play_last_card(walk, tops);
    Walk* next[2] = {};
    u64 piles = 0;  // that may be played, by the way of the step
    for (int way = kDown; way <= kUp; ++way) {
      const u32 shown = tops[way == kUp ? rank_above(walk.rank) : rank_below(walk.rank)];
      if (shown == 0 || !(walk.open >> way & 1)) continue;
      next[way] = step(walk, way, spare_[left][way]);
      if (next[way] == nullptr) continue;
      piles |= u64{pass(*next[way], heights, tops, shown)} << (kHalf * way);
    }
    piles = drop_dead(piles, heights, next);
    meter_.generated += static_cast<u64>(__builtin_popcountll(piles));
    Move moves[kMostMoves];
    int count = 0;
    for (u64 rest = piles; rest != 0; rest &= rest - 1) {
      const int bit = __builtin_ctzll(rest);
      moves[count++] = {bit / kHalf, 1u << bit % kHalf, next[bit / kHalf]};
    }
    if (count > 1) sort_moves(walk, heights, tops, moves, count, width_[left]);
    for (int i = 0; i < count; ++i) {
      const Result result = expand(*moves[i].walk, heights.without(moves[i].pile), left - 1);
      if (result == Result::kDead) continue;
      if (result == Result::kWon) path_[left] = static_cast<u8>(lowest(moves[i].pile));
      return result;
    }
    dead_.insert(key_of(heights, walk.rank));
    return Result::kDead;
  }

  static constexpr int kHalf = 32;

  // Those of the piles that show the rank of a step that no test rejects.
  DEALSWEEP_HOT u32 pass(Walk& next, const Heights& heights, const u32 (&tops)[kRanksHeld], u32 piles) {
    const u32 above = tops[rank_above(next.rank)] & in_all(next.open >> kUp & 1);
    const u32 below = tops[rank_below(next.rank)] & in_all(next.open >> kDown & 1);
    if ((above | below) == 0) piles &= followed(next, heights);
    if (kPruning.dominance && (piles & (piles - 1)) != 0) piles = undominated(tableau_, heights, piles);
    return kPruning.walk && piles != 0 ? passing(next, heights, piles) : piles;
  }

  // Without those that lead to dead states. No search from here meets a state of the same number of
  // cards, so that what is alive now stays so until its turn comes.
  DEALSWEEP_HOT u64 drop_dead(u64 piles, const Heights& heights, Walk* const (&next)[2]) const {
    const auto key = [&](u64 rest) {
      const int bit = __builtin_ctzll(rest);
      return key_of(heights.without(1u << bit % kHalf), next[bit / kHalf]->rank);
    };
    if (dead_.is_large())
      for (u64 rest = piles; rest != 0; rest &= rest - 1) dead_.prefetch(key(rest));
    u64 alive = piles;
    for (u64 rest = piles; rest != 0; rest &= rest - 1)
      if (dead_.contains(key(rest))) alive ^= rest & -rest;
    return alive;
  }

  // The last card wins; in reverse, if the foundation's own card can follow it.
  Result play_last_card(const Walk& walk, const u32 (&tops)[kRanksHeld]) {
    for (const int rank : {rank_below(walk.rank), rank_above(walk.rank)}) {
      if (tops[rank] == 0 || (kReverse && !adjacent(rank, tableau_.foundation))) continue;
      path_[1] = static_cast<u8>(lowest(tops[rank]));
      return Result::kWon;
    }
    return Result::kDead;
  }

  static u64 key_of(const Heights& heights, int rank) {
    return heights.key() | static_cast<u64>(rank) << (2 * kMaxPiles);
  }

  // The piles that uncover a card that can follow, by the walk after the move.
  u32 followed(const Walk& next, const Heights& heights) const {
    u32 piles = 0;
    for (int way = kDown; way <= kUp; ++way) {
      if (!(next.open >> way & 1)) continue;
      const int rank = way == kUp ? rank_above(next.rank) : rank_below(next.rank);
      piles |= (tableau_.level[2][rank] & heights.three()) | (tableau_.level[1][rank] & heights.two());
    }
    return piles;
  }

  // The walk one step on; none if no walk goes on from there.
  DEALSWEEP_HOT Walk* step(Walk& walk, int way, Walk& spare) {
    if (walk.next[way] != 0) return &walks_.at(walk.next[way]);
    return make_step(walk, way, spare);
  }

  DEALSWEEP_COLD Walk* make_step(Walk& walk, int way, Walk& spare) {
    const int rank = way == kUp ? rank_above(walk.rank) : rank_below(walk.rank);
    const int edge = way == kUp ? walk.rank : rank;
    bool is_new = false;
    Walk& next = walks_.find(walk.left().without(rank), rank, spare, is_new);
    if (is_new) set_up(next, kPruning.walk ? walk.edges.crossed(edge) : EdgeCounts{}, walk.likely_end);
    if (next.untested == 0 && next.ends == 0) {
      walk.open = static_cast<u8>(walk.open & ~(1 << way)) & 3;
      return nullptr;
    }
    walk.next[way] = walks_.index_of(next);
    walk.score[way] = static_cast<std::int16_t>(score_of_step(kWeights, walk, rank, edge));
    return &next;
  }

  // The walk from `rank` to the end (kNoRank: any end), if there is one. At the start of a deal, when
  // the graph has room: the spare is never taken.
  Walk* first_walk(const RankCounts& left, int rank, int end, Walk& spare) {
    EdgeCounts edges{};
    if (kPruning.walk && !edge_counts(left, rank, end, edges)) return nullptr;
    bool is_new = false;
    Walk& walk = walks_.find(left, rank, spare, is_new);
    if (is_new) set_up(walk, edges, kAnyEnd);
    return &walk;
  }

  void set_up(Walk& walk, EdgeCounts edges, int likely_end) {
    walk.edges = edges;
    walk.likely_end = static_cast<u8>(likely_end);
    walk.ends = walk.tried = 0;
    walk.untested = 1u << kAnyEnd;
    walk.open = 1u << kDown | 1u << kUp;
    if (!kPruning.walk) return;
    const u32 open = edges.positive();
    const u32 down = open >> rank_below(walk.rank) & 1, up = open >> walk.rank & 1;
    walk.open = static_cast<u8>(down << kDown | up << kUp) & 3;
    if (!kReverse) walk.untested = static_cast<u16>(possible_ends(walk.ranks, EdgeSets(edges).none));
  }

  // Those of `piles` whose tops lead to states that pass the tests for some end of the walk.
  DEALSWEEP_HOT u32 passing(Walk& walk, const Heights& heights, u32 piles) {
    u32 passed = 0;
    for (int i = 0; i < walk.ends; ++i) passed |= passing(walk.lost_at(i), heights, piles);
    if (passed != piles && walk.untested != 0) [[unlikely]]
      return test_more_ends(walk, heights, piles, passed);
    return passed;
  }

  // A pile in the way is in the way after the step too, unless it is the one that is played.
  DEALSWEEP_HOT static u32 passing(const LostPiles& lost, const Heights& heights, u32 piles) {
    const u32 now = lost.among(heights);
    const u32 none = in_all(now == 0), at_most_one = in_all((now & (now - 1)) == 0);
    return piles & (now | none) & at_most_one & ~(lost.from_two & heights.three());
  }

  // The same with ends that were not tested before. The likely end comes first; then, once, the tests
  // with F itself, which reject for all ends at once; then the other ends.
  DEALSWEEP_COLD u32 test_more_ends(Walk& walk, const Heights& heights, const u32 piles, u32 passed) {
    const EdgeSets sets(walk.edges);
    if (walk.untested >> walk.likely_end & 1) {
      passed |= test_end(walk, heights, piles, sets, walk.likely_end);
      if (passed == piles) return passed;
    }
    if (!kReverse && !walk.tried && walk.untested != 0) {
      walk.tried = 1;
      if (!connected(walk.rank, walk.ranks, sets.none)) {
        walk.untested = 0;
        return passed;
      }
      if ((passing(lost_piles(sets, walk.rank), heights, piles) & ~passed) == 0) return passed;
    }
    while (walk.untested != 0 && passed != piles) {
      const int end = lowest(walk.untested);
      const u32 more = test_end(walk, heights, piles, sets, end);
      if ((more & ~passed) != 0) walk.likely_end = static_cast<u8>(end);
      passed |= more;
    }
    return passed;
  }

  u32 test_end(Walk& walk, const Heights& heights, u32 piles, const EdgeSets& sets, int end) {
    walk.untested = static_cast<u16>(walk.untested & ~(1u << end));
    const EdgeSets exact = kReverse ? sets : sets.ending_at(end);
    if (!connected(walk.rank, walk.ranks, exact.none)) return 0;
    const LostPiles lost = lost_piles(exact, walk.rank);
    walk.add_end(lost);
    return passing(lost, heights, piles);
  }

  DEALSWEEP_HOT LostPiles lost_piles(const EdgeSets& edges, int rank) {
    return kPruning.cut ? cut_.lost_piles(edges, rank) : LostPiles{};
  }

  // Sorts the moves, whose scores are the way of their step so far.
  void sort_moves(const Walk& walk, const Heights& heights, const u32 (&tops)[kRanksHeld], Move* moves,
                  int count, u32 noise) {
    for (int i = 0; i < count; ++i) {
      Move move = moves[i];
      move.score = walk.score[move.score] +
                   score_of_pile(kWeights, tableau_, walk, *move.walk, heights, tops, move.pile) +
                   static_cast<int>(noise_.below(noise));
      insert_by_score(move, moves, i);
    }
  }

  // In reverse: the states after each possible first step.
  void find_starts(const RankCounts& all) {
    u32 tops[kRanksHeld];
    tableau_.all_tops(tableau_.start, tops);
    Walk before{};  // no walk stands anywhere yet
    before.key = all.nibbles;
    for (int rank = 0; rank < kCircle; ++rank) {
      u32 piles = tops[rank];
      if (piles == 0) continue;
      Walk* const walk = first_walk(all.without(rank), rank, tableau_.foundation, spare_[cards_][0]);
      if (walk == nullptr) continue;
      if (kPruning.dominance && (piles & (piles - 1)) != 0)
        piles = undominated(tableau_, tableau_.start, piles);
      if (kPruning.walk) piles = passing(*walk, tableau_.start, piles);
      for (; piles != 0; piles &= piles - 1) {
        const u32 pile = piles & -piles;
        const int value = kWeights.left[all.of(rank)] +
                          score_of_pile(kWeights, tableau_, before, *walk, tableau_.start, tops, pile);
        starts_[start_count_++] = {value, pile, walk};
      }
    }
  }

  Result expand_start() {
    if (!meter_.count()) return Result::kCutShort;
    meter_.generated += static_cast<u64>(start_count_);
    Move order[kMaxPiles];
    for (int i = 0; i < start_count_; ++i) {
      Move move = starts_[i];
      move.score += static_cast<int>(noise_.below(width_[cards_]));
      insert_by_score(move, order, i);
    }
    for (int i = 0; i < start_count_; ++i) {
      const Heights heights = tableau_.start.without(order[i].pile);
      Walk& walk = *order[i].walk;
      if (dead_.contains(key_of(heights, walk.rank))) continue;
      Result result = Result::kDead;
      if (cards_ > 1) {
        result = expand(walk, heights, cards_ - 1);
      } else if (adjacent(walk.rank, tableau_.foundation)) {
        result = Result::kWon;
      }
      if (result == Result::kDead) continue;
      if (result == Result::kWon) path_[cards_] = static_cast<u8>(lowest(order[i].pile));
      return result;
    }
    return Result::kDead;
  }

  Meter& meter_;
  Tableau tableau_;
  CutTest cut_;
  DeadTable dead_;
  WalkGraph walks_;
  Noise noise_;
  int cards_ = 0;
  int start_count_ = 0;
  Move starts_[kMaxPiles];
  Walk spare_[kMaxCards + 1][2];  // for a state's steps, where the graph has no room
  u32 width_[kMaxCards + 1];
  u8 path_[kMaxCards + 1] = {};  // path_[left]: the pile played with `left` cards left
};

}  // namespace dealsweep::fast_black_hole::DEALSWEEP_VARIANT
