// What a solver of Bisley is told, and what it keeps.
#pragma once

#include <vector>

#include "../../game.hpp"
#include "state_set.hpp"

namespace dealsweep::bisley {

// Which of the proved rules are in force; a test takes each of them away.
struct Rules {
  bool same_position = true;
  bool safe_releases = true;
  bool bottom_rule = true;
  bool closure = true;
  bool regions = true;
  bool freezing = true;
  bool dive = true;
};

struct Bounds {
  std::uint64_t limit = kNoLimit, memory_cap = kNoLimit;
  StopCheck stop = nullptr;
};

enum class Found : std::uint8_t { kWon, kLost, kLimit, kMemory };

// Cells released, in order.
struct Line {
  std::array<std::uint8_t, kDeckSize> cells;
  int length = 0;

  void add(int cell) { cells[length++] = static_cast<std::uint8_t>(cell); }
};

// Moves in the solution's encoding. A release moves every card of a suit twice at most.
struct Moves {
  std::array<std::uint8_t, 2 * kDeckSize * (2 * kRanks + 1)> bytes;
  std::size_t size = 0;

  void add(int from, int to) {
    bytes[size++] = static_cast<std::uint8_t>(from);
    bytes[size++] = static_cast<std::uint8_t>(to);
  }
};

// Where a move goes when not to a pile.
inline constexpr std::uint8_t kAceFoundation = 0xfe, kKingFoundation = 0xfd;

// Kept from deal to deal for its memory alone.
struct Scratch {
  StateSet seen;
  Line line;
  Moves moves;
};

// What an engine says of a deal; a win has its moves in the scratch memory.
struct Decision {
  Found found;
  std::uint64_t iterations, generated;
};

}  // namespace dealsweep::bisley
