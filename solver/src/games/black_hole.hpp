// Black Hole: 17 piles around one foundation that builds up or down, ace and king being neighbours.
#pragma once

#include <algorithm>

#include "../request.hpp"
#include "../search/fast_black_hole.hpp"
#include "../search/reference.hpp"

namespace dealsweep {

// A winning line has one byte a move: the index of the pile whose top card is played.
class BlackHole final : public GameSolver {
 public:
  static constexpr int kPiles = 17;
  static constexpr GolfRules kRules{.wrap = true, .queens_on_kings = true};

  static const GameInfo& info() {
    static const GameInfo game{
        .name = "black-hole",
        .title = "Black Hole",
        .aliases = {},
        .rules = {{"standard", "build up or down, ace and king adjacent, suits ignored"}},
        .switches = {},
        .searches = {{"fast", "exact, several engines in turn"},
                     {"reference", "the published depth-first search, with its iteration counts"}},
        .prunes = {{"none", "no pruning"},
                   {"rank-reach", "reference only: cut states whose ranks left cannot all be reached"}},
        .iteration = "state expanded",
        .own_columns = {},
        .make = [](const Request& request) -> std::unique_ptr<GameSolver> {
          return std::make_unique<BlackHole>(request);
        },
    };
    return game;
  }

  explicit BlackHole(const Request& request) : settings_(read(request)), reference_(settings_) {
    if (choose("search", info().searches, request.search) == 0) fast_ = make_fast(request);
  }

  Board layout(const Deck& deck) const override {
    constexpr Card kAceOfSpades = make_card(1, kSpades);
    Deck rest = deck;
    const auto end = std::remove(rest.begin(), rest.end(), kAceOfSpades);
    Board board;
    board.add_foundation(kAceOfSpades);
    deal_in_turn(board, {rest.begin(), end}, kPiles);
    return board;
  }

  void solve(std::span<const Board> boards, std::span<Outcome> outcomes) override {
    for (std::size_t i = 0; fast_ && i < boards.size(); ++i) outcomes[i] = fast_->solve(boards[i]);
    for (std::size_t i = 0; !fast_ && i < boards.size(); ++i) outcomes[i] = reference_.solve(boards[i]);
  }

  std::vector<std::pair<std::string, std::string>> switches() const override { return {}; }
  std::uint64_t limit() const override { return settings_.limit; }
  std::uint64_t memory_cap_bytes() const override {
    return fast_ ? fast_->memory_cap_bytes() : settings_.memory_cap_bytes;
  }

 private:
  static ReferenceSettings read(const Request& request) {
    check_switches(info(), request);
    choose("rules", info().rules, request.rules);
    const bool fast = choose("search", info().searches, request.search) == 0;
    const bool rank_reach = choose("prune", info().prunes, request.prune) == 1;
    if (fast && rank_reach) throw BadRequest("prune rank-reach needs search reference: fast has cuts of its own");
    return reference_settings(request, kRules, rank_reach);
  }

  static std::unique_ptr<FastBlackHole> make_fast(const Request& request) {
    FastBlackHole::Settings settings;
    settings.limit = limit_of(request, kNoLimit);
    settings.memory_cap_bytes = request.memory_cap_bytes.value_or(FastBlackHole::kMemoryCapBytes);
    settings.solutions = request.solutions;
    settings.stop = request.stop;
    return std::make_unique<FastBlackHole>(settings);
  }

  ReferenceSettings settings_;
  ReferenceSearch<BlackHoleShape> reference_;
  std::unique_ptr<FastBlackHole> fast_;  // null: the reference search is wanted
};

}  // namespace dealsweep
