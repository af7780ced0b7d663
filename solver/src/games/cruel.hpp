// Cruel: Perseverance with unlimited redeals, one card at a time. Lines are encoded as there.
#pragma once

#include "perseverance.hpp"

namespace dealsweep {

class Cruel final : public PerseveranceFamily {
 public:
  static const GameInfo& info() {
    static const GameInfo game{
        .name = "cruel",
        .title = "Cruel",
        .aliases = {},
        .rules = {{"top-first", "unlimited redeals, piles picked up from the top; single cards move"},
                  {"bottom-first", "the same, picked up from the bottom"},
                  {"relaxed", "top-first, and runs move as a unit"}},
        .switches = all_switches(),
        .searches = all_searches(),
        .prunes = all_prunes(),
        .iteration = "node of a phase's decisions expanded",
        .own_columns = {"redeals"},
        .make = [](const Request& request) -> std::unique_ptr<GameSolver> {
          return std::make_unique<Cruel>(request);
        },
    };
    return game;
  }

  explicit Cruel(const Request& request) : PerseveranceFamily(info(), request, named(request)) {}

 private:
  static perseverance::Rules named(const Request& request) {
    const std::size_t rules = choose("rules", info().rules, request.rules);
    return {.top_first = rules != 1, .single = rules != 2, .redeals = perseverance::kUnlimited};
  }
};

}  // namespace dealsweep
