// Perpetual Motion with no instructions but those of every CPU: several games in turn, under any rules.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "lanes.hpp"
#include "piles.hpp"

namespace dealsweep::motion {

// Plays starts[i] to outcomes[i]. Throws Stopped.
using PlayMany = void (*)(const Rules&, std::span<const Stock> starts, std::span<Outcome> outcomes,
                          std::uint64_t limit, StopCheck);

namespace portable {

#include "rounds.inl"

template <bool recursive, bool pile4>
PlayMany player(const Rules& rules) {
  return rules.right ? play_rounds<Piles<recursive, pile4, true>>
                     : play_rounds<Piles<recursive, pile4, false>>;
}

}  // namespace portable

inline PlayMany portable_player(const Rules& rules) {
  using namespace portable;
  if (rules.recursive) return rules.pile4 ? player<true, true>(rules) : player<true, false>(rules);
  return rules.pile4 ? player<false, true>(rules) : player<false, false>(rules);
}

}  // namespace dealsweep::motion
