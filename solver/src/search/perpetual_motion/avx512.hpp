// Perpetual Motion by AVX-512, for the rules that discard four alike as dealt and deal each pile bottom card
// first. Rows are those of the other paths, bit for bit. Nobody has measured its speed yet.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "../../instruction_set.hpp"
#include "portable.hpp"
#include "tables.hpp"

#ifdef DEALSWEEP_HAS_AVX2
#include <immintrin.h>

DEALSWEEP_BEGIN_AVX512
namespace dealsweep::motion::avx512 {
#include "vectors_avx512.inl"
#include "player_avx512.inl"
}  // namespace dealsweep::motion::avx512
DEALSWEEP_END_AVX512
#endif

namespace dealsweep::motion {

// The player for these rules; none where the build or the rules have none. To be called only where
// has_avx512().
inline PlayMany avx512_player([[maybe_unused]] const Rules& rules) {
#ifdef DEALSWEEP_HAS_AVX2
  return avx512::player(rules);
#else
  return nullptr;
#endif
}

}  // namespace dealsweep::motion
