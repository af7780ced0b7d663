// The ways to play, from the simplest to the fastest.
#pragma once

#include <array>
#include <string_view>

#include "../../instruction_set.hpp"
#include "avx2.hpp"
#include "avx512.hpp"
#include "portable.hpp"

namespace dealsweep::motion {

// kSimple: a game after the other, a card after the other, the oracle of the others.
enum class Path { kSimple, kPortable, kAvx2, kAvx512 };

inline constexpr std::array<std::string_view, 4> kPathNames{"simple", "portable", "avx2", "avx512"};

inline Path best_path() {
  return has_avx512() ? Path::kAvx512 : has_avx2() ? Path::kAvx2 : Path::kPortable;
}

inline void play_simply(const Rules& rules, std::span<const Stock> starts, std::span<Outcome> outcomes,
                        std::uint64_t limit, StopCheck stop) {
  constexpr std::size_t kPollGames = 16;  // less than a millisecond
  for (std::size_t i = 0; i < starts.size(); ++i) {
    if (stop && i % kPollGames == kPollGames - 1 && stop()) throw Stopped();
    outcomes[i] = play(starts[i], rules, limit, stop);
  }
}

// The player of this path for these rules, or that of the next simpler path where it has none. The CPU must
// have the instructions, see best_path().
inline PlayMany player(const Rules& rules, Path path) {
  if (path == Path::kSimple || std::endian::native != std::endian::little) return play_simply;
  PlayMany fast = path == Path::kAvx512 ? avx512_player(rules) : nullptr;
  if (!fast && path >= Path::kAvx2) fast = avx2_player(rules);
  return fast ? fast : portable_player(rules);
}

}  // namespace dealsweep::motion
