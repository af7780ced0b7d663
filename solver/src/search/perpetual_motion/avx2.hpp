// Perpetual Motion in vector registers, for the rules that discard four alike as dealt and deal each pile
// bottom card first. Rows are those of the plain path, bit for bit.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "../../instruction_set.hpp"
#include "play.hpp"
#include "tables.hpp"

#ifdef DEALSWEEP_HAS_AVX2
#include <immintrin.h>

DEALSWEEP_BEGIN_AVX2
#include "vectors_avx2.hpp"
// Engines.
#include "cascade_avx2.hpp"
#include "partition_avx2.hpp"
// What plays them.
#include "lanes_avx2.hpp"
#include "cascade_lanes_avx2.hpp"
DEALSWEEP_END_AVX2
#endif

namespace dealsweep::motion {

using PlayMany = void (*)(std::span<const Stock>, std::span<Outcome>, std::uint64_t limit, StopCheck);

// The player for these rules; none where the build or the rules have none. To be called only where the
// CPU has AVX2.
inline PlayMany avx2_player([[maybe_unused]] const Rules& rules) {
#ifdef DEALSWEEP_HAS_AVX2
  if (rules.pile4 || rules.top_to_bottom) return nullptr;
  using namespace avx2;
  if (rules.recursive) {
    if (rules.right)
      return rules.last_first ? play_cascades<Cascade<false, true>> : play_cascades<Cascade<true, true>>;
    return rules.last_first ? play_cascades<Cascade<true, false>> : play_cascades<Cascade<false, false>>;
  }
  if (rules.right)
    return rules.last_first ? play_partitions<Partition<false, true>>
                            : play_partitions<Partition<true, true>>;
  return rules.last_first ? play_partitions<Partition<true, false>>
                          : play_partitions<Partition<false, false>>;
#else
  return nullptr;
#endif
}

}  // namespace dealsweep::motion
