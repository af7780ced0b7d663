// How states move when a block is split, eight at a time. Included once, inside the namespace of
// the AVX2 variant.

// The byte shuffles that bring the chosen ones of eight 16-bit values to the front.
struct Shuffles {
  alignas(16) std::array<std::array<std::uint8_t, 16>, 256> of{};

  constexpr Shuffles() {
    for (std::size_t chosen = 0; chosen < of.size(); ++chosen) {
      of[chosen].fill(0x80);  // a zero
      std::size_t to = 0;
      for (std::uint8_t i = 0; i < 8; ++i) {
        if ((chosen >> i & 1) == 0) continue;
        of[chosen][to++] = static_cast<std::uint8_t>(2 * i);
        of[chosen][to++] = static_cast<std::uint8_t>(2 * i + 1);
      }
    }
  }
};
inline constexpr Shuffles kShuffles;

// The states that go to one line: before the last are spilled, all of a pair of lines at most, and behind
// them what an eight that is not full writes.
struct Sorted {
  alignas(32) std::array<Local, 2 * Line::kSlots + 8> states;
  unsigned count = 0;

  [[gnu::always_inline]] void add_chosen(__m128i eight, unsigned chosen) {
    const __m128i shuffle = _mm_load_si128(reinterpret_cast<const __m128i*>(kShuffles.of[chosen].data()));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(&states[count]), _mm_shuffle_epi8(eight, shuffle));
    count += static_cast<unsigned>(__builtin_popcount(chosen));
  }

  // Writes the line, free slots and all, in the parts that it is read in (see `add`).
  [[gnu::always_inline]] void write(Line& line) const {
    __m256i number = _mm256_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m256i end = _mm256_set1_epi16(static_cast<short>(count));
    for (std::size_t i = 0; i < Line::kSlots; i += 16) {
      const __m256i half = _mm256_load_si256(reinterpret_cast<const __m256i*>(&states[i]));
      const __m256i used = _mm256_and_si256(_mm256_cmpgt_epi16(end, number), half);
      _mm256_store_si256(reinterpret_cast<__m256i*>(&line.slots[i]), used);
      number = _mm256_add_epi16(number, _mm256_set1_epi16(16));
    }
  }
};

// See MovePair. The home in a block of 2^g lines is the top g of the 12 bits of mixed(), here at the
// top of 16: the multiplier without its lowest 16 zeros.
inline void move_pair(const Line* from, std::uint32_t count, int g, Line* to, std::uint32_t first) {
  std::array<Sorted, 4> sorted;
  const __m128i zero = _mm_setzero_si128(), one = _mm_set1_epi16(1);
  const __m128i factor = _mm_set1_epi16(static_cast<short>(mixed(1) >> 16));
  const __m128i shift = _mm_cvtsi32_si128(16 - g);
  const auto bits = [](__m128i low, __m128i high) {
    return static_cast<unsigned>(_mm_movemask_epi8(_mm_packs_epi16(low, high)));
  };
  for (std::uint32_t line = 0; line < count; ++line) {
    Sorted* const pair = &sorted[2 * line];
    const __m128i first_home = _mm_set1_epi16(static_cast<short>(first + 2 * line));
    for (std::size_t i = 0; i < Line::kSlots; i += 8) {
      const __m128i eight = _mm_load_si128(reinterpret_cast<const __m128i*>(&from[line].slots[i]));
      const __m128i home = _mm_xor_si128(_mm_srl_epi16(_mm_mullo_epi16(eight, factor), shift), first_home);
      const __m128i is_free = _mm_cmpeq_epi16(eight, zero);
      const unsigned at_home = bits(_mm_andnot_si128(is_free, _mm_cmpeq_epi16(home, zero)),
                                    _mm_andnot_si128(is_free, _mm_cmpeq_epi16(home, one)));
      const unsigned free = bits(is_free, zero), even = at_home & 0xff, odd = at_home >> 8;
      pair[0].add_chosen(eight, even);
      pair[1].add_chosen(eight, odd);
      // The others were spilled from the buddy.
      for (unsigned away = ~(free | even | odd) & 0xff; away != 0; away &= away - 1) {
        const Local local = from[line].slots[i + static_cast<std::size_t>(__builtin_ctz(away))];
        Sorted& home_line = sorted[Block::of(0, g).home(local) - first];
        home_line.states[home_line.count++] = local;
      }
      if (free != 0) break;
    }
  }
  for (std::uint32_t line = 0; line < 2 * count; ++line)
    for (Sorted &full = sorted[line], &buddy = sorted[line ^ 1]; full.count > Line::kSlots;)
      buddy.states[buddy.count++] = full.states[--full.count];
  for (std::uint32_t line = 0; line < 2 * count; ++line) sorted[line].write(to[line]);
}
