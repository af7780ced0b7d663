// A pass with cascades. Included between DEALSWEEP_BEGIN_AVX2 and DEALSWEEP_END_AVX2.

namespace dealsweep::motion::avx2 {

// The four piles are the four 64-bit lanes of one register, nibbles with the top in the lowest. Ranks
// are 0..12; 13, 14, 15 lie below piles 2, 3, 4, so that an empty pile equals nothing. Pile 1 needs no mark,
// being empty only before the first push; nothing ever leaves it, so its cards go straight to where the
// next stock will have them, and only the top of its lane means anything. The other piles hold 15 cards; more
// push the mark out, which shows in the end, and the plain path plays the pass again.
template <bool last_first, bool right>
struct Cascade {
  static constexpr std::size_t kGamesInTurn = 2;
  static constexpr Rules kRules{.recursive = true, .right = right, .last_first = last_first != right};

  // A rank is kept as two equal nibbles.
  static std::uint8_t code(std::uint8_t rank) { return static_cast<std::uint8_t>((rank - 1) * 0x11); }
  static std::uint8_t rank(std::uint8_t code) { return static_cast<std::uint8_t>((code & 15) + 1); }

  // From `in` to `out`; the number of cards left.
  static int pass(const std::uint8_t* in, int count, std::uint8_t* out) {
    alignas(32) std::uint8_t cards[64];
    alignas(32) std::uint8_t copies[256];
    alignas(32) std::uint32_t entries[16];
    const std::uint8_t* hands = right ? cards : in;
    for (int half = 0; half < 2; ++half) {
      __m256i x = load(in + 32 * half);
      if constexpr (right) {
        x = mirrored(x);
        store(cards + 32 * half, x);
      }
      static_assert(sizeof(Push) == 128);
      store(entries + 8 * half, _mm256_slli_epi32(likeness<1, 2, 4, 8, 16, 32>(x), 7));
      store(copies + 32 * half, copies_of_first(x));
    }
    // Pile 1 grows where it will lie, unless others lie before it.
    alignas(32) std::uint8_t first_pile[64];
    std::uint8_t* const bottom = last_first ? first_pile : out;
    std::uint8_t* end = bottom;
    // A card moves to the left three times at most, so more moves than this come of a lost mark.
    int moves = 3 * Stock::kMost;
    __m256i piles = _mm256_setr_epi64x(0, 13, 14, 15);
    const auto* deals = reinterpret_cast<const char*>(kDeals.data());
    for (int four = 0; four < count / 4; ++four) {
      const char* deal = deals + entries[four];
      std::memcpy(end, copies + 4 * four, 4);
      end += number(deal + offsetof(Push, first));
      const __m256i fresh = _mm256_and_si256(spread(hands + 4 * four), load(deal + offsetof(Push, room)));
      piles = _mm256_or_si256(_mm256_sllv_epi64(piles, load(deal + offsetof(Push, up))), fresh);
      while (const unsigned pairs = equal_tops(piles)) {
        if (--moves == 0) [[unlikely]] return replay(in, count, out);
        end += move(piles, pairs & 63);
      }
    }
    const int height = static_cast<int>(end - bottom);
    const int left = join(piles, first_pile, height, out);
    return left >= 0 ? left : replay(in, count, out);
  }

 private:
  static std::uint64_t number(const char* at) {
    std::uint64_t n;
    std::memcpy(&n, at, 8);
    return n;
  }

  // The first card of each four in all four bytes.
  static __m256i copies_of_first(__m256i x) {
    const __m256i order = _mm256_setr_epi8(0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12, 0, 0, 0, 0, 4, 4, 4, 4, 8,
                                           8, 8, 8, 12, 12, 12, 12);
    return _mm256_shuffle_epi8(x, order);
  }

  // Card p of four in every nibble of the low 32 bits of lane p.
  static __m256i spread(const std::uint8_t* four) {
    const __m256i order = _mm256_setr_epi8(0, 0, 0, 0, -1, -1, -1, -1, 1, 1, 1, 1, -1, -1, -1, -1, 2, 2, 2, 2, -1, -1, -1,
                                           -1, 3, 3, 3, 3, -1, -1, -1, -1);
    int word;
    std::memcpy(&word, four, 4);
    return _mm256_shuffle_epi8(_mm256_set1_epi32(word), order);
  }

