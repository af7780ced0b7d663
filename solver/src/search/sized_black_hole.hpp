// Black Hole on a circle of any number of ranks: the published depth-first search over an exact table, for
// decks other than the standard one. Plain on purpose: small decks need no more, and the sizes near the
// standard one that it is slow on are few.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "../game.hpp"

namespace dealsweep {

class SizedBlackHole {
 public:
  static constexpr int kMaxPiles = 17, kMaxHeight = 3;
  static constexpr std::uint64_t kMemoryCapBytes = std::uint64_t{1} << 30;

  struct Settings {
    int ranks = kRanks;
    bool rank_reach = true;  // prune
    std::uint64_t limit = kNoLimit;
    std::uint64_t memory_cap_bytes = kMemoryCapBytes;
    bool solutions = false;
    StopCheck stop = nullptr;
  };

  explicit SizedBlackHole(const Settings& settings) : settings_(settings) {}

  // Up to 17 piles of up to three cards and one foundation. Throws BadRequest, Stopped.
  Outcome solve(const Board& board) {
    lay_out(board);
    Outcome out;
    out.generated = 1;
    table_.assign(std::size_t{1} << 10, kFree);
    stored_ = 0;
    path_.clear();
    const State start = start_of(board);
    insert(start);
    stack_.assign(1, {start, 0, 0});
    while (!stack_.empty()) {
      const Entry entry = stack_.back();
      stack_.pop_back();
      if (settings_.rank_reach && !all_ranks_reachable(entry.state)) continue;
      path_.resize(entry.depth);
      if (entry.depth > 0) path_[entry.depth - 1] = entry.pile;
      ++out.iterations;
      if (is_cleared(entry.state)) return finish_won(board, out);
      if (!push_children(entry, out)) return out.reason = Reason::kMemory, out;
      if (out.iterations >= settings_.limit) return out.reason = Reason::kLimit, out;
      if ((out.iterations & 4095) == 0 && settings_.stop && settings_.stop()) throw Stopped();
    }
    out.verdict = Verdict::kLost;
    return out;
  }

 private:
  // Two bits of height a pile, the foundation's rank above them: exact, and never all ones.
  using State = std::uint64_t;
  static constexpr int kRankShift = 2 * kMaxPiles;
  static constexpr State kFree = ~State{0};

  struct Entry {
    State state;
    std::uint8_t depth, pile;  // cards played, and the pile that was played last
  };

  static int height(State state, int pile) { return static_cast<int>(state >> (2 * pile) & 3); }
  static bool is_cleared(State state) { return (state & ((State{1} << kRankShift) - 1)) == 0; }

  void lay_out(const Board& board) {
    if (board.pile_count > kMaxPiles || board.foundation_count != 1)
      throw BadRequest("a board of Black Hole has at most 17 piles and one foundation");
    piles_ = board.pile_count;
    for (int p = 0; p < piles_; ++p) {
      if (board.height(p) > kMaxHeight) throw BadRequest("a pile of Black Hole holds at most 3 cards");
      for (int h = 0; h < board.height(p); ++h) rank_[p][h] = rank_of(board.pile(p)[h]) - 1;
    }
  }

  State start_of(const Board& board) const {
    State state = State(rank_of(board.foundations[0]) - 1) << kRankShift;
    for (int p = 0; p < piles_; ++p) state |= State(board.height(p)) << (2 * p);
    return state;
  }

  bool push_children(const Entry& entry, Outcome& out) {
    const int rank = static_cast<int>(entry.state >> kRankShift);
    const State heights = entry.state & ((State{1} << kRankShift) - 1);
    for (int p = 0; p < piles_; ++p) {
      const int h = height(entry.state, p);
      if (h == 0) continue;
      const int top = rank_[p][h - 1], distance = top > rank ? top - rank : rank - top;
      if (distance != 1 && distance != settings_.ranks - 1) continue;
      const State child = (heights - (State{1} << (2 * p))) | State(top) << kRankShift;
      if (!insert(child)) continue;
      ++out.generated;
      if (table_.size() * sizeof(State) > settings_.memory_cap_bytes) return false;
      stack_.push_back({child, static_cast<std::uint8_t>(entry.depth + 1), static_cast<std::uint8_t>(p)});
    }
    return true;
  }

  // A step goes to a neighbour on the circle and onto a card that is left, so every rank with a card left has
  // to be joined to the foundation's rank by ranks with cards left; a state where one is not is lost.
  bool all_ranks_reachable(State state) const {
    std::uint32_t left = 0;
    for (int p = 0; p < piles_; ++p)
      for (int h = height(state, p); h > 0; --h) left |= 1u << rank_[p][h - 1];
    const std::uint32_t circle = (1u << settings_.ranks) - 1;
    std::uint32_t reached = 0, edge = 1u << (state >> kRankShift);
    while (edge != 0) {
      edge = (edge << 1 | edge >> 1 | edge >> (settings_.ranks - 1) | edge << (settings_.ranks - 1)) & circle;
      edge &= left & ~reached;
      reached |= edge;
    }
    return reached == left;
  }

  // False if the state was there already. Open addressing, at most half full.
  bool insert(State state) {
    if (2 * (stored_ + 1) > table_.size()) grow();
    const std::size_t at = place(state);
    if (table_[at] == state) return false;
    table_[at] = state;
    ++stored_;
    return true;
  }
  std::size_t place(State state) const {
    std::size_t at = (state * 0x9e3779b97f4a7c15u) >> (64 - std::countr_zero(table_.size()));
    while (table_[at] != kFree && table_[at] != state) at = (at + 1) & (table_.size() - 1);
    return at;
  }
  void grow() {
    std::vector<State> old(2 * table_.size(), kFree);
    old.swap(table_);
    for (const State state : old)
      if (state != kFree) table_[place(state)] = state;
  }

  // The stack holds the siblings of the states on the way to the goal, so that the way itself, kept by depth,
  // is the line; it is played through before it is believed.
  Outcome finish_won(const Board& board, Outcome& out) const {
    State state = start_of(board);
    for (const std::uint8_t pile : path_) {
      const int h = height(state, pile), rank = static_cast<int>(state >> kRankShift);
      const int distance = h == 0 ? 0 : std::abs(rank_[pile][h - 1] - rank);
      if (distance != 1 && distance != settings_.ranks - 1) throw std::logic_error("a solved deal does not replay");
      state = ((state & ((State{1} << kRankShift) - 1)) - (State{1} << (2 * pile))) |
              State(rank_[pile][h - 1]) << kRankShift;
    }
    if (!is_cleared(state)) throw std::logic_error("a solved deal does not replay");
    out.verdict = Verdict::kWon;
    if (settings_.solutions) out.solution = path_;
    return out;
  }

  const Settings settings_;
  int piles_ = 0;
  std::array<std::array<int, kMaxHeight>, kMaxPiles> rank_{};
  std::vector<State> table_;
  std::size_t stored_ = 0;
  std::vector<Entry> stack_;
  std::vector<std::uint8_t> path_;
};

}  // namespace dealsweep
