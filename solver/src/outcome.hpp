// What a search says of a deal.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace dealsweep {

// A verdict is a theorem: `kWon` has a line that replays, `kLost` a complete search behind it
// (a game names it "unsolvable", or "cycle" where the game plays itself), `kExhausted` met a limit.
enum class Verdict : std::uint8_t { kWon, kLost, kExhausted };

// Why a deal is exhausted.
enum class Reason : std::uint8_t { kNone, kLimit, kMemory };

struct Outcome {
  static constexpr int kOwnColumns = 4;

  Verdict verdict = Verdict::kExhausted;
  Reason reason = Reason::kNone;
  std::uint64_t iterations = 0;
  std::uint64_t generated = 0;
  std::array<std::uint64_t, kOwnColumns> own{};  // the game's own columns, in its order; see kNull
  std::vector<std::uint8_t> solution;            // the winning line in the game's encoding, on request
};

// "No value" in a game's own column.
inline constexpr std::uint64_t kNull = ~std::uint64_t{0};

}  // namespace dealsweep
