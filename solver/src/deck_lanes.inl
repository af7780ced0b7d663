// Mersenne Twister decks, many at a time: one deal a vector lane. Included by deck.cpp once for each
// instruction set, inside a namespace of its own, which says how long its vectors are: kVectorBytes.

// A 32-bit word of each lane's generator.
using Words = std::uint32_t __attribute__((vector_size(kVectorBytes)));
using HalfWords = std::int32_t __attribute__((vector_size(kVectorBytes / 2)));
using HalfDoubles = double __attribute__((vector_size(kVectorBytes)));

constexpr int kLanes = kVectorBytes / 4;
// Vectors in flight: seeding is one long chain of dependent steps in each.
constexpr int kChains = kVectorBytes == 16 ? 8 : 4;
constexpr int kBlock = kLanes * kChains;

static inline Words mixed(Words x) { return x ^ (x >> 30); }

// SSE2 multiplies every second 32-bit word of a vector only. To put the two halves of the products together
// takes a shuffle less if the two lanes in the middle of the four change places, so they do at every product:
// of a seeded state the odd words have their lanes in the other order.
constexpr bool kSwaps = DEALSWEEP_PLAIN_SSE2 && kVectorBytes == 16;

// With the lanes in the other order. A template, so that what other vectors are too long for is left out.
template <typename Vector>
static inline Vector swapped(Vector x) {
#if DEALSWEEP_PLAIN_SSE2
  if constexpr (kSwaps)
    return reinterpret_cast<Vector>(_mm_shuffle_epi32(reinterpret_cast<__m128i>(x), _MM_SHUFFLE(3, 1, 2, 0)));
#endif
  return x;
}

// Products with a factor that is the same in every lane, the lanes in the other order.
template <typename Vector>
static inline Vector swapped_product(Vector x, Vector factor) {
#if DEALSWEEP_PLAIN_SSE2
  if constexpr (kSwaps) {
    const auto bits = reinterpret_cast<__m128i>(x), factors = reinterpret_cast<__m128i>(factor);
    const __m128i even = _mm_mul_epu32(bits, factors), odd = _mm_mul_epu32(_mm_srli_epi64(bits, 32), factors);
    return reinterpret_cast<Vector>(
        _mm_shuffle_ps(_mm_castsi128_ps(even), _mm_castsi128_ps(odd), _MM_SHUFFLE(2, 0, 2, 0)));
  }
#endif
  return x * factor;
}

// Words of a generator that a shuffle reads: it takes two outputs a card, and none of the words that these
// need has been twisted yet.
constexpr std::uint32_t kWords = 624, kMiddle = 397, kOutputs = 2 * (kDeckSize - 1);

// Seeds every lane by init_by_array with its own key of one or two words; see MersenneTwister. Of the states
// that it leaves, those that a shuffle reads.
template <std::uint32_t key_words>
static void seed(const Words (&key)[2][kChains], Words (*state)[kChains]) {
  Words first_factor = Words{} + 1664525u, second_factor = Words{} + 1566083941u;
  // Read from memory: a product by a constant, a compiler takes apart into more shifts and sums than pay.
  __asm__("" : "+m"(first_factor), "+m"(second_factor));
  Words keys[2][2][kChains];  // by the order of the lanes
  for (int j = 0; j < 2; ++j)
    for (int c = 0; c < kChains; ++c) keys[0][j][c] = key[j][c], keys[1][j][c] = swapped(key[j][c]);
  Words last[kChains];
  for (int c = 0; c < kChains; ++c) last[c] = Words{} + kSeedStart[0];
  const auto add_key = [&](std::uint32_t to, std::uint32_t step, const auto& start) {
#pragma GCC unroll 8
    for (int c = 0; c < kChains; ++c)
      state[to][c] = last[c] = (start(c) ^ swapped_product(mixed(last[c]), first_factor)) +
                               keys[step % 2][(step - 1) % key_words][c];
  };
  for (std::uint32_t i = 1; i < kWords; ++i)
    add_key(i, i, [i](int) { return kSeedStart[i]; });
  // The 624th step comes round to word 1, with word 0 a copy of the last word. From here on the lanes have
  // the order of the next word, not of the one before.
  add_key(1, kWords, [state](int c) { return swapped(state[1][c]); });
  for (int c = 0; c < kChains; ++c) last[c] = swapped(last[c]);

  const auto scramble = [&]<bool keep>(std::uint32_t from, std::uint32_t end, std::bool_constant<keep>) {
    for (std::uint32_t i = from; i < end; ++i)
#pragma GCC unroll 8
      for (int c = 0; c < kChains; ++c) {
        last[c] = (state[i][c] ^ swapped_product(mixed(last[c]), second_factor)) - i;
        if constexpr (keep) state[i][c] = last[c];
      }
  };
  scramble(2, kOutputs + 1, std::true_type{});
  scramble(kOutputs + 1, kMiddle, std::false_type{});
  scramble(kMiddle, kMiddle + kOutputs, std::true_type{});
  scramble(kMiddle + kOutputs, kWords, std::false_type{});
  for (int c = 0; c < kChains; ++c) {
    state[1][c] = swapped((state[1][c] ^ swapped_product(mixed(last[c]), second_factor)) - 1u);
    state[0][c] = Words{} + 0x80000000u;
  }
}

