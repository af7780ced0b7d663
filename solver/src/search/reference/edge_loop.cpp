// The variants of the inner loop, and the choice among them.
#include "edge_loop.hpp"

#include <bit>
#include <optional>

#include "move_pair.hpp"

#ifdef __SSE2__
#include <emmintrin.h>
#endif
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define DEALSWEEP_AVX2 1
#include <immintrin.h>
#endif

namespace dealsweep::reference {

namespace portable {

#ifdef __SSE2__
inline bool holds(const Line& line, Local local) {
  const __m128i* parts = reinterpret_cast<const __m128i*>(&line);
  const __m128i wanted = _mm_set1_epi16(static_cast<short>(local));
  const auto match = [&](int i) { return _mm_cmpeq_epi16(_mm_load_si128(parts + i), wanted); };
  return _mm_movemask_epi8(
             _mm_or_si128(_mm_or_si128(match(0), match(1)), _mm_or_si128(match(2), match(3)))) != 0;
}

inline unsigned free_slots(const Line& line) {
  const __m128i* parts = reinterpret_cast<const __m128i*>(&line);
  const auto free = [&](int i) { return _mm_cmpeq_epi16(_mm_load_si128(parts + i), _mm_setzero_si128()); };
  const unsigned low = static_cast<unsigned>(_mm_movemask_epi8(_mm_packs_epi16(free(0), free(1))));
  const unsigned high = static_cast<unsigned>(_mm_movemask_epi8(_mm_packs_epi16(free(2), free(3))));
  const unsigned mask = low | high << 16;  // slots from the left, so that the free ones are on top
  return mask == 0 ? 0 : 32 - static_cast<unsigned>(__builtin_ctz(mask));
}
#else
inline bool holds(const Line& line, Local local) {
  return std::find(line.slots.begin(), line.slots.end(), local) != line.slots.end();
}

inline unsigned free_slots(const Line& line) {
  return static_cast<unsigned>(line.slots.end() - std::find(line.slots.begin(), line.slots.end(), 0));
}
#endif

inline void move_pair(const Line* from, std::uint32_t count, int g, Line* to, std::uint32_t first) {
  move_pair_plainly(from, count, g, to, first);
}

#include "edge_loop_body.hpp"

}  // namespace portable

#ifdef DEALSWEEP_AVX2
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2,lzcnt,popcnt")
namespace avx2 {

inline bool holds(const Line& line, Local local) {
  const __m256i* halves = reinterpret_cast<const __m256i*>(&line);
  const __m256i wanted = _mm256_set1_epi16(static_cast<short>(local));
  const __m256i equal = _mm256_or_si256(_mm256_cmpeq_epi16(_mm256_load_si256(halves), wanted),
                                        _mm256_cmpeq_epi16(_mm256_load_si256(halves + 1), wanted));
  return _mm256_testz_si256(equal, equal) == 0;
}

inline unsigned free_slots(const Line& line) {
  const __m256i* halves = reinterpret_cast<const __m256i*>(&line);
  const auto free = [&](int i) {
    return _mm256_cmpeq_epi16(_mm256_load_si256(halves + i), _mm256_setzero_si256());
  };
  // One bit a slot, in an order that counting does not mind.
  const int mask = _mm256_movemask_epi8(_mm256_packs_epi16(free(0), free(1)));
  return static_cast<unsigned>(__builtin_popcount(static_cast<unsigned>(mask)));
}

#include "move_pair_avx2.inl"

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
