// Sixteen bytes, one a foundation rank, and the few operations on them: lanes_plain.hpp in AVX2
// intrinsics, function by function. Included inside a namespace, under the target pragma.

struct Lanes {
  __m128i v;
};

inline Lanes load(const std::uint8_t* from) {
  return {_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))};
}

inline Lanes load_row(const std::uint8_t* from) {
  return {_mm_or_si128(load(from).v, _mm_set_epi32(static_cast<int>(0xffffff00u), 0, 0, 0))};
}

inline void store(std::uint8_t* to, const Lanes& lanes) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), lanes.v);
}

inline Lanes lesser(const Lanes& a, const Lanes& b) { return {_mm_min_epu8(a.v, b.v)}; }

inline unsigned least(const Lanes& a) {
  const __m128i pairs = _mm_min_epu8(a.v, _mm_srli_epi16(a.v, 8));
  return static_cast<unsigned>(
             _mm_cvtsi128_si32(_mm_minpos_epu16(_mm_and_si128(pairs, _mm_set1_epi16(255))))) &
         255u;
}

inline unsigned greatest(const Lanes& a) {
  const Lanes turned{_mm_sub_epi8(_mm_set1_epi8(-2), a.v)};  // 254 - a: kNever becomes 255
  return 254u - least(turned);
}

inline Lanes arranged(const Lanes& a, const Lanes& index) { return {_mm_shuffle_epi8(a.v, index.v)}; }

inline Lanes up_to(const Lanes& a, unsigned most) {
  const __m128i bound = _mm_set1_epi8(static_cast<char>(most));
  const __m128i fits = _mm_cmpeq_epi8(_mm_min_epu8(a.v, bound), a.v);
  return {_mm_or_si128(a.v, _mm_xor_si128(fits, _mm_set1_epi8(-1)))};
}

inline unsigned present(const Lanes& a) {
  return static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(a.v, _mm_set1_epi8(-1)))) ^ 0xffffu;
}

inline Lanes kept(const Lanes& a, unsigned mask) {
  const __m128i bits = _mm_set1_epi64x(static_cast<long long>(0x8040201008040201u));
  const __m128i spread = _mm_shuffle_epi8(_mm_cvtsi32_si128(static_cast<int>(mask)),
                                          _mm_set_epi32(0x01010101, 0x01010101, 0, 0));
  const __m128i dropped = _mm_cmpeq_epi8(_mm_and_si128(spread, bits), _mm_setzero_si128());
  return {_mm_or_si128(a.v, dropped)};
}

inline Lanes from_bytes(std::uint64_t bytes) {
  return {_mm_set_epi64x(0x0f0f0f0f0f0f0f0f, static_cast<long long>(bytes))};
}

inline unsigned equal_bytes(const Lanes& a, unsigned value) {
  return static_cast<unsigned>(
      _mm_movemask_epi8(_mm_cmpeq_epi8(a.v, _mm_set1_epi8(static_cast<char>(value)))));
}

template <int kWidth>
struct Sum {
  static constexpr int kRegisters = kWidth / 32;
  __m256i v[kRegisters];

  static __m256i part(const std::int8_t* from, int i) {
    return _mm256_load_si256(reinterpret_cast<const __m256i*>(from) + i);
  }
  Sum(const std::int8_t* a, const std::int8_t* b, const std::int8_t* c) {
    for (int i = 0; i < kRegisters; ++i)
      v[i] = _mm256_add_epi8(_mm256_add_epi8(part(a, i), part(b, i)), part(c, i));
  }
  bool any_exceeds(const std::int8_t* a, const std::int8_t* b) const {
    __m256i greater = _mm256_cmpgt_epi8(_mm256_sub_epi8(v[0], part(a, 0)), part(b, 0));
    for (int i = 1; i < kRegisters; ++i)
      greater = _mm256_or_si256(greater, _mm256_cmpgt_epi8(_mm256_sub_epi8(v[i], part(a, i)), part(b, i)));
    return !_mm256_testz_si256(greater, greater);
  }
  int slack_below(const std::int8_t* a, const std::int8_t* b) const {
    __m256i total = _mm256_setzero_si256();
    for (int i = 0; i < kRegisters; ++i) {
      const __m256i slack = _mm256_sub_epi8(_mm256_add_epi8(part(a, i), part(b, i)), v[i]);
      const __m256i capped =
          _mm256_min_epi8(_mm256_max_epi8(slack, _mm256_setzero_si256()), _mm256_set1_epi8(5));
      total = _mm256_add_epi64(total, _mm256_sad_epu8(capped, _mm256_setzero_si256()));
    }
    const __m128i half = _mm_add_epi64(_mm256_castsi256_si128(total), _mm256_extracti128_si256(total, 1));
    return _mm_cvtsi128_si32(half) + _mm_extract_epi32(half, 2);
  }
};