// Output word n, below kOutputs, of a fresh generator, its lanes in the order of those of the words n + 1 and
// n + kMiddle.
static inline Words output(const Words (*state)[kChains], int n, int c) {
  static_assert(kMiddle % 2 == 1);
  const Words y = (swapped(state[n][c]) & 0x80000000u) | (state[n + 1][c] & 0x7fffffffu);
  Words x = state[n + kMiddle][c] ^ (y >> 1) ^ (-(y & 1u) & 0x9908b0dfu);
  x ^= x >> 11;
  x ^= (x << 7) & 0x9d2c5680u;
  x ^= (x << 15) & 0xefc60000u;
  return x ^ (x >> 18);
}

template <typename Half>
static inline HalfDoubles doubles(Half x) {
#if DEALSWEEP_PLAIN_SSE2
  if constexpr (kSwaps) {  // a compiler would take the words apart
    const __m128i words = _mm_cvtsi64_si128(reinterpret_cast<long long>(x));
    return reinterpret_cast<HalfDoubles>(_mm_cvtepi32_pd(words));
  }
#endif
  return __builtin_convertvector(x, HalfDoubles);
}

// MersenneTwister::pick in every lane, as the place in the deck of what is picked, with the same double
// arithmetic: a division by a power of two rounds nothing, so it may come before or after a product.
static inline void pick(Words a, Words b, int k, std::uint32_t* places) {
  const Words high = a >> 5, low = b >> 6;
  const double factor = static_cast<double>(k + 1) * (1.0 / 9007199254740992.0);
  for (int half = 0; half < 2; ++half) {
    HalfWords h, l;
    std::memcpy(&h, reinterpret_cast<const char*>(&high) + half * sizeof h, sizeof h);
    std::memcpy(&l, reinterpret_cast<const char*>(&low) + half * sizeof l, sizeof l);
    const HalfDoubles u = (doubles(h) * 67108864.0 + doubles(l)) * factor;
    const HalfWords place = kDeckSize - 1 - __builtin_convertvector(u, HalfWords);
    std::memcpy(places + kLanes / 2 * half, &place, sizeof place);
  }
}

// The decks of kBlock consecutive deals beyond the LCG's, whose numbers have the same count of words.
static void deal_block(std::uint64_t first, Deck* decks) {
  alignas(kVectorBytes) static thread_local Words state[kWords][kChains];
  Words key[2][kChains];
  for (int lane = 0; lane < kBlock; ++lane) {
    key[0][lane / kLanes][lane % kLanes] = static_cast<std::uint32_t>(first + lane);
    key[1][lane / kLanes][lane % kLanes] = static_cast<std::uint32_t>((first + lane) >> 32);
  }
  if (first >> 32) {
    for (int c = 0; c < kChains; ++c) key[1][c] += 1;  // init_by_array adds the place of a word in the key
    seed<2>(key, state);
  } else {
    seed<1>(key, state);
  }
  // The last of the shuffled list is dealt first: place 51 of a deck holds number 0 of the list.
  Deck plain = detail::plain_order();
  std::reverse(plain.begin(), plain.end());
  for (int lane = 0; lane < kBlock; ++lane) decks[lane] = plain;
  std::uint32_t places[kBlock];
  for (int k = kDeckSize - 1, n = 0; k > 0; --k, n += 2) {
    for (int c = 0; c < kChains; ++c)
      pick(swapped(output(state, n, c)), output(state, n + 1, c), k,
           places + kLanes * c);
#pragma GCC unroll 4
    for (int lane = 0; lane < kBlock; ++lane)
      std::swap(decks[lane][kDeckSize - 1 - k], decks[lane][places[lane]]);
  }
}
