// A pass without cascades, for AVX2. Included between DEALSWEEP_BEGIN_AVX2 and DEALSWEEP_END_AVX2.

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

// A pass without cascades is a stable partition of the stock by pile: each pair of fours is split by one
// byte shuffle into what goes to each pile, and the parts are written one behind the other. A part
// is eight bytes with zeros at the end, which the next one covers.
template <bool last_first, bool right>
class Partition {
 public:
  static constexpr std::size_t kLanes = 4;

  // From `in`, zeros behind its cards, to `out`.
  void play(const std::uint8_t* in, int count, std::uint8_t* out) { left_ = pass(in, count, out); }

  // The number of cards left.
  int finish(const Rules&, const std::uint8_t*) const { return left_; }

 private:
  static int pass(const std::uint8_t* in, int count, std::uint8_t* out) {
    alignas(32) std::uint8_t cards[64];
    alignas(32) std::uint64_t entries[8];
    for (int half = 0; half < 2; ++half) {
      __m256i x = load(in + 32 * half);
      if constexpr (right) {
        x = mirrored(x);
        store(cards + 32 * half, x);
      }
      const __m256i codes = _mm256_and_si256(likeness<1, 2, 12, 8, 3, 11>(x), _mm256_set1_epi32(15));
      const __m256i joined = _mm256_or_si256(codes, _mm256_srli_epi64(codes, 28));
      static_assert(sizeof(PairOfFours) == 64);
      store(entries + 4 * half, _mm256_slli_epi32(joined, 6));
    }
    const std::uint8_t* from = right ? cards : in;
    switch ((count + 7) / 8) {
      case 7:
        return split<7>(from, entries, out);
      case 6:
        return split<6>(from, entries, out);
      case 5:
        return split<5>(from, entries, out);
      case 4:
        return split<4>(from, entries, out);
      case 3:
        return split<3>(from, entries, out);
      case 2:
        return split<2>(from, entries, out);
      default:
        return split<1>(from, entries, out);
    }
  }

  template <int parts>
  static int split(const std::uint8_t* cards, const std::uint64_t* entries, std::uint8_t* out) {
    const auto* table = reinterpret_cast<const char*>(kPairsOfFours.data());
    std::uint32_t entry[parts];
    __m256i split[parts];
#pragma GCC unroll 7
    for (int i = 0; i < parts; ++i) {
      entry[i] = static_cast<std::uint32_t>(entries[i]);
      long long eight;
      std::memcpy(&eight, cards + 8 * i, 8);
      split[i] = _mm256_shuffle_epi8(_mm256_set1_epi64x(eight), load(table + entry[i]));
    }
    std::uint8_t* to = out;
    const auto write = [&]<int pile>() {
#pragma GCC unroll 7
      for (int i = 0; i < parts; ++i) {
        const __m128i half =
            pile < 2 ? _mm256_castsi256_si128(split[i]) : _mm256_extracti128_si256(split[i], 1);
        if constexpr (pile % 2 == 0)
          _mm_storel_epi64(reinterpret_cast<__m128i*>(to), half);
        else
          _mm_storeh_pi(reinterpret_cast<__m64*>(to), _mm_castsi128_ps(half));
        std::uint64_t n;
        std::memcpy(&n, table + entry[i] + offsetof(PairOfFours, counts) + 8 * pile, 8);
        to += n;
      }
    };
    if constexpr (last_first)
      write.template operator()<3>(), write.template operator()<2>(), write.template operator()<1>(),
          write.template operator()<0>();
    else
      write.template operator()<0>(), write.template operator()<1>(), write.template operator()<2>(),
          write.template operator()<3>();
    std::memset(to, 0, 8);
    return static_cast<int>(to - out);
  }

  int left_ = 0;
};
