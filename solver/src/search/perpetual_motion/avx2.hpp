// Perpetual Motion in vector registers, for the rules without cascades that discard four alike as dealt and
// deal each pile bottom card first. Rows are those of the other paths, bit for bit.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "../../instruction_set.hpp"
#include "portable.hpp"
#include "tables.hpp"

#ifdef DEALSWEEP_HAS_AVX2
#include <immintrin.h>

DEALSWEEP_BEGIN_AVX2
namespace dealsweep::motion::avx2 {
#include "partition_avx2.inl"
#include "rounds.inl"
}  // namespace dealsweep::motion::avx2
DEALSWEEP_END_AVX2
#endif

namespace dealsweep::motion {

// The player for these rules; none where the build or the rules have none. To be called only where the
// CPU has AVX2.
inline PlayMany avx2_player([[maybe_unused]] const Rules& rules) {
#ifdef DEALSWEEP_HAS_AVX2
  if (rules.recursive || rules.pile4 || rules.top_to_bottom) return nullptr;
  using namespace avx2;
  if (rules.right)
    return rules.last_first ? play_rounds<Partition<false, true>> : play_rounds<Partition<true, true>>;
  return rules.last_first ? play_rounds<Partition<true, false>> : play_rounds<Partition<false, false>>;
#else
  return nullptr;
#endif
}

}  // namespace dealsweep::motion
