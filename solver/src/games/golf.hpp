// Golf: 7 piles of five, one foundation built up or down, and a stock of 16 cards that go to the
// foundation one at a time whether they fit or not. The piles must be cleared; stock may be left.
#pragma once

#include <memory>

#include "../request.hpp"
#include "../search/fast_golf/fast_golf.hpp"
#include "../search/reference.hpp"

namespace dealsweep {

// A winning line has one byte a move: the index of the pile whose top card is played, or 255
// (kStockMove) for the next card of the stock.
class Golf final : public GameSolver {
 public:
  static constexpr int kPiles = 7, kPileCards = 35;

  static const GameInfo& info() {
    static const GameInfo game{
        .name = "golf",
        .title = "Golf",
        .aliases = {},
        .rules = {{"standard", "build up or down, no card goes on a king, suits ignored"},
                  {"queens-on-kings", "a queen goes on a king"},
                  {"wrap", "ace and king adjacent; a king takes a queen or an ace"}},
        .switches = {{"kings",
                      {{"closed", "nothing goes on a king"},
                       {"queens", "a queen does"},
                       {"wrap", "a queen or an ace does, and a king goes on an ace"}},
                      "what goes on a king"}},
        .searches = {{"fast",
                      "exact, over the heights of the piles; its iterations are height vectors searched"},
                     {"reference", "the published depth-first search, with its iteration counts"}},
        .prunes = {{"none", "no pruning"}},
        .iteration = "state expanded",
        .own_columns = {},
        .make = [](const Request& request) -> std::unique_ptr<GameSolver> {
          return std::make_unique<Golf>(request);
        },
    };
    return game;
  }

  explicit Golf(const Request& request) : settings_(read(request)) {
    if (choose("search", info().searches, request.search) == 0)
      fast_ = std::make_unique<fast_golf::Solver>(fast_options(request));
    else
      reference_ = std::make_unique<ReferenceSearch<GolfShape>>(settings_);
  }

  Board layout(const Deck& deck) const override {
    const std::span<const Card> cards(deck);
    Board board;
    deal_in_turn(board, cards.first(kPileCards), kPiles);
    board.add_foundation(cards[kPileCards]);
    board.set_stock(cards.subspan(kPileCards + 1));
    return board;
  }

  void solve(std::span<const Board> boards, std::span<Outcome> outcomes) override {
    for (std::size_t i = 0; i < boards.size(); ++i)
      outcomes[i] = fast_ ? fast_->solve(boards[i]) : reference_->solve(boards[i]);
  }

  std::vector<std::pair<std::string, std::string>> switches() const override {
    const GolfRules& rules = settings_.rules;
    return {{"kings", rules.wrap ? "wrap" : rules.queens_on_kings ? "queens" : "closed"}};
  }
  std::uint64_t limit() const override { return settings_.limit; }
  std::uint64_t memory_cap_bytes() const override { return settings_.memory_cap_bytes; }

 private:
  static ReferenceSettings read(const Request& request) {
    const bool fast = choose("search", info().searches, request.search) == 0;
    if (request.prune == "rank-reach")
      throw BadRequest("golf has no prune rank-reach: its stock brings ranks that the piles lack");
    choose("prune", info().prunes, request.prune);
    ReferenceSettings settings = reference_settings(request, rules_of(request), false);
    if (fast) settings.memory_cap_bytes = request.memory_cap_bytes.value_or(fast_golf::kMemoryCap);
    return settings;
  }

  fast_golf::Options fast_options(const Request& request) const {
    fast_golf::Options options;
    options.rules = settings_.rules;
    options.limit = settings_.limit;
    options.memory_cap_bytes = settings_.memory_cap_bytes;
    options.solutions = request.solutions;
    options.stop = request.stop;
    return options;
  }

  static GolfRules rules_of(const Request& request) {
    check_switches(info(), request);
    std::size_t kings = choose("rules", info().rules, request.rules);  // named in the order of the switch
    for (const auto& [name, value] : request.switches)
      kings = choose("value for rule " + name, info().switches[0].values, value);
    return {.wrap = kings == 2, .queens_on_kings = kings >= 1};
  }

  ReferenceSettings settings_;
  std::unique_ptr<fast_golf::Solver> fast_;  // one of the two
  std::unique_ptr<ReferenceSearch<GolfShape>> reference_;
};

}  // namespace dealsweep
