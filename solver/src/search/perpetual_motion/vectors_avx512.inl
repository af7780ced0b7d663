// The operations of the AVX-512 paths by the instructions themselves. Included between DEALSWEEP_BEGIN_AVX512
// and DEALSWEEP_END_AVX512, inside a namespace; the tests have the same operations in plain code, so that the
// paths can be tried where the instructions are missing.
//
// Some are the masked forms with every bit set, which compile to the same instructions: of the plain forms
// GCC 12 says that they use something uninitialized.

using Vector = __m512i;

inline constexpr __mmask8 kEveryWord = 0xff;
inline constexpr __mmask64 kEveryByte = ~__mmask64{0};

inline Vector load(const void* from) { return _mm512_loadu_si512(from); }
inline void store(void* to, Vector v) { _mm512_storeu_si512(to, v); }

inline Vector all_bytes(int byte) { return _mm512_set1_epi8(static_cast<char>(byte)); }
inline Vector all_words(std::uint64_t word) { return _mm512_set1_epi64(static_cast<long long>(word)); }
inline Vector none() { return _mm512_setzero_si512(); }

inline Vector either(Vector a, Vector b) { return _mm512_or_si512(a, b); }
inline Vector differing(Vector a, Vector b) { return _mm512_xor_si512(a, b); }
// The bits of `a` where `mask` has ones, and of `b` elsewhere.
inline Vector merged(Vector mask, Vector a, Vector b) { return _mm512_ternarylogic_epi64(mask, a, b, 0xca); }

// 64 bytes.
inline std::uint64_t equal_bytes(Vector a, Vector b) { return _mm512_cmpeq_epi8_mask(a, b); }
inline std::uint64_t bytes_without(Vector a, Vector bits) { return _mm512_testn_epi8_mask(a, bits); }
inline Vector kept_bytes(std::uint64_t mask, Vector v) { return _mm512_maskz_mov_epi8(mask, v); }
inline Vector compressed_bytes(std::uint64_t mask, Vector v) { return _mm512_maskz_compress_epi8(mask, v); }
// Byte i is byte order[i] mod 64 of `v`.
inline Vector bytes_at(Vector order, Vector v) { return _mm512_maskz_permutexvar_epi8(kEveryByte, order, v); }

// 16 words of 32 bits.
template <int bits>
Vector rotated_up(Vector v) {
  return _mm512_maskz_rol_epi32(__mmask16{0xffff}, v, bits);
}

// 8 words of 64 bits; a mask has a bit a word.
inline unsigned words_with(Vector a, Vector bits) { return _mm512_test_epi64_mask(a, bits); }
inline Vector chosen(unsigned mask, Vector a, Vector b) {  // a where the mask has ones
  return _mm512_mask_mov_epi64(b, static_cast<__mmask8>(mask), a);
}
inline Vector sum(Vector a, Vector b) { return _mm512_add_epi64(a, b); }
inline Vector difference(Vector a, Vector b) { return _mm512_sub_epi64(a, b); }
inline Vector byte_sums(Vector v) { return _mm512_sad_epu8(v, _mm512_setzero_si512()); }
inline Vector leading_zeros(Vector v) { return _mm512_maskz_lzcnt_epi64(kEveryWord, v); }
// In every word, byte i is the eight bits of it from bit offset[i] on, round the end.
inline Vector bits_at(Vector offset, Vector v) {
  return _mm512_maskz_multishift_epi64_epi8(kEveryByte, offset, v);
}
template <int bits>
Vector up(Vector v) {
  return _mm512_maskz_slli_epi64(kEveryWord, v, bits);
}
template <int bits>
Vector down(Vector v) {
  return _mm512_maskz_srli_epi64(kEveryWord, v, bits);
}
// By a number of bits for each word; all of them lost from 64 on.
inline Vector up(Vector v, Vector bits) { return _mm512_maskz_sllv_epi64(kEveryWord, v, bits); }
inline Vector down(Vector v, Vector bits) { return _mm512_maskz_srlv_epi64(kEveryWord, v, bits); }
// The same modulo 64, with what comes in taken from a second word: its highest bits, or its lowest.
inline Vector up_with(Vector v, Vector in, Vector bits) { return _mm512_shldv_epi64(v, in, bits); }
inline Vector down_with(Vector v, Vector in, Vector bits) { return _mm512_shrdv_epi64(v, in, bits); }
template <int bits>
Vector up_with(Vector v, Vector in) {
  return _mm512_shldi_epi64(v, in, bits);
}
