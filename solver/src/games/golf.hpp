// Golf: 7 piles of five, one foundation built up or down, and a stock of 16 cards that go to the
// foundation one at a time whether they fit or not. The piles must be cleared; stock may be left.
#pragma once

#include "../request.hpp"
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
        .switches = {{"queens-on-kings", {{"no", "nothing goes on a king"}, {"yes", "a queen does"}}, "a king takes a queen"},
                     {"wrap", {{"no", "ace and king apart"}, {"yes", "ace and king adjacent"}},
                      "ace and king are neighbours; implies queens on kings"}},
        .searches = {{"reference", "the published depth-first search, with its iteration counts"}},
        .prunes = {{"none", "no pruning"}},
        .iteration = "state expanded",
        .own_columns = {},
        .make = [](const Request& request) -> std::unique_ptr<GameSolver> { return std::make_unique<Golf>(request); },
    };
    return game;
  }

  explicit Golf(const Request& request) : settings_(read(request)), reference_(settings_) {}

  Board layout(const Deck& deck) const override {
    const std::span<const Card> cards(deck);
    Board board;
    deal_in_turn(board, cards.first(kPileCards), kPiles);
    board.add_foundation(cards[kPileCards]);
    board.set_stock(cards.subspan(kPileCards + 1));
    return board;
  }

  void solve(std::span<const Board> boards, std::span<Outcome> outcomes) override {
    for (std::size_t i = 0; i < boards.size(); ++i) outcomes[i] = reference_.solve(boards[i]);
  }

  std::vector<std::pair<std::string, std::string>> switches() const override {
    const auto yes_or_no = [](bool value) { return value ? "yes" : "no"; };
    return {{"queens-on-kings", yes_or_no(settings_.rules.queens_on_kings)}, {"wrap", yes_or_no(settings_.rules.wrap)}};
  }
  std::uint64_t limit() const override { return settings_.limit; }
  std::uint64_t memory_cap_bytes() const override { return settings_.memory_cap_bytes; }

 private:
  static ReferenceSettings read(const Request& request) {
    choose("search", info().searches, request.search);
    if (request.prune == "rank-reach")
      throw BadRequest("golf has no prune rank-reach: its stock brings ranks that the piles lack");
    choose("prune", info().prunes, request.prune);
    return reference_settings(request, rules_of(request), false);
  }

  static GolfRules rules_of(const Request& request) {
    check_switches(info(), request);
    const std::size_t named = choose("rules", info().rules, request.rules);
    GolfRules rules{.wrap = named == 2, .queens_on_kings = named >= 1};
    bool kings_closed = false;
    for (const auto& [name, value] : request.switches) {
      (name == "wrap" ? rules.wrap : rules.queens_on_kings) = value == "yes";
      kings_closed |= name == "queens-on-kings" && value == "no";
    }
    if (rules.wrap && kings_closed) throw BadRequest("rule wrap implies queens-on-kings: it cannot be \"no\"");
    rules.queens_on_kings |= rules.wrap;
    return rules;
  }

  ReferenceSettings settings_;
  ReferenceSearch<GolfShape> reference_;
};

}  // namespace dealsweep
