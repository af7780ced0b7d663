// The oracle of Bisley: every position of piles that can be reached, no pruning, foundation moves a choice
// like any other.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "board.hpp"

namespace dealsweep::plain_bisley {

// Piles bottom card first. What is on no pile is on the foundations.
using Piles = std::vector<std::string>;

inline std::string key_of(const Piles& piles) {
  std::string key;
  for (const std::string& pile : piles) key += pile + '|';
  return key;
}

inline bool present(const Piles& piles, int card) {
  const auto holds = [&](const std::string& pile) {
    return pile.find(static_cast<char>(card)) != std::string::npos;
  };
  return std::any_of(piles.begin(), piles.end(), holds);
}

// All lower, or all higher, cards of its suit have been played.
inline bool plays(const Piles& piles, int card) {
  bool lowest = true, highest = true;
  for (int rank = 1; rank <= kRanks; ++rank) {
    const int other = make_card(rank, suit_of(static_cast<Card>(card)));
    if (other < card && present(piles, other)) lowest = false;
    if (other > card && present(piles, other)) highest = false;
  }
  return lowest || highest;
}

// Nothing when there are more than `most` positions.
inline std::optional<bool> solvable(const Board& board, std::size_t most) {
  Piles start;
  for (int p = 0; p < board.pile_count; ++p) start.emplace_back(board.pile(p).begin(), board.pile(p).end());
  std::vector<Piles> stack{start};
  std::unordered_set<std::string> seen{key_of(start)};
  const auto push = [&](Piles piles) {
    if (seen.insert(key_of(piles)).second) stack.push_back(std::move(piles));
  };
  while (!stack.empty()) {
    const Piles piles = stack.back();
    stack.pop_back();
    const auto empty = [](const std::string& pile) { return pile.empty(); };
    if (std::all_of(piles.begin(), piles.end(), empty)) return true;
    if (seen.size() > most) return std::nullopt;
    for (std::size_t from = 0; from < piles.size(); ++from) {
      if (piles[from].empty()) continue;
      const int card = piles[from].back();
      Piles without = piles;
      without[from].pop_back();
      if (plays(piles, card)) push(without);
      for (std::size_t to = 0; to < piles.size(); ++to) {
        if (to == from || piles[to].empty()) continue;
        const int target = piles[to].back();
        if (target / kRanks != card / kRanks || (target != card + 1 && target != card - 1)) continue;
        Piles moved = without;
        moved[to] += static_cast<char>(card);
        push(moved);
      }
    }
  }
  return false;
}

}  // namespace dealsweep::plain_bisley
