#include "registry.hpp"

#include "games/all_in_a_row.hpp"
#include "games/bisley.hpp"
#include "games/black_hole.hpp"
#include "games/cruel.hpp"
#include "games/golf.hpp"
#include "games/perpetual_motion.hpp"
#include "games/perseverance.hpp"
#include "request.hpp"

namespace dealsweep {

std::span<const GameInfo* const> all_games() {
  static const std::array games{
      &BlackHole::info(),
      &AllInARow::info(),
      &Golf::info(),
      &PerpetualMotion::info(),
      &Bisley::info(),
      &Perseverance::info(),
      &Cruel::info(),
  };
  return games;
}

const GameInfo& find_game(std::string_view name) {
  std::string names;
  for (const GameInfo* game : all_games()) {
    if (game->name == name) return *game;
    for (std::string_view alias : game->aliases)
      if (alias == name) return *game;
    names.append(names.empty() ? "" : ", ").append(game->name);
  }
  throw BadRequest("unknown game \"" + std::string(name) + "\": it is one of " + names);
}

}  // namespace dealsweep
