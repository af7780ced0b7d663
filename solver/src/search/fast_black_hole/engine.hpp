// What the engine of the fast Black Hole search takes and gives: plain data, so that no library
// code is shared between the variants compiled for different instruction sets.
#pragma once

#include <cstdint>

#include "../../game.hpp"
#include "../../outcome.hpp"

namespace dealsweep::fast_black_hole {

inline constexpr int kMaxPiles = 17;
inline constexpr int kMaxHeight = 3;
inline constexpr int kMaxCards = kMaxPiles * kMaxHeight;

// A board as ranks 0..12, bottom card first. At most four cards of a rank lie in the piles.
struct Deal {
  int piles = 0;
  std::uint8_t height[kMaxPiles] = {};
  std::uint8_t rank[kMaxPiles][kMaxHeight] = {};
  std::uint8_t foundation = 0;
};

struct Limits {
  std::uint64_t iterations = kNoLimit;
  std::uint64_t memory_bytes = 0;
  StopCheck stop = nullptr;
};

struct Decision {
  Verdict verdict = Verdict::kExhausted;
  Reason reason = Reason::kNone;
  std::uint64_t iterations = 0;  // states expanded, over all engines
  std::uint64_t generated = 0;   // states made, over all engines
  int length = 0;                // of the winning line
  std::uint8_t line[kMaxCards] = {};
};

class Engine {
 public:
  virtual ~Engine() = default;

  // Throws Stopped; the engine can be used again afterwards.
  virtual void decide(const Deal& deal, Decision& decision) = 0;
};

// Compiled once, for any processor, whichever engine calls them.
[[noreturn]] void throw_stopped();
[[noreturn]] void throw_out_of_memory();

Engine* make_portable_engine(const Limits& limits);
Engine* make_avx2_engine(const Limits& limits);  // only where has_avx2()

}  // namespace dealsweep::fast_black_hole
