// The project's own search for Black Hole: exact, and by orders of magnitude faster than plain
// search. Decides every deal unless a limit is set.
#pragma once

#include <memory>

#include "../board.hpp"
#include "../game.hpp"

namespace dealsweep {

enum class InstructionSet : std::uint8_t { kBest, kPortable, kAvx2 };

class FastBlackHole {
 public:
  // The hardest of a million deals takes less than half; tables beyond 2 MB go back after a deal.
  static constexpr std::uint64_t kMemoryCapBytes = std::uint64_t{128} << 20;

  struct Settings {
    std::uint64_t limit = kNoLimit;  // iterations a deal
    std::uint64_t memory_cap_bytes = kMemoryCapBytes;
    bool solutions = false;
    StopCheck stop = nullptr;
    InstructionSet instructions = InstructionSet::kBest;
  };

  // Throws std::invalid_argument for an instruction set that is missing here.
  explicit FastBlackHole(const Settings& settings);
  ~FastBlackHole();

  // Up to 17 piles of up to three cards, at most four of a rank, and one foundation; throws
  // BadRequest for other boards, and Stopped. Each solution is replayed before it is believed.
  Outcome solve(const Board& board);

  std::uint64_t memory_cap_bytes() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace dealsweep
