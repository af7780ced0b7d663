// The variants of the inner loop, and the choice among them.
#include "edge_loop.hpp"

#include <bit>

#include "move_pair.hpp"

#ifdef __SSE2__
#include <emmintrin.h>
#endif
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define DEALSWEEP_AVX2 1
#include <immintrin.h>
#endif

namespace dealsweep::reference {

// What each variant does with lines: `holds`, `begin` with a line's first state, `add` one in front of the
// others unless the line is full. A line that is written is read again soon, and a load waits for a narrower
// store to its place until that has left the store buffer: so lines are written in the parts they are read in.

namespace portable {

#ifdef __SSE2__
inline bool holds(const Line& line, Local local) {
  const __m128i* parts = reinterpret_cast<const __m128i*>(&line);
  const __m128i wanted = _mm_set1_epi16(static_cast<short>(local));
  const auto match = [&](int i) { return _mm_cmpeq_epi16(_mm_load_si128(parts + i), wanted); };
  return _mm_movemask_epi8(
             _mm_or_si128(_mm_or_si128(match(0), match(1)), _mm_or_si128(match(2), match(3)))) != 0;
}

inline void begin(Line& line, Local local) {
  __m128i* parts = reinterpret_cast<__m128i*>(&line);
  _mm_store_si128(parts, _mm_cvtsi32_si128(local));
  for (int i = 1; i < 4; ++i) _mm_store_si128(parts + i, _mm_setzero_si128());
}

inline bool add(Line& line, Local local) {
  if (line.is_full()) return false;
  __m128i* parts = reinterpret_cast<__m128i*>(&line);
  __m128i before = _mm_set1_epi16(static_cast<short>(local));
  for (int i = 0; i < 4; ++i) {
    const __m128i part = _mm_load_si128(parts + i);
    _mm_store_si128(parts + i, _mm_or_si128(_mm_slli_si128(part, 2), _mm_srli_si128(before, 14)));
    before = part;
  }
  return true;
}
#else
inline bool holds(const Line& line, Local local) {
  return std::find(line.slots.begin(), line.slots.end(), local) != line.slots.end();
}

inline void begin(Line& line, Local local) { line = Line{{local}}; }

inline bool add(Line& line, Local local) {
  if (line.is_full()) return false;
  std::copy_backward(line.slots.begin(), line.slots.end() - 1, line.slots.end());
  line.slots.front() = local;
  return true;
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

inline void begin(Line& line, Local local) {
  __m256i* halves = reinterpret_cast<__m256i*>(&line);
  _mm256_store_si256(halves, _mm256_zextsi128_si256(_mm_cvtsi32_si128(local)));
  _mm256_store_si256(halves + 1, _mm256_setzero_si256());
}

inline bool add(Line& line, Local local) {
  if (line.is_full()) return false;
  __m256i* halves = reinterpret_cast<__m256i*>(&line);
  const __m256i low = _mm256_load_si256(halves), high = _mm256_load_si256(halves + 1);
  // The 16 bytes before each lane, of which the last two are shifted in.
  const __m256i added = _mm256_set1_epi16(static_cast<short>(local));
  const __m256i before_low = _mm256_permute2x128_si256(added, low, 0x20);
  const __m256i before_high = _mm256_permute2x128_si256(low, high, 0x21);
  _mm256_store_si256(halves, _mm256_alignr_epi8(low, before_low, 14));
  _mm256_store_si256(halves + 1, _mm256_alignr_epi8(high, before_high, 14));
  return true;
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
