// The published depth-first search of Black Hole, All in a Row and Golf. Its iteration counts are
// defined by its order: a state is stored when it is pushed, the next stock card is tried first,
// then the piles from the lowest index, and the state pushed last is expanded first.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "../game.hpp"
#include "../request.hpp"
#include "golf_rules.hpp"

namespace dealsweep {

inline constexpr std::uint64_t kReferenceMemoryCap = std::uint64_t{512} << 20;

// The largest board a game's packed state holds.
struct BlackHoleShape {
  static constexpr int kPiles = 17, kHeight = 3, kStock = 0;
};
struct AllInARowShape {
  static constexpr int kPiles = 13, kHeight = 4, kStock = 0;
};
struct GolfShape {
  static constexpr int kPiles = 7, kHeight = 5, kStock = 16;
};

struct ReferenceSettings {
  GolfRules rules;
  bool rank_reach = false;  // prune; never where there is a stock
  std::uint64_t limit = kNoLimit;
  std::uint64_t memory_cap_bytes = kReferenceMemoryCap;
  bool solutions = false;
  StopCheck stop = nullptr;
};

// The part of a request that is the same for every game; no limit unless asked for.
inline ReferenceSettings reference_settings(const Request& request, GolfRules rules, bool rank_reach) {
  return {.rules = rules,
          .rank_reach = rank_reach,
          .limit = limit_of(request, kNoLimit),
          .memory_cap_bytes = request.memory_cap_bytes.value_or(kReferenceMemoryCap),
          .solutions = request.solutions,
          .stop = request.stop};
}

// Refuses a board that the packed state does not hold, saying what it holds. Throws BadRequest.
template <typename Shape>
void check_fits(const Board& board) {
  const auto refuse = [](const char* what, int held, int found) {
    throw BadRequest("the reference search holds at most " + std::to_string(held) + " " + what + ", not " +
                     std::to_string(found));
  };
  if (board.pile_count > Shape::kPiles) refuse("piles", Shape::kPiles, board.pile_count);
  for (int p = 0; p < board.pile_count; ++p)
    if (board.height(p) > Shape::kHeight) refuse("cards in a pile", Shape::kHeight, board.height(p));
  if (board.stock_count > Shape::kStock) refuse("cards in the stock", Shape::kStock, board.stock_count);
  if (board.foundation_count > 1) refuse("foundations", 1, board.foundation_count);
}

namespace reference {

// Open addressing over non-zero 64-bit words; grows at three quarters.
class WordSet {
 public:
  explicit WordSet(std::uint64_t cap_bytes) : cap_(cap_bytes / sizeof(std::uint64_t)) {}
  void clear() { slots_.assign(1024, 0), count_ = 0; }
  bool full() const { return (count_ + 1) * 4 > slots_.size() * 3 && slots_.size() * 2 > cap_; }
  bool insert(std::uint64_t word) {
    if ((count_ + 1) * 4 > slots_.size() * 3) grow();
    std::uint64_t& slot = slots_[find(word)];
    if (slot == word) return false;
    slot = word;
    return ++count_, true;
  }
  bool contains(std::uint64_t word) const { return slots_[find(word)] == word; }

 private:
  std::size_t find(std::uint64_t word) const {
    std::size_t at = word * 0x9E3779B97F4A7C15u >> 20 & (slots_.size() - 1);
    while (slots_[at] != 0 && slots_[at] != word) at = (at + 1) & (slots_.size() - 1);
    return at;
  }
  void grow() {
    std::vector<std::uint64_t> old(slots_.size() * 2);
    old.swap(slots_);
    for (std::uint64_t word : old)
      if (word) slots_[find(word)] = word;
  }

  std::vector<std::uint64_t> slots_;
  std::size_t count_ = 0, cap_;
};

}  // namespace reference

template <typename Shape>
class ReferenceSearch {
 public:
  explicit ReferenceSearch(const ReferenceSettings& settings) : set_(settings), seen_(settings.memory_cap_bytes) {}

