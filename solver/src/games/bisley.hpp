// Bisley: build on the piles up or down in suit, from both ends of each suit on the foundations.
//
// The aces start the ace foundations, which are built up; an exposed king opens its suit's other
// foundation, which is built down. A single top card goes onto a top one rank up or down of its suit; an
// empty pile stays empty; nothing is dealt again.
//
// A solution is two bytes a move: the pile it is from, counted from 0, and the pile it goes to, or
// 0xFE for the ace foundation and 0xFD for the king foundation of its suit.
#pragma once

#include <algorithm>
#include <string>

#include "../request.hpp"
#include "../search/bisley/solve.hpp"

namespace dealsweep {

class Bisley final : public GameSolver {
 public:
  static const GameInfo& info() {
    static const GameInfo game{
        .name = "bisley",
        .title = "Bisley",
        .aliases = {},
        .rules = {{"13", "13 piles: 4 of three cards, 9 of four"},
                  {"12x4", "12 piles of four cards (PySolFC)"}},
        .switches = {{"layout", {{"13", "4 piles of three cards, 9 of four"}, {"12x4", "12 piles of four"}},
                      "how the cards are dealt"}},
        .searches = {{"fast", "exact: closure, greedy dive, then depth-first over the cards not yet moved"}},
        .prunes = {{"all", "every proved rule"}},
        .iteration = "state whose releases the depth-first search tried",
        .own_columns = {},
        .make = [](const Request& request) -> std::unique_ptr<GameSolver> {
          return std::make_unique<Bisley>(request);
        },
    };
    return game;
  }

  explicit Bisley(const Request& request)
      : thirteen_(layout_of(request) == "13"),
        solutions_(request.solutions),
        bounds_{limit_of(request, kNoLimit), request.memory_cap_bytes.value_or(kMemoryCap), request.stop} {
    choose("search", info().searches, request.search);
    choose("prune", info().prunes, request.prune);
  }

  Board layout(const Deck& deck) const override {
    Deck rest = deck;
    const auto end = std::remove_if(rest.begin(), rest.end(), [](Card card) { return rank_of(card) == 1; });
    Board board;
    for (int suit = 0; suit < kSuits; ++suit) board.add_foundation(make_card(1, suit));
    if (thirteen_) deal_thirteen(board, {rest.begin(), end});
    else deal_in_turn(board, {rest.begin(), end}, 12);
    return board;
  }

  void solve(std::span<const Board> boards, std::span<Outcome> outcomes) override {
    if (bounds_.stop && bounds_.stop()) throw Stopped();  // most deals are over before they ask
    for (std::size_t i = 0; i < boards.size(); ++i)
      outcomes[i] = bisley::solve(boards[i], bounds_, solutions_, scratch_);
  }

  std::vector<std::pair<std::string, std::string>> switches() const override {
    return {{"layout", thirteen_ ? "13" : "12x4"}};
  }
  std::uint64_t limit() const override { return bounds_.limit; }
  std::uint64_t memory_cap_bytes() const override { return bounds_.memory_cap; }

 private:
  static constexpr std::uint64_t kMemoryCap = std::uint64_t{512} << 20;

  // The named rules are names of layouts; the switch may repeat them, not contradict them.
  static std::string layout_of(const Request& request) {
    check_switches(info(), request);
    const std::string named(info().rules[choose("rules", info().rules, request.rules)].name);
    if (request.switches.empty()) return named;
    const std::string& asked = request.switches.front().second;
    if (!request.rules.empty() && asked != named)
      throw BadRequest("rules \"" + named + "\" and layout \"" + asked + "\" contradict each other");
    return asked;
  }

  // Three full rows of thirteen cards, and a fourth on all piles but the first four.
  static void deal_thirteen(Board& board, std::span<const Card> cards) {
    constexpr int kPiles = 13, kShortPiles = 4, kRows = 3;
    for (int p = 0; p < kPiles; ++p) {
      std::array<Card, kRows + 1> pile;
      for (int row = 0; row < kRows; ++row) pile[row] = cards[row * kPiles + p];
      if (p >= kShortPiles) pile[kRows] = cards[kRows * kPiles + p - kShortPiles];
      board.add_pile({pile.data(), static_cast<std::size_t>(p < kShortPiles ? kRows : kRows + 1)});
    }
  }

  const bool thirteen_, solutions_;
  const bisley::Bounds bounds_;
  bisley::Scratch scratch_;
};

}  // namespace dealsweep