  // The likeness of the four tops in bits 0..5; bits 6 and 7 repeat bits 4 and 5.
  static unsigned equal_tops(__m256i piles) {
    const __m256i tops = _mm256_and_si256(piles, _mm256_set1_epi64x(15));
    const __m256i one = _mm256_permutevar8x32_epi32(tops, _mm256_setr_epi32(0, 2, 4, 0, 0, 2, 0, 2));
    const __m256i other = _mm256_permutevar8x32_epi32(tops, _mm256_setr_epi32(2, 4, 6, 6, 4, 6, 4, 6));
    return static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(one, other))));
  }

  // Makes all moves between equal tops; the number of cards that pile 1 gains.
  static std::uint64_t move(__m256i& piles, unsigned pairs) {
    const char* entry = reinterpret_cast<const char*>(kMoves.data()) + sizeof(Push) * pairs;
    const __m256i tops = _mm256_and_si256(piles, _mm256_set1_epi64x(15));
    const __m256i copies = _mm256_mul_epu32(tops, _mm256_set1_epi64x(0x111));
    piles = _mm256_srlv_epi64(piles, load(entry + offsetof(Push, down)));
    piles = _mm256_sllv_epi64(piles, load(entry + offsetof(Push, up)));
    piles = _mm256_or_si256(piles, _mm256_and_si256(copies, load(entry + offsetof(Push, room))));
    return number(entry + offsetof(Push, first));
  }

  // Writes the piles one behind the other; -1 if one of them has lost its mark.
  static int join(__m256i piles, const std::uint8_t* first_pile, int first_height, std::uint8_t* out) {
    const __m256i nibble = _mm256_set1_epi8(15);
    const __m256i even = _mm256_and_si256(piles, nibble), odd = _mm256_and_si256(_mm256_srli_epi64(piles, 4), nibble);
    const __m256i low = twice(_mm256_unpacklo_epi8(even, odd)), high = twice(_mm256_unpackhi_epi8(even, odd));
    const std::uint64_t two = static_cast<std::uint64_t>(_mm256_extract_epi64(piles, 1)),
                        three = static_cast<std::uint64_t>(_mm256_extract_epi64(piles, 2)),
                        four = static_cast<std::uint64_t>(_mm256_extract_epi64(piles, 3));
    // A mark is the highest nibble that is not zero.
    const int empty2 = static_cast<int>(_lzcnt_u64(two)), empty3 = static_cast<int>(_lzcnt_u64(three)),
              empty4 = static_cast<int>(_lzcnt_u64(four));
    if (mark(two, empty2) != 13 || mark(three, empty3) != 14 || mark(four, empty4) != 15) [[unlikely]]
      return -1;
    std::uint8_t* to = out;
    if constexpr (last_first) {
      to = write(to, _mm256_extracti128_si256(high, 1), empty4);
      to = write(to, _mm256_extracti128_si256(low, 1), empty3);
      to = write(to, _mm256_castsi256_si128(high), empty2);
      store(to, load(first_pile));
      store(to + 32, load(first_pile + 32));
      to += first_height;
    } else {
      to += first_height;
      to = write(to, _mm256_castsi256_si128(high), empty2);
      to = write(to, _mm256_extracti128_si256(low, 1), empty3);
      to = write(to, _mm256_extracti128_si256(high, 1), empty4);
    }
    return static_cast<int>(to - out);
  }

  static __m256i twice(__m256i nibbles) { return _mm256_or_si256(nibbles, _mm256_slli_epi16(nibbles, 4)); }
  static std::uint64_t mark(std::uint64_t pile, int empty) { return pile >> (60 - (empty & 60)); }

  // A pile of 15 - empty / 4 cards, given top first, bottom first.
  static std::uint8_t* write(std::uint8_t* to, __m128i cards, int empty) {
    alignas(16) static constexpr std::array<std::int8_t, 32> kBackwards{15, 14, 13, 12, 11, 10, 9,  8,  7,  6,  5,
                                                                        4,  3,  2,  1,  0,  -1, -1, -1, -1, -1, -1,
                                                                        -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
    const int height = 15 - empty / 4;
    const __m128i order = _mm_loadu_si128(reinterpret_cast<const __m128i*>(kBackwards.data() + 16 - height));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm_shuffle_epi8(cards, order));
    return to + height;
  }

  // The same pass card by card.
  [[gnu::noinline]] static int replay(const std::uint8_t* in, int count, std::uint8_t* out) {
    Stock stock;
    stock.count = count;
    for (int i = 0; i < count; ++i) stock.rank[i] = rank(in[i]);
    pass_of(kRules)(stock, kRules);
    for (int i = 0; i < stock.count; ++i) out[i] = code(stock.rank[i]);
    return stock.count;
  }
};

}  // namespace dealsweep::motion::avx2
