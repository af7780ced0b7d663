// Placeholder of the reference search: being replaced.
#pragma once

#include <unordered_map>
#include <vector>

#include "../board.hpp"
#include "../outcome.hpp"

namespace dealsweep {

inline Outcome reference_search(const Board& board, std::uint64_t limit) {
  struct Node { std::uint64_t key; };
  Outcome out;
  out.generated = 1;
  std::uint64_t start = 0;
  for (int p = 0; p < board.pile_count; ++p) start |= std::uint64_t(board.height(p)) << (2 * p);
  start |= std::uint64_t(rank_of(board.foundations[0])) << 34;
  std::vector<std::uint64_t> stack{start};
  std::unordered_map<std::uint64_t, std::uint64_t> seen{{start, 0}};
  while (!stack.empty()) {
    const std::uint64_t s = stack.back();
    stack.pop_back();
    ++out.iterations;
    const int f = static_cast<int>(s >> 34);
    bool none = true;
    for (int p = 0; p < board.pile_count; ++p) {
      const int h = static_cast<int>(s >> (2 * p) & 3);
      if (!h) continue;
      none = false;
      const int r = rank_of(board.pile(p)[h - 1]);
      const int d = f > r ? f - r : r - f;
      if (d != 1 && d != 12) continue;
      const std::uint64_t t = ((s & ((std::uint64_t{1} << 34) - 1)) - (std::uint64_t{1} << (2 * p))) | std::uint64_t(r) << 34;
      if (!seen.emplace(t, s).second) continue;
      ++out.generated;
      stack.push_back(t);
    }
    if (none) {
      out.verdict = Verdict::kWon;
      for (std::uint64_t at = s; at != start; at = seen[at]) {
        const std::uint64_t gone = (seen[at] ^ at) & ((std::uint64_t{1} << 34) - 1);
        out.solution.insert(out.solution.begin(), static_cast<std::uint8_t>(__builtin_ctzll(gone) / 2));
      }
      return out;
    }
    if (out.iterations >= limit) return out.reason = Reason::kLimit, out;
  }
  out.verdict = Verdict::kLost;
  return out;
}

}  // namespace dealsweep
