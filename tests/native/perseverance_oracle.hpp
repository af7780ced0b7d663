// The oracle of the Perseverance family: every legal move on plain piles, a library's set of
// positions, no pruning. For small decks.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "board.hpp"

namespace dealsweep::plain {

struct FamilyRules {
  bool top_first = false, single = false, exhausted = false;
  int redeals = 2;  // -1: unlimited
  int pile_size = 4;
};

struct Position {
  std::vector<std::vector<int>> piles;
  std::array<int, kSuits> height{};
  int redeals = 0;

  std::string key() const {
    std::string k(height.begin(), height.end());
    k.push_back(static_cast<char>(redeals));
    for (const auto& pile : piles) {
      k.push_back(static_cast<char>(100));
      k.append(pile.begin(), pile.end());
    }
    return k;
  }
};

inline bool child_of(int card, int parent) { return suit_of(card) == suit_of(parent) && card + 1 == parent; }

inline Position redealt(const Position& at, FamilyRules rules) {
  Position next = at;
  next.piles.clear();
  std::vector<int> cards;
  for (auto pile : at.piles) {
    if (rules.top_first) std::reverse(pile.begin(), pile.end());
    cards.insert(cards.end(), pile.begin(), pile.end());
  }
  for (std::size_t i = 0; i < cards.size(); i += rules.pile_size) {
    const std::size_t end = std::min(cards.size(), i + rules.pile_size);
    next.piles.emplace_back(cards.begin() + i, cards.begin() + end);
    if (rules.top_first) std::reverse(next.piles.back().begin(), next.piles.back().end());
  }
  if (rules.redeals >= 0) --next.redeals;
  return next;
}

// The positions one move away.
inline std::vector<Position> moves(const Position& at, FamilyRules rules) {
  std::vector<Position> next;
  for (std::size_t from = 0; from < at.piles.size(); ++from) {
    const auto& pile = at.piles[from];
    if (pile.empty()) continue;
    if (rank_of(pile.back()) == at.height[suit_of(pile.back())] + 1) {
      next.push_back(at);
      next.back().piles[from].pop_back();
      ++next.back().height[suit_of(pile.back())];
    }
    std::size_t run = 1;
    while (run < pile.size() && child_of(pile[pile.size() - run], pile[pile.size() - run - 1])) ++run;
    for (std::size_t count : {std::size_t{1}, run}) {
      if (count > 1 && rules.single) continue;
      for (std::size_t to = 0; to < at.piles.size(); ++to) {
        if (to == from || at.piles[to].empty()) continue;
        if (!child_of(pile[pile.size() - count], at.piles[to].back())) continue;
        next.push_back(at);
        auto& a = next.back().piles[from];
        auto& b = next.back().piles[to];
        b.insert(b.end(), a.end() - count, a.end());
        a.resize(a.size() - count);
      }
      if (run == 1) break;
    }
  }
  if (at.redeals != 0 && (!rules.exhausted || next.empty())) next.push_back(redealt(at, rules));
  return next;
}

// Nothing if there are more than `most` positions.
inline std::optional<bool> winnable(const Board& board, FamilyRules rules, std::size_t most) {
  Position start;
  for (int p = 0; p < board.pile_count; ++p)
    start.piles.emplace_back(board.pile(p).begin(), board.pile(p).end());
  for (int i = 0; i < board.foundation_count; ++i)
    start.height[suit_of(board.foundations[i])] = rank_of(board.foundations[i]);
  start.redeals = rules.redeals;
  std::unordered_set<std::string> seen{start.key()};
  std::vector<Position> stack{start};
  while (!stack.empty()) {
    const Position at = std::move(stack.back());
    stack.pop_back();
    const auto is_empty = [](const auto& pile) { return pile.empty(); };
    if (std::all_of(at.piles.begin(), at.piles.end(), is_empty)) return true;
    for (Position& next : moves(at, rules))
      if (seen.insert(next.key()).second) stack.push_back(std::move(next));
    if (seen.size() > most) return std::nullopt;
  }
  return false;
}

}  // namespace dealsweep::plain
