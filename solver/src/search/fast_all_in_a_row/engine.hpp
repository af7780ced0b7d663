// What the engine of the fast All in a Row search takes and gives: plain data, so that no library
// code is shared between the variants compiled for different instruction sets.
#pragma once

#include <cstdint>

#include "../fast_black_hole/engine.hpp"

namespace dealsweep::fast_all_in_a_row {

using fast_black_hole::Limits;

inline constexpr int kMaxPiles = 13, kMaxHeight = 4, kMaxCards = kMaxPiles * kMaxHeight;
inline constexpr int kEmptyFoundation = 13;
// Each direction has a memo of fixed size, and a table of dead states that begins small.
inline constexpr int kMemoBits = 12;
inline constexpr std::uint64_t kMemoBytes = std::uint64_t{32} << kMemoBits;

// A board as ranks 0..12, bottom card first. At most four cards of a rank lie in the piles.
struct Deal {
  int piles = 0;
  std::uint8_t height[kMaxPiles] = {};
  std::uint8_t rank[kMaxPiles][kMaxHeight] = {};
  std::uint8_t foundation = kEmptyFoundation;
};

struct Decision {
  Verdict verdict = Verdict::kExhausted;
  Reason reason = Reason::kNone;
  std::uint64_t iterations = 0;  // states expanded, in both directions
  std::uint64_t generated = 0;   // states made, in both directions
  int length = 0;                // of the winning line
  std::uint8_t line[kMaxCards] = {};
};

// The rules that drop states, each on or off for the tests; and the directions that are searched.
struct Pruning {
  bool walk = true, cut = true, dominance = true;
  bool forward = true, reverse = true;
};

class Engine {
 public:
  virtual ~Engine() = default;

  // Throws Stopped; the engine can be used again afterwards.
  virtual void decide(const Deal& deal, Decision& decision) = 0;
};

Engine* make_portable_engine(const Limits& limits, const Pruning& pruning);
Engine* make_avx2_engine(const Limits& limits, const Pruning& pruning);  // only where has_avx2()

}  // namespace dealsweep::fast_all_in_a_row
