// The engine's headers are compiled once for each instruction set, every time in a namespace of
// its own: the linker must never take one variant's function for another's. The headers use no
// library templates, whose instantiations would be shared.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "engine.hpp"

#ifndef DEALSWEEP_VARIANT
#define DEALSWEEP_VARIANT portable
#endif

namespace dealsweep::fast_black_hole::DEALSWEEP_VARIANT {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

// The search spends its time in a handful of small functions, which the compiler would call.
#define DEALSWEEP_HOT inline __attribute__((always_inline))
#define DEALSWEEP_COLD __attribute__((noinline))

inline int lowest(u32 set) { return __builtin_ctz(set); }
inline int size_of(u32 set) { return __builtin_popcount(set); }

// The pruning rules, each of which a test can switch off.
struct Pruning {
  bool walk = true;       // counts of the walk's edges
  bool cut = true;        // piles against pairs of cut edges
  bool dominance = true;  // one of several piles that show the same rank
  bool closure = true;    // at the root, ranks ignoring counts
};

}  // namespace dealsweep::fast_black_hole::DEALSWEEP_VARIANT
