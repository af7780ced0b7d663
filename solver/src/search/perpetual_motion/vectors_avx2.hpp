// What both vector paths begin with. Included between DEALSWEEP_BEGIN_AVX2 and DEALSWEEP_END_AVX2.

namespace dealsweep::motion::avx2 {

inline __m256i load(const void* from) { return _mm256_loadu_si256(static_cast<const __m256i*>(from)); }
inline void store(void* to, __m256i v) { _mm256_storeu_si256(static_cast<__m256i*>(to), v); }

// The fours in which every card changes places with its mirror image.
inline __m256i mirrored(__m256i cards) {
  const __m256i order = _mm256_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12, 3, 2, 1, 0, 7,
                                         6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12);
  return _mm256_shuffle_epi8(cards, order);
}

// In each 32-bit lane the weights of the pairs that are equal in its four cards, added up.
template <int w01, int w12, int w23, int w03, int w02, int w13>
inline __m256i likeness(__m256i cards) {
  const __m256i next = _mm256_setr_epi8(1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12, 1, 2, 3, 0, 5,
                                        6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12);
  const __m256i neighbours = _mm256_cmpeq_epi8(cards, _mm256_shuffle_epi8(cards, next));
  const __m256i others = _mm256_cmpeq_epi8(cards, _mm256_srli_epi32(cards, 16));
  // An equal pair is -1, so the sums are negative.
  const __m256i sums = _mm256_add_epi16(
      _mm256_maddubs_epi16(_mm256_set1_epi32(w01 | w12 << 8 | w23 << 16 | w03 << 24), neighbours),
      _mm256_maddubs_epi16(_mm256_set1_epi32(w02 | w13 << 8), others));
  return _mm256_madd_epi16(sums, _mm256_set1_epi16(-1));
}

}  // namespace dealsweep::motion::avx2
