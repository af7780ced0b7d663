// Perseverance: twelve piles of four, built down by suit, and redealt without a shuffle.
//
// A winning line has two bytes a move, the pile that a card or run leaves and the pile it goes to, or
// 0xFE for a foundation; and one byte 0xFF for a redeal. Piles are numbered from 0 as they lie since the
// last redeal, which closes up; a pile that has become empty keeps its number until then.
#pragma once

#include <algorithm>
#include <string>

#include "../request.hpp"
#include "../search/perseverance/engine.hpp"

namespace dealsweep {

// The layout, switches and search that Perseverance and Cruel share.
class PerseveranceFamily : public GameSolver {
 public:
  static constexpr int kPiles = 12;
  static constexpr std::uint64_t kMemoryCap = std::uint64_t{160} << 20;
  // Few redeals: more than any deal has needed. Many: what is open then mostly stays open for long.
  static constexpr std::uint64_t kFewRedealsLimit = 20'000'000, kManyRedealsLimit = 1'000'000;

  static std::vector<Switch> all_switches() {
    return {
        {"pickup",
         {{"bottom-first", "piles are picked up and cut from the bottom card on"},
          {"top-first", "each pile is picked up from its top, so that the first pile's top stays a top"}},
         "how a redeal joins the piles"},
        {"redeals", {}, "how many redeals there are, or unlimited"},
        {"redeal-when",
         {{"any-time", "while redeals are left"}, {"exhausted", "only when nothing can move"}},
         "when a redeal is allowed"},
        {"move-unit",
         {{"run", "the top card, or the whole run of its suit on top"}, {"single", "the top card only"}},
         "what moves onto another pile"},
    };
  }
  static std::vector<Choice> all_searches() {
    return {{"fast", "exact: proofs of loss, sampled play and complete search in turn"}};
  }
  static std::vector<Choice> all_prunes() {
    return {{"all", "every proved test of lost positions"}, {"none", "no pruning: for comparison, slow"}};
  }

  Board layout(const Deck& deck) const override {
    Board board;
    for (int suit = 0; suit < kSuits; ++suit) board.add_foundation(make_card(1, suit));
    Deck rest = deck;
    const auto end = std::remove_if(rest.begin(), rest.end(), [](Card card) { return rank_of(card) == 1; });
    deal_in_turn(board, {rest.begin(), end}, kPiles);
    return board;
  }

  void solve(std::span<const Board> boards, std::span<Outcome> outcomes) override {
    for (std::size_t i = 0; i < boards.size(); ++i) outcomes[i] = engine_.solve(boards[i], solutions_);
  }

  std::vector<std::pair<std::string, std::string>> switches() const override {
    return {{"pickup", rules_.top_first ? "top-first" : "bottom-first"},
            {"redeals", rules_.unlimited() ? "unlimited" : std::to_string(rules_.redeals)},
            {"redeal-when", rules_.exhausted ? "exhausted" : "any-time"},
            {"move-unit", rules_.single ? "single" : "run"}};
  }
  std::uint64_t limit() const override { return limit_; }
  std::uint64_t memory_cap_bytes() const override { return memory_cap_; }

 protected:
  PerseveranceFamily(const GameInfo& game, const Request& request, const perseverance::Rules& named)
      : rules_(switched(game, request, named)),
        limit_(limit_of(request, rules_.redeals < perseverance::kFewestMany ? kFewRedealsLimit
                                                                            : kManyRedealsLimit)),
        memory_cap_(request.memory_cap_bytes.value_or(kMemoryCap)),
        solutions_(request.solutions),
        engine_(rules_, pruning(game, request), {limit_, memory_cap_, request.stop}) {}

 private:
  // The named rules with the request's switches over them.
  static perseverance::Rules switched(const GameInfo& game, const Request& request,
                                      perseverance::Rules rules) {
    check_switches(game, request);
    choose("search", game.searches, request.search);
    bool about_redeals = false;
    for (const auto& [name, value] : request.switches) {
      if (name == "pickup") rules.top_first = value == "top-first", about_redeals = true;
      if (name == "redeal-when") rules.exhausted = value == "exhausted", about_redeals = true;
      if (name == "move-unit") rules.single = value == "single";
      if (name == "redeals") rules.redeals = redeals(value);
    }
    if (rules.redeals == 0 && about_redeals)
      throw BadRequest("rule redeals=0 contradicts pickup and redeal-when, which say how to redeal");
    return rules;
  }
  static unsigned redeals(const std::string& value) {
    constexpr std::uint64_t kMost = 1'000'000;
    if (value == "unlimited") return perseverance::kUnlimited;
    const std::uint64_t asked = number("rule redeals", value);
    if (asked > kMost) throw BadRequest("rule redeals \"" + value + "\" is too large: say unlimited");
    return static_cast<unsigned>(asked);
  }
  static perseverance::Pruning pruning(const GameInfo& game, const Request& request) {
    const bool all = choose("prune", game.prunes, request.prune) == 0;
    return {.dead_prefix = all, .abstraction = all};
  }

  perseverance::Rules rules_;
  std::uint64_t limit_, memory_cap_;
  bool solutions_;
  perseverance::Engine engine_;
};

class Perseverance final : public PerseveranceFamily {
 public:
  static const GameInfo& info() {
    static const GameInfo game{
        .name = "perseverance",
        .title = "Perseverance",
        .aliases = {},
        .rules = {{"bottom-first", "two redeals at any time, picked up from the bottom; runs move as a unit"},
                  {"top-first", "the same, each pile picked up from its top"},
                  {"single-card", "bottom-first, one card moves at a time"},
                  {"exhausted", "bottom-first, redeals only when nothing can move"}},
        .switches = all_switches(),
        .searches = all_searches(),
        .prunes = all_prunes(),
        .iteration = "node of a phase's decisions expanded",
        .own_columns = {"redeals"},
        .make = [](const Request& request) -> std::unique_ptr<GameSolver> {
          return std::make_unique<Perseverance>(request);
        },
    };
    return game;
  }

  explicit Perseverance(const Request& request)
      : PerseveranceFamily(info(), request, named(request)) {}

 private:
  static perseverance::Rules named(const Request& request) {
    const std::size_t rules = choose("rules", info().rules, request.rules);
    return {.top_first = rules == 1, .single = rules == 2, .exhausted = rules == 3, .redeals = 2};
  }
};

}  // namespace dealsweep
