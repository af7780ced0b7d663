// Perpetual Motion (Narcotic, First Law): a game without choices. The stock is dealt to four piles
// four cards at a time, equal tops are put together, four alike go, and the piles are the next stock.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string>

#include "../request.hpp"
#include "../search/perpetual_motion/paths.hpp"

namespace dealsweep {

// The own columns: `deals`, fours dealt in all passes counted; `tail` and `period` of the stock's
// cycle in passes (null unless the verdict is cycle); `cards_left`. `generated` is `deals` again.
// A win has no line to show: the rules play it.
class PerpetualMotion final : public GameSolver {
 public:
  static constexpr std::uint64_t kStandardLimit = 100'000;

  static const GameInfo& info() {
    static const GameInfo game{
        .name = "perpetual-motion",
        .title = "Perpetual Motion",
        .aliases = {"narcotic", "first-law"},
        .rules = {{"masten", "cascade to the left, discard four alike as dealt, piles joined 1234"},
                  {"clarke", "no cascade, to the left, discard four alike as dealt, piles joined 4321"},
                  {"cascade-ltr", "cascade to the left, discard four alike as dealt, piles joined 4321"},
                  {"snap-rtl", "no cascade, to the left, discard four alike as dealt, piles joined 1234"},
                  {"pysolfc-auto",
                   "cascade to the left, discard four alike on a pile too, piles joined 1234"},
                  {"right", "cascade to the right, discard four alike as dealt, piles joined 1234"}},
        .switches = {{"recursive",
                      {{"yes", ""}, {"no", ""}},
                      "whether cards uncovered by a move are looked at again"},
                     {"discard",
                      {{"dealt4", "four alike as dealt"}, {"pile4", "also four alike on top of one pile"}},
                      "which four cards are discarded"},
                     {"target", {{"left", ""}, {"right", ""}}, "the side whose pile equal tops go to"},
                     {"order",
                      {{"1234", ""}, {"4321", ""}},
                      "the order in which piles are joined, first dealt first"},
                     {"within",
                      {{"b2t", "bottom card first"}, {"t2b", "top card first"}},
                      "how each pile is dealt in the next pass"}},
        .searches = {{"fast", "plays every deal to its win or to a proved cycle"}},
        .prunes = {{"none", "no pruning"}},
        .verdicts = {"won", "cycle", "exhausted"},
        .iteration = "pass through the stock",
        .own_columns = {"deals", "tail", "period", "cards_left"},
        .make = [](const Request& request) -> std::unique_ptr<GameSolver> {
          return std::make_unique<PerpetualMotion>(request);
        },
    };
    return game;
  }

  // Rows are the same by every path.
  explicit PerpetualMotion(const Request& request, motion::Path path = motion::best_path())
      : rules_(rules_of(request)),
        player_(motion::player(rules_, path)),
        limit_(limit_of(request, kStandardLimit)),
        memory_cap_(request.memory_cap_bytes.value_or(std::uint64_t{1} << 20)),
        stop_(request.stop) {
    choose("search", info().searches, request.search);
    choose("prune", info().prunes, request.prune);
  }

  Board layout(const Deck& deck) const override {
    Board board;
    board.set_stock(deck);
    return board;
  }

  // Throws BadRequest for a board that is no stock of fours from one deck.
  void solve(std::span<const Board> boards, std::span<Outcome> outcomes) override {
    stocks_.clear();
    for (const Board& board : boards) stocks_.push_back(stock_of(board));
    player_(rules_, stocks_, outcomes, limit_, stop_);
  }

  std::vector<std::pair<std::string, std::string>> switches() const override {
    return {{"recursive", rules_.recursive ? "yes" : "no"},
            {"discard", rules_.pile4 ? "pile4" : "dealt4"},
            {"target", rules_.right ? "right" : "left"},
            {"order", rules_.last_first ? "4321" : "1234"},
            {"within", rules_.top_to_bottom ? "t2b" : "b2t"}};
  }

  std::uint64_t limit() const override { return limit_; }

  // Never met: a game keeps a few stocks and nothing else.
  std::uint64_t memory_cap_bytes() const override { return memory_cap_; }

 private:
  static motion::Rules named_rules(std::string_view name) {
    const std::size_t place = choose("rules", info().rules, name);
    constexpr std::array<motion::Rules, 6> kNamed{{{},
                                                   {.recursive = false, .last_first = true},
                                                   {.last_first = true},
                                                   {.recursive = false},
                                                   {.pile4 = true},
                                                   {.right = true}}};
    return kNamed[place];
  }

  static motion::Rules rules_of(const Request& request) {
    check_switches(info(), request);
    motion::Rules rules = named_rules(request.rules);
    for (const auto& [name, value] : request.switches) {
      if (name == "recursive") rules.recursive = value == "yes";
      if (name == "discard") rules.pile4 = value == "pile4";
      if (name == "target") rules.right = value == "right";
      if (name == "order") rules.last_first = value == "4321";
      if (name == "within") rules.top_to_bottom = value == "t2b";
    }
    return rules;
  }

  static motion::Stock stock_of(const Board& board) {
    if (board.pile_count != 0 || board.foundation_count != 0)
      throw BadRequest("a perpetual-motion board is a stock alone: no piles and no foundations");
    if (board.stock_count % 4 != 0)
      throw BadRequest("a perpetual-motion stock is dealt in fours, but has " +
                       std::to_string(board.stock_count) + " cards");
    const motion::Stock stock = motion::to_stock(board.stock());
    if (!all_different(board.stock()) && has_five_alike(stock))
      throw BadRequest("a perpetual-motion stock has at most four cards of a rank");
    return stock;
  }

  // Cards of one deck, which has no five of a rank: the cheap check, enough for whatever was dealt.
  static bool all_different(std::span<const Card> cards) {
    std::uint64_t seen = 0;
    for (Card card : cards) seen |= std::uint64_t{1} << (card & 63);
    return std::popcount(seen) == static_cast<int>(cards.size()) && seen >> kDeckSize == 0;
  }

  static bool has_five_alike(const motion::Stock& stock) {
    std::array<std::uint8_t, kRanks + 1> copies{};
    for (int i = 0; i < stock.count; ++i)
      if (++copies[stock.rank[i]] > kSuits) return true;
    return false;
  }

  motion::Rules rules_;
  motion::PlayMany player_;
  std::vector<motion::Stock> stocks_;
  std::uint64_t limit_;
  std::uint64_t memory_cap_;
  StopCheck stop_;
};

}  // namespace dealsweep