  Outcome solve(const Board& board) {
    check_fits<Shape>(board);
    const Word start = start_of(board);
    Outcome out;
    out.generated = 1;
    stack_.assign(1, start);
    seen_.clear();
    seen_.insert(start);
    bool capped = false;
    const auto push = [&](Word t) {
      if (seen_.full()) capped = !seen_.contains(t) || capped;
      if (capped || !seen_.insert(t)) return;
      ++out.generated;
      stack_.push_back(t);
    };
    while (!stack_.empty()) {
      const Word s = stack_.back();
      stack_.pop_back();
      if (set_.rank_reach && !reachable(board, s)) continue;
      if ((++out.iterations & 0xfff) == 0 && set_.stop && set_.stop()) throw Stopped();
      const int taken = taken_of(s);
      if (taken < board.stock_count) push(with(s + kOneTaken, rank_of(board.stock()[taken])));
      for (int p = 0; p < board.pile_count; ++p) {
        if (const int h = height(s, p)) {
          const int rank = rank_of(board.pile(p)[h - 1]);
          if (fits(rank_in(s), rank, set_.rules)) push(with(s - (Word{1} << 3 * p), rank));
        }
      }
      if ((s & kHeights) == 0) {
        const auto line = winning_line(board, start, s);
        if (!clears_all_piles(board, set_.rules, line)) throw std::logic_error("a solved deal does not replay");
        if (set_.solutions) out.solution = line;
        return out.verdict = Verdict::kWon, out;
      }
      if (out.iterations >= set_.limit) return out.reason = Reason::kLimit, out;
      if (capped) return out.reason = Reason::kMemory, out;
    }
    return out.verdict = Verdict::kLost, out;
  }

 private:
  // Heights, 3 bits a pile; stock cards taken, 5 bits; rank of the foundation, 4 bits.
  using Word = std::uint64_t;
  static constexpr Word kHeights = (Word{1} << 51) - 1, kOneTaken = Word{1} << 51;

  static int height(Word s, int p) { return static_cast<int>(s >> 3 * p & 7); }
  static int taken_of(Word s) { return static_cast<int>(s >> 51 & 31); }
  static int rank_in(Word s) { return static_cast<int>(s >> 56); }
  static Word with(Word s, int rank) { return (s & ((Word{1} << 56) - 1)) | Word(rank) << 56; }

  static Word start_of(const Board& board) {
    Word s = with(0, board.foundation_count ? rank_of(board.foundations[0]) : 0);
    for (int p = 0; p < board.pile_count; ++p) s |= Word(board.height(p)) << 3 * p;
    return s;
  }

  // Every rank left in the piles can be reached from the foundation by steps of one through
  // ranks left in the piles. A line that clears the piles is such a walk, so no other state wins.
  static bool reachable(const Board& board, Word s) {
    if (rank_in(s) == 0) return true;
    unsigned left = 0;
    for (int p = 0; p < board.pile_count; ++p)
      for (int h = 0; h < height(s, p); ++h) left |= 1u << (rank_of(board.pile(p)[h]) - 1);
    // Together with the foundation they must be one arc of the circle: one rank at most whose
    // upper neighbour is missing.
    const unsigned arc = left | 1u << (rank_in(s) - 1);
    const unsigned above = arc >> 1 | (arc & 1) << 12;
    return __builtin_popcount(arc & ~above) <= 1;
  }

  // Back from the goal through stored states: each of them was reached from the start, and each
  // step back puts a card on, so that any stored predecessor will do and the walk ends.
  std::vector<std::uint8_t> winning_line(const Board& board, Word start, Word s) const {
    std::vector<std::uint8_t> line;
    while (s != start) line.push_back(step_back(board, s));
    std::reverse(line.begin(), line.end());
    return line;
  }

  std::uint8_t step_back(const Board& board, Word& s) const {
    const int rank = rank_in(s), taken = taken_of(s);
    for (int before = 0; before <= kRanks; ++before) {
      if (taken && rank_of(board.stock()[taken - 1]) == rank && seen_.contains(with(s - kOneTaken, before)))
        return s = with(s - kOneTaken, before), kStockMove;
      if (!fits(before, rank, set_.rules)) continue;
      for (int p = 0; p < board.pile_count; ++p) {
        const int h = height(s, p);
        if (h == board.height(p) || rank_of(board.pile(p)[h]) != rank) continue;
        const Word t = with(s + (Word{1} << 3 * p), before);
        if (seen_.contains(t)) return s = t, static_cast<std::uint8_t>(p);
      }
    }
    throw std::logic_error("a stored state has no stored predecessor");
  }

  ReferenceSettings set_;
  reference::WordSet seen_;
  std::vector<Word> stack_;
};

}  // namespace dealsweep
