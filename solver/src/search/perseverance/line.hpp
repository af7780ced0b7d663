// A winning line as bytes, and its replay on a plain board.
//
// Two bytes a move: the pile that a card or run leaves and the pile it goes to, or kToFoundation; one
// byte kRedeal for a redeal. Piles are numbered from 0 as they lie since the last redeal, which closes
// up; piles that have become empty keep their number until then.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "../../board.hpp"
#include "cards.hpp"

namespace dealsweep::perseverance {

inline constexpr std::uint8_t kToFoundation = 0xfe, kRedeal = 0xff;

// A pile's cards, bottom first.
class PlainPile {
 public:
  const Card* begin() const { return cards_.data(); }
  const Card* end() const { return cards_.data() + size_; }
  Card* begin() { return cards_.data(); }
  Card* end() { return cards_.data() + size_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Card back() const { return cards_[size_ - 1]; }
  Card operator[](std::size_t i) const { return cards_[i]; }
  void push(Card card) { cards_[size_++] = card; }
  void pop(std::size_t n) { size_ -= n; }

 private:
  std::array<Card, kDeckSize> cards_;
  std::size_t size_ = 0;
};

// Piles as they lie, and the rules as they are told: shares nothing with the packed configurations.
class PlainBoard {
 public:
  PlainBoard(const Rules& rules, const Board& board) : rules_(rules), redeals_(rules.redeals) {
    piles_.reserve(kDeckSize);
    for (int p = 0; p < board.pile_count; ++p) {
      piles_.emplace_back();
      for (Card card : board.pile(p)) piles_.back().push(card);
    }
    for (int i = 0; i < board.foundation_count; ++i)
      height_[suit_of(board.foundations[i])] = rank_of(board.foundations[i]);
  }

  bool won() const { return cards() == 0; }
  unsigned redeals_left() const { return redeals_; }
  const std::vector<PlainPile>& piles() const { return piles_; }

  // Each makes its move and says whether the rules allow it; if not, nothing has changed.
  bool move_up(std::size_t from) {
    if (from >= piles_.size() || piles_[from].empty()) return false;
    const Card card = piles_[from].back();
    if (rank_of(card) != height_[suit_of(card)] + 1) return false;
    ++height_[suit_of(card)];
    piles_[from].pop(1);
    return true;
  }
  bool move(std::size_t from, std::size_t to) {
    const std::size_t moved = movable(from, to);
    if (moved == 0) return false;
    for (const Card* card = piles_[from].end() - moved; card != piles_[from].end(); ++card)
      piles_[to].push(*card);
    piles_[from].pop(moved);
    return true;
  }
  bool redeal() {
    if (redeals_ == 0 || (rules_.exhausted && !stuck())) return false;
    redeals_ = one_less(redeals_);
    PlainPile cards;
    for (auto& pile : piles_) {
      if (rules_.top_first) std::reverse(pile.begin(), pile.end());
      for (Card card : pile) cards.push(card);
    }
    piles_.clear();
    for (std::size_t i = 0; i < cards.size(); ++i) {
      if (i % rules_.pile_size == 0) piles_.emplace_back();
      piles_.back().push(cards[i]);
    }
    if (rules_.top_first)
      for (auto& pile : piles_) std::reverse(pile.begin(), pile.end());
    return true;
  }
  bool stuck() const {
    for (std::size_t from = 0; from < piles_.size(); ++from) {
      if (!piles_[from].empty() && rank_of(piles_[from].back()) == height_[suit_of(piles_[from].back())] + 1)
        return false;
      for (std::size_t to = 0; to < piles_.size(); ++to)
        if (movable(from, to) != 0) return false;
    }
    return true;
  }

  // How many cards may go from one pile to the other; 0 for none.
  std::size_t movable(std::size_t from, std::size_t to) const {
    if (from >= piles_.size() || to >= piles_.size() || from == to) return 0;
    const auto& pile = piles_[from];
    if (pile.empty() || piles_[to].empty()) return 0;
    std::size_t run = 1;
    if (!rules_.single)
      while (run < pile.size() && is_child(pile[pile.size() - run], pile[pile.size() - run - 1])) ++run;
    return is_child(pile[pile.size() - run], piles_[to].back()) ? run : 0;
  }

 private:
  static bool is_child(Card card, Card parent) {
    return suit_of(card) == suit_of(parent) && rank_of(card) + 1 == rank_of(parent);
  }
  std::size_t cards() const {
    std::size_t n = 0;
    for (const auto& pile : piles_) n += pile.size();
    return n;
  }

  Rules rules_;
  unsigned redeals_;
  std::vector<PlainPile> piles_;
  std::array<int, kSuits> height_{};
};

// Whether a line keeps the rules and ends with all cards on the foundations.
inline bool replays(const Rules& rules, const Board& board, std::span<const std::uint8_t> line) {
  PlainBoard plain(rules, board);
  for (std::size_t i = 0; i < line.size();) {
    if (line[i] == kRedeal) {
      if (!plain.redeal()) return false;
      ++i;
    } else {
      if (i + 1 == line.size()) return false;
      const bool up = line[i + 1] == kToFoundation;
      if (up ? !plain.move_up(line[i]) : !plain.move(line[i], line[i + 1])) return false;
      i += 2;
    }
  }
  return plain.won();
}

}  // namespace dealsweep::perseverance
