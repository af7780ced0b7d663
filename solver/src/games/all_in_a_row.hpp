// All in a Row: 13 piles of four and an empty foundation, which takes any card first and builds
// up or down from there, ace and king being neighbours.
#pragma once

#include <algorithm>
#include <memory>

#include "../request.hpp"
#include "../search/fast_all_in_a_row/fast_all_in_a_row.hpp"
#include "../search/reference.hpp"

namespace dealsweep {

// A winning line has one byte a move: the index of the pile whose top card is played.
class AllInARow final : public GameSolver {
 public:
  static constexpr int kPiles = 13;
  static constexpr GolfRules kRules{.wrap = true, .queens_on_kings = true};

  static const GameInfo& info() {
    static const GameInfo game{
        .name = "all-in-a-row",
        .title = "All in a Row",
        .aliases = {},
        .rules = {{"standard",
                   "any card first, then build up or down, ace and king adjacent, suits ignored"}},
        .switches = {},
        .searches = {{"fast", "exact, forward and reverse search in turn"},
                     {"reference", "the published depth-first search, with its iteration counts"}},
        .prunes = {{"none", "no pruning"},
                   {"rank-reach", "reference only: cut states whose ranks left cannot all be reached"}},
        .iteration = "state expanded",
        .own_columns = {},
        .make = [](const Request& request) -> std::unique_ptr<GameSolver> {
          return std::make_unique<AllInARow>(request);
        },
    };
    return game;
  }

  explicit AllInARow(const Request& request) : settings_(read(request)) {
    if (choose("search", info().searches, request.search) == 0)
      fast_ = std::make_unique<fast_all_in_a_row::Solver>(fast_options(request));
    else
      reference_ = std::make_unique<ReferenceSearch<AllInARowShape>>(settings_);
  }

  Board layout(const Deck& deck) const override {
    constexpr Card kAceOfSpades = make_card(1, kSpades);
    Deck cards = deck;
    *std::remove(cards.begin(), cards.end(), kAceOfSpades) = kAceOfSpades;
    Board board;
    deal_in_turn(board, cards, kPiles);
    return board;
  }

  void solve(std::span<const Board> boards, std::span<Outcome> outcomes) override {
    for (std::size_t i = 0; i < boards.size(); ++i)
      outcomes[i] = fast_ ? fast_->solve(boards[i]) : reference_->solve(boards[i]);
  }

  std::vector<std::pair<std::string, std::string>> switches() const override { return {}; }
  std::uint64_t limit() const override { return settings_.limit; }
  std::uint64_t memory_cap_bytes() const override { return settings_.memory_cap_bytes; }

 private:
  static ReferenceSettings read(const Request& request) {
    check_switches(info(), request);
    choose("rules", info().rules, request.rules);
    const bool fast = choose("search", info().searches, request.search) == 0;
    const bool rank_reach = choose("prune", info().prunes, request.prune) == 1;
    if (fast && rank_reach)
      throw BadRequest("prune rank-reach needs search reference: fast has cuts of its own");
    ReferenceSettings settings = reference_settings(request, kRules, rank_reach);
    if (fast) settings.memory_cap_bytes = request.memory_cap_bytes.value_or(fast_all_in_a_row::kMemoryCap);
    return settings;
  }

  fast_all_in_a_row::Options fast_options(const Request& request) const {
    fast_all_in_a_row::Options options;
    options.limit = settings_.limit;
    options.memory_cap_bytes = settings_.memory_cap_bytes;
    options.solutions = request.solutions;
    options.stop = request.stop;
    return options;
  }

  ReferenceSettings settings_;
  std::unique_ptr<fast_all_in_a_row::Solver> fast_;  // one of the two
  std::unique_ptr<ReferenceSearch<AllInARowShape>> reference_;
};

}  // namespace dealsweep
