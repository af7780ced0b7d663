// The variants of the inner loop, and the choice among them.
#include "edge_loop.hpp"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define DEALSWEEP_AVX2 1
#include <immintrin.h>
#endif

namespace dealsweep::reference {

namespace portable {

inline LineScan scan(const Line& line, Local local) {
  unsigned found = 0, filled = 0;
  for (const Local slot : line.slots) {
    found |= slot == local;
    filled += slot != 0;
  }
  return {found != 0, static_cast<int>(filled)};
}

#include "edge_loop_body.hpp"

}  // namespace portable

#ifdef DEALSWEEP_AVX2
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2,lzcnt,popcnt")
namespace avx2 {

inline LineScan scan(const Line& line, Local local) {
  const __m256i* halves = reinterpret_cast<const __m256i*>(&line);
  const __m256i low = _mm256_load_si256(halves), high = _mm256_load_si256(halves + 1);
  const __m256i wanted = _mm256_set1_epi16(static_cast<short>(local)), zero = _mm256_setzero_si256();
  const __m256i equal = _mm256_or_si256(_mm256_cmpeq_epi16(low, wanted), _mm256_cmpeq_epi16(high, wanted));
  // One byte a slot, in an order that counting does not mind.
  const __m256i free = _mm256_packs_epi16(_mm256_cmpeq_epi16(low, zero), _mm256_cmpeq_epi16(high, zero));
  return {_mm256_testz_si256(equal, equal) == 0,
          Line::kSlots - __builtin_popcount(static_cast<unsigned>(_mm256_movemask_epi8(free)))};
}

#include "edge_loop_body.hpp"

}  // namespace avx2
#pragma GCC pop_options
#endif

template <typename Shape>
EdgeLoop<Shape> portable_loop() {
  return {portable::search_below<Shape>, portable::put_state};
}

template <typename Shape>
EdgeLoop<Shape> best_loop() {
#ifdef DEALSWEEP_AVX2
  static const bool supported = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                                __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("lzcnt") &&
                                __builtin_cpu_supports("popcnt");
  if (supported) return {avx2::search_below<Shape>, avx2::put_state};
#endif
  return portable_loop<Shape>();
}

template EdgeLoop<BlackHoleShape> portable_loop();
template EdgeLoop<AllInARowShape> portable_loop();
template EdgeLoop<GolfShape> portable_loop();
template EdgeLoop<BlackHoleShape> best_loop();
template EdgeLoop<AllInARowShape> best_loop();
template EdgeLoop<GolfShape> best_loop();

}  // namespace dealsweep::reference
