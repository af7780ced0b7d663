// Mersenne Twister decks, many at a time: one deal a vector lane. Included by deck.cpp once for each
// instruction set, inside a namespace of its own, which says how long its vectors are: kVectorBytes.

// A 32-bit word of each lane's generator.
using Words = std::uint32_t __attribute__((vector_size(kVectorBytes)));
using HalfWords = std::int32_t __attribute__((vector_size(kVectorBytes / 2)));
using HalfDoubles = double __attribute__((vector_size(kVectorBytes)));

constexpr int kLanes = kVectorBytes / 4;
constexpr int kChains = 4;  // vectors in flight: seeding is one long chain of dependent steps in each
constexpr int kBlock = kLanes * kChains;

static inline Words mixed(Words x) { return x ^ (x >> 30); }

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
  Words last[kChains];
  for (int c = 0; c < kChains; ++c) last[c] = Words{} + kSeedStart[0];
  const auto add_key = [&](std::uint32_t to, std::uint32_t j, const auto& start) {
#pragma GCC unroll 4
    for (int c = 0; c < kChains; ++c)
      state[to][c] = last[c] = (start(c) ^ (mixed(last[c]) * first_factor)) + key[j][c];
  };
  for (std::uint32_t i = 1; i < kWords; ++i)
    add_key(i, (i - 1) % key_words, [i](int) { return kSeedStart[i]; });
  // The 624th step comes round to word 1, with word 0 a copy of the last word.
  add_key(1, (kWords - 1) % key_words, [state](int c) { return state[1][c]; });

  const auto scramble = [&]<bool keep>(std::uint32_t from, std::uint32_t end, std::bool_constant<keep>) {
    for (std::uint32_t i = from; i < end; ++i)
#pragma GCC unroll 4
      for (int c = 0; c < kChains; ++c) {
        last[c] = (state[i][c] ^ (mixed(last[c]) * second_factor)) - i;
        if constexpr (keep) state[i][c] = last[c];
      }
  };
  scramble(2, kOutputs + 1, std::true_type{});
  scramble(kOutputs + 1, kMiddle, std::false_type{});
  scramble(kMiddle, kMiddle + kOutputs, std::true_type{});
  scramble(kMiddle + kOutputs, kWords, std::false_type{});
  for (int c = 0; c < kChains; ++c) {
    state[1][c] = (state[1][c] ^ (mixed(last[c]) * second_factor)) - 1u;
    state[0][c] = Words{} + 0x80000000u;
  }
}

// Output word n, below kOutputs, of a fresh generator.
static inline Words output(const Words (*state)[kChains], int n, int c) {
  const Words y = (state[n][c] & 0x80000000u) | (state[n + 1][c] & 0x7fffffffu);
  Words x = state[n + kMiddle][c] ^ (y >> 1) ^ (-(y & 1u) & 0x9908b0dfu);
  x ^= x >> 11;
  x ^= (x << 7) & 0x9d2c5680u;
  x ^= (x << 15) & 0xefc60000u;
  return x ^ (x >> 18);
}

// MersenneTwister::pick in every lane, with the same double arithmetic.
static inline void pick(Words a, Words b, int k, std::int32_t* picks) {
  const Words high = a >> 5, low = b >> 6;
  for (int half = 0; half < 2; ++half) {
    HalfWords h, l;
    std::memcpy(&h, reinterpret_cast<const char*>(&high) + half * sizeof h, sizeof h);
    std::memcpy(&l, reinterpret_cast<const char*>(&low) + half * sizeof l, sizeof l);
    const HalfDoubles u =
        (__builtin_convertvector(h, HalfDoubles) * 67108864.0 + __builtin_convertvector(l, HalfDoubles)) *
        (1.0 / 9007199254740992.0);
    const HalfWords picked = __builtin_convertvector(u * static_cast<double>(k + 1), HalfWords);
    std::memcpy(picks + kLanes / 2 * half, &picked, sizeof picked);
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
  std::int32_t picks[kBlock];
  for (int k = kDeckSize - 1, n = 0; k > 0; --k, n += 2) {
    for (int c = 0; c < kChains; ++c)
      pick(output(state, n, c), output(state, n + 1, c), k, picks + kLanes * c);
    for (int lane = 0; lane < kBlock; ++lane)
      std::swap(decks[lane][kDeckSize - 1 - k], decks[lane][kDeckSize - 1 - picks[lane]]);
  }
}
