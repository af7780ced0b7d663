// Every game there is.
#pragma once

#include <span>

#include "game.hpp"

namespace dealsweep {

std::span<const GameInfo* const> all_games();

// By name or alias. Throws BadRequest.
const GameInfo& find_game(std::string_view name);

}  // namespace dealsweep
