// A pass with cascades. Included between DEALSWEEP_BEGIN_AVX2 and DEALSWEEP_END_AVX2.

namespace dealsweep::motion::avx2 {

// The four piles are the four 64-bit lanes of one register, nibbles with the top in the lowest. Ranks
// are 0..12; 13, 14, 15 lie below piles 2, 3, 4, so that an empty pile equals nothing. Pile 1 needs no mark,
// being empty only before the first push; nothing ever leaves it, so its cards go straight to where the
// next stock will have them, and only the top of its lane means anything. The other piles hold 15 cards; more
// push the mark out, which shows in the end, and the plain path plays the pass again.
//
// Where a cascade ends cannot be predicted, so a game is played in steps without branches: all moves of equal
// tops, or else a deal of four. A step waits long for its look at the tops, so games take turns step by step.
template <bool last_first, bool right>
struct Cascade {
  static constexpr Rules kRules{.recursive = true, .right = right, .last_first = last_first != right};

  // A rank is kept as two equal nibbles.
  static std::uint8_t code(std::uint8_t rank) { return static_cast<std::uint8_t>((rank - 1) * 0x11); }
  static std::uint8_t rank(std::uint8_t code) { return static_cast<std::uint8_t>((code & 15) + 1); }

  // What a pass deals: per four its cards, copies of the first of them, and the entry of kSteps.
  struct Hands {
    alignas(32) std::uint8_t cards[64];
    alignas(32) std::uint8_t copies[64];
    alignas(32) std::uint32_t steps[16];
    alignas(32) std::uint8_t first_pile[96];
  };

  // A pass that is being played: the piles, the end of pile 1 and where it must not grow beyond (it
  // could when a mark is lost), and how many fours are dealt.
  struct Play {
    __m256i piles;
    std::uint8_t *end, *end_most;
    std::uint64_t dealt, fours;
  };

  static void prepare(const std::uint8_t* stock, Hands& hands) {
    for (int half = 0; half < 2; ++half) {
      __m256i x = load(stock + 32 * half);
      if constexpr (right) x = mirrored(x);
      static_assert(sizeof(Step) == 256);
      const __m256i deals = _mm256_add_epi32(likeness<1, 2, 4, 8, 16, 32>(x), _mm256_set1_epi32(64));
      store(hands.steps + 8 * half, _mm256_slli_epi32(deals, 8));
      store(hands.cards + 32 * half, x);
      store(hands.copies + 32 * half, copies_of_first(x));
    }
  }

  // Pile 1 grows where it will lie in `out`, unless others lie before it.
  static Play start(Hands& hands, int count, std::uint8_t* out) {
    std::uint8_t* const bottom = last_first ? hands.first_pile : out;
    return {_mm256_setr_epi64x(0, 13, 14, 15), bottom, bottom + Stock::kMost, 0,
            static_cast<std::uint64_t>(count / 4)};
  }

  // One step; true if there was none left to make.
  [[gnu::always_inline]] static bool step(Play& play, const Hands& hands) {
    const __m256i tops = _mm256_and_si256(play.piles, _mm256_set1_epi64x(15));
    const unsigned pairs = equal_tops(tops);
    const std::uint64_t dealt = play.dealt + (pairs == 0);
    if (dealt > play.fours || play.end > play.end_most) [[unlikely]]
      return true;
    const std::uint8_t* const four = hands.cards + 4 * dealt - 4;
    // The moves, or the deal if there are none: by a mask, for a compiler makes a branch of a choice.
    const std::uint64_t place = sizeof(Step) * pairs | (hands.steps[play.dealt] & (play.dealt - dealt));
    const char* const entry = reinterpret_cast<const char*>(kSteps.data()) + place;
    // Pile 1 has these copies of its last card dealt already if this is a move, and may gain some of them.
    std::memcpy(play.end, hands.copies + 4 * dealt - 4, 4);
    play.end += number(entry + offsetof(Step, first));
    const __m256i again = _mm256_and_si256(_mm256_mul_epu32(tops, _mm256_set1_epi64x(0x111)),
                                           load(entry + offsetof(Step, again)));
    const __m256i fresh = _mm256_and_si256(spread(four), load(entry + offsetof(Step, fresh)));
    play.piles = _mm256_srlv_epi64(play.piles, load(entry + offsetof(Step, down)));
    play.piles = _mm256_sllv_epi64(play.piles, load(entry + offsetof(Step, up)));
    play.piles = _mm256_or_si256(play.piles, _mm256_or_si256(again, fresh));
    play.dealt = dealt;
    return false;
  }

  // The stock after the pass, to `out`; the number of cards left. `in` is the stock before.
  static int finish(const Play& play, const Hands& hands, const std::uint8_t* in, int count,
                    std::uint8_t* out) {
    const auto height = play.end - (last_first ? hands.first_pile : out);
    const int left =
        play.end > play.end_most ? -1 : join(play.piles, hands.first_pile, static_cast<int>(height), out);
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
    const __m256i order = _mm256_setr_epi8(0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12, 0, 0, 0, 0, 4,
                                           4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12);
    return _mm256_shuffle_epi8(x, order);
  }

  // Card p of four in every nibble of the low 32 bits of lane p.
  static __m256i spread(const std::uint8_t* four) {
    const __m256i order = _mm256_setr_epi8(0, 0, 0, 0, -1, -1, -1, -1, 1, 1, 1, 1, -1, -1, -1, -1, 2, 2, 2, 2,
                                           -1, -1, -1, -1, 3, 3, 3, 3, -1, -1, -1, -1);
    int word;
    std::memcpy(&word, four, 4);
    return _mm256_shuffle_epi8(_mm256_set1_epi32(word), order);
  }

  static unsigned equal_tops(__m256i tops) {
    // The pairs in order; the last two compare again what comes before.
    const __m256i one = _mm256_permutevar8x32_epi32(tops, _mm256_setr_epi32(0, 2, 4, 0, 0, 2, 0, 2));
    const __m256i other = _mm256_permutevar8x32_epi32(tops, _mm256_setr_epi32(2, 4, 6, 6, 4, 6, 4, 6));
    return static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(one, other)))) &
           63;
  }

  // Writes the piles one behind the other; -1 if one of them has lost its mark.
  static int join(__m256i piles, const std::uint8_t* first_pile, int first_height, std::uint8_t* out) {
    const __m256i nibble = _mm256_set1_epi8(15);
    const __m256i even = _mm256_and_si256(piles, nibble),
                  odd = _mm256_and_si256(_mm256_srli_epi64(piles, 4), nibble);
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
    alignas(16) static constexpr std::array<std::int8_t, 32> kBackwards{
        15, 14, 13, 12, 11, 10, 9,  8,  7,  6,  5,  4,  3,  2,  1,  0,
        -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
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
